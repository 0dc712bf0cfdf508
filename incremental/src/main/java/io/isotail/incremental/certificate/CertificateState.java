package io.isotail.incremental.certificate;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.IdentityWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;

/** Saves and loads the numbers of a certificate; who read and wrote what follows from these. */
final class CertificateState {
  private CertificateState() {}

  static void save(GraphWriter to, PlacedList kept, PlacedList inWindow, long floor) {
    to.out.count(kept.size());
    to.out.count(inWindow.size());
    var ofKept = kept.rows.cut();
    var ofWindow = inWindow.rows.cut();
    to.out.later(
        (IdentityWriter.Noted)
            out -> {
              long last = PlacedRows.write(ofKept, out, true, floor);
              PlacedRows.write(ofWindow, out, false, last);
            });
  }

  /** What was saved behind the floor and the latest number. */
  static List<Numbers> load(GraphReader from, long floor) {
    StateReader in = from.in;
    int kept = in.count();
    int inWindow = in.count();
    List<Numbers> numbers = new ArrayList<>();
    long last = floor;
    for (long n = (long) kept + inWindow; n > 0; n--) {
      Transaction transaction = from.transaction();
      last += in.number();
      long begin = last - in.number();
      boolean retired = n > inWindow;
      if (retired) {
        from.left(transaction);
      }
      numbers.add(new Numbers(transaction, retired, !retired && in.flag(), begin, last));
    }
    return numbers;
  }
}

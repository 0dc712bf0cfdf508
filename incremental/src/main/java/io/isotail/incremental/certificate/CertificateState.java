package io.isotail.incremental.certificate;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;

/** Saves and loads the numbers of a certificate; who read and wrote what follows from these. */
final class CertificateState {
  private CertificateState() {}

  static void save(GraphWriter to, Excerpt all, long floor) {
    StateWriter out = to.out;
    out.count(all.earlier().size());
    out.count(all.later().size());
    long last = save(to, all.earlier(), floor);
    save(to, all.later(), last);
  }

  private static long save(GraphWriter to, List<Placed> all, long before) {
    long last = before;
    for (Placed placed : all) {
      to.transaction(placed.transaction);
      to.out.number(placed.commit - last);
      to.out.number(placed.commit - placed.begin);
      to.out.flag(placed.readsAll());
      last = placed.commit;
    }
    return last;
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
      numbers.add(new Numbers(transaction, n > inWindow, in.flag(), begin, last));
    }
    return numbers;
  }
}

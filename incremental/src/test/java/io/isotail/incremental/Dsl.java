package io.isotail.incremental;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tiny histories as text: transactions separated by {@code ;}, each {@code session: operations}.
 *
 * <p>An operation is {@code w} or {@code r}, a key letter and a version number; version 0 is the
 * initial one. {@code !} after the session marks an aborted transaction, {@code ?} one of unknown
 * outcome. {@code a: wx1 ; b!: wx2 ; a: rx1 wy3}.
 */
final class Dsl {
  private Dsl() {}

  static List<TransactionRecord> history(String text) {
    List<TransactionRecord> history = new ArrayList<>();
    Map<String, Long> sequences = new HashMap<>();
    for (String transaction : text.split(";")) {
      String[] parts = transaction.split(":");
      String session = parts[0].strip();
      Outcome outcome =
          session.endsWith("!")
              ? Outcome.ABORTED
              : session.endsWith("?") ? Outcome.UNKNOWN : Outcome.COMMITTED;
      session = session.replaceAll("[!?]", "");
      long sequence = sequences.merge(session, 1L, Long::sum) - 1;
      history.add(
          new TransactionRecord(
              SessionInfo.ofFile(session.charAt(0), session),
              sequence,
              sequence + 1,
              0,
              outcome,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              operations(parts[1])));
    }
    return history;
  }

  private static Operations operations(String text) {
    Operations.Builder ops = new Operations.Builder();
    for (String op : text.strip().split(" ")) {
      long key = op.charAt(1);
      long version = Long.parseLong(op.substring(2));
      if (op.charAt(0) == 'w') {
        ops.write(key, version);
      } else if (version == 0) {
        ops.readInitial(key);
      } else {
        ops.read(key, version);
      }
      ops.names(String.valueOf(op.charAt(1)), version == 0 ? null : Long.toString(version));
    }
    return ops.build();
  }
}

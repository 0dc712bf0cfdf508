package io.isotail.incremental;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tiny histories as text: transactions separated by {@code ;}, each {@code session: operations}.
 *
 * <p>An operation is {@code w} or {@code r}, a key letter and a version number; version 0 is the
 * initial one. {@code !} after the session marks an aborted transaction, {@code ?} one of unknown
 * outcome. {@code a: wx1 ; b!: wx2 ; a: rx1 wy3}. {@code ix1} inserts a row that was missing,
 * {@code o*} is a statement that was not understood, {@code ux} a read of x whose version was not
 * seen, {@code dx} deletes x. {@code lx0.1.2} is a list read of x that returned 2, and showed that
 * 1 comes directly before it and after the initial version. {@code wx2<1} is a write that replaced
 * version 1.
 */
final class Dsl {
  private static final Statement INSERT = new Statement(null, "", false, true);

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
      if (op.charAt(0) == 'l') {
        readList(ops, key, op.substring(2).split("\\."));
        continue;
      }
      if (op.equals("o*")) {
        ops.opaque();
        continue;
      }
      if (op.charAt(0) == 'u') {
        ops.add(OperationKind.READ, key, VersionKind.UNKNOWN, 0);
        continue;
      }
      if (op.charAt(0) == 'd') {
        ops.delete(key);
        if (op.length() > 2) {
          ops.replaces(Long.parseLong(op.substring(3)));
        }
        continue;
      }
      int less = op.indexOf('<');
      long version = Long.parseLong(op.substring(2, less < 0 ? op.length() : less));
      ops.statement(op.charAt(0) == 'i' ? INSERT : null);
      if (op.charAt(0) == 'w' || op.charAt(0) == 'i') {
        ops.write(key, version);
        if (less > 0) {
          ops.replaces(Long.parseLong(op.substring(less + 1)));
        }
      } else if (version == 0) {
        ops.readInitial(key);
      } else {
        ops.read(key, version);
      }
      ops.names(String.valueOf(op.charAt(1)), version == 0 ? null : Long.toString(version));
    }
    return ops.build();
  }

  private static void readList(Operations.Builder ops, long key, String[] versions) {
    for (int i = 0; i < versions.length - 1; i++) {
      long version = Long.parseLong(versions[i]);
      VersionKind kind = version == 0 ? VersionKind.INITIAL : VersionKind.KNOWN;
      ops.add(OperationKind.LISTED, key, kind, version).names(String.valueOf((char) key), null);
    }
    ops.read(key, Long.parseLong(versions[versions.length - 1]));
    ops.names(String.valueOf((char) key), versions[versions.length - 1]);
  }
}

package io.isotail.monitor.serial;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.List;
import java.util.Locale;

/** Records with other operations, and as text for people. */
final class SerialHistory {
  private SerialHistory() {}

  /** The record with other operations. */
  static TransactionRecord with(TransactionRecord record, Operations operations) {
    return new TransactionRecord(
        record.session(),
        record.sequence(),
        record.transaction(),
        record.chunk(),
        record.outcome(),
        record.ranAt(),
        record.beginNs(),
        record.endNs(),
        record.clock(),
        operations);
  }

  /** A transaction a line: who, how it ended, and its operations such as {@code r plain1=5}. */
  static String text(List<SerialStream.Entry> log) {
    StringBuilder text = new StringBuilder();
    for (SerialStream.Entry entry : log) {
      if (entry.record() instanceof TransactionRecord t) {
        text.append(
            "%s/%d %s %s:%s%n"
                .formatted(
                    t.session().name(),
                    t.transaction(),
                    t.outcome().name().toLowerCase(Locale.ROOT),
                    t.ranAt(),
                    text(t.operations())));
      }
    }
    return text.toString();
  }

  /** A transaction of a capsule as text. */
  static String text(CapsuleTransaction t) {
    return "%s %s:%s".formatted(t.name(), t.ranAt(), text(t.operations()));
  }

  private static String text(Operations ops) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ops.size(); i++) {
      text.append(ops.undone(i) ? " undone:" : " ");
      String table = ops.statement(i).table();
      if (ops.kind(i) == OperationKind.OPAQUE) {
        text.append("opaque ").append(table == null ? "*" : table);
        continue;
      }
      text.append(ops.kind(i).name().charAt(0)).append(' ').append(table).append(ops.keyName(i));
      if (ops.kind(i) != OperationKind.DELETE) {
        text.append('=');
        text.append(
            ops.versionKind(i) == VersionKind.KNOWN
                ? ops.versionName(i)
                : ops.versionKind(i) == VersionKind.INITIAL ? "absent" : "?");
      }
    }
    return text.toString();
  }
}

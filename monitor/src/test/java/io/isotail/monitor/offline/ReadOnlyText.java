package io.isotail.monitor.offline;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.format.AwditFormat;
import io.isotail.ingest.format.ChronosFormat;
import io.isotail.ingest.format.HistoryFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Histories as text of the formats that the project reads and does not write. */
final class ReadOnlyText {
  private ReadOnlyText() {}

  /**
   * A history in one of these formats.
   *
   * @throws IllegalArgumentException if the format cannot hold it
   */
  static String of(HistoryFormat format, List<TransactionRecord> history) {
    history.forEach(ReadOnlyText::requireHeld);
    if (format.equals(new AwditFormat())) {
      return awdit(history);
    }
    if (format.equals(new ChronosFormat())) {
      return chronos(history);
    }
    throw new IllegalStateException("nobody writes " + format);
  }

  private static void requireHeld(TransactionRecord transaction) {
    Operations operations = transaction.operations();
    boolean held = transaction.outcome() == Outcome.COMMITTED && operations.size() > 0;
    for (int i = 0; i < operations.size(); i++) {
      boolean read = operations.kind(i) == OperationKind.READ;
      VersionKind version = operations.versionKind(i);
      held &= read || operations.kind(i) == OperationKind.WRITE;
      held &= !operations.undone(i) && operations.key(i) >= 0;
      held &=
          version == VersionKind.KNOWN
              ? operations.version(i) > 0
              : read && version == VersionKind.INITIAL;
    }
    if (!held) {
      throw new IllegalArgumentException("cannot be held: " + transaction);
    }
  }

  private static String awdit(List<TransactionRecord> history) {
    Map<Long, List<String>> sessions = new LinkedHashMap<>();
    for (TransactionRecord each : history) {
      StringBuilder text = new StringBuilder();
      Operations operations = each.operations();
      for (int i = 0; i < operations.size(); i++) {
        boolean read = operations.kind(i) == OperationKind.READ;
        boolean initial = operations.versionKind(i) == VersionKind.INITIAL;
        text.append(
            "%s %d %d%n"
                .formatted(
                    read ? "r" : "w", operations.key(i), initial ? 0 : operations.version(i)));
      }
      sessions.computeIfAbsent(each.session().id(), id -> new ArrayList<>()).add(text.toString());
    }
    return sessions.values().stream()
        .map(session -> String.join("-----\n", session))
        .collect(Collectors.joining("=====\n"));
  }

  private static String chronos(List<TransactionRecord> history) {
    List<String> transactions = new ArrayList<>();
    for (TransactionRecord each : history) {
      List<String> ops = new ArrayList<>();
      Operations operations = each.operations();
      for (int i = 0; i < operations.size(); i++) {
        boolean initial = operations.versionKind(i) == VersionKind.INITIAL;
        ops.add(
            "{\"t\": \"%s\", \"k\": %d, \"v\": %s}"
                .formatted(
                    operations.kind(i) == OperationKind.READ ? "r" : "w",
                    operations.key(i),
                    initial ? "null" : Long.toString(operations.version(i))));
      }
      transactions.add(
          """
          {"tid": %d, "sid": %d, "sts": {"p": 1, "l": 0}, "cts": {"p": 1, "l": 0},
           "ops": %s}"""
              .formatted(transactions.size(), each.session().id(), ops));
    }
    return transactions + "\n";
  }
}

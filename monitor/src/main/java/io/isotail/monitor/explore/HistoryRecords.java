package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Execution;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.ClearName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An explored history as records that {@code isotail check} reads. A version is the value that was
 * written and the transaction that wrote it: two may write the same value.
 */
final class HistoryRecords {
  private HistoryRecords() {}

  static List<TransactionRecord> of(ExploredHistory history) {
    List<TransactionRecord> records = new ArrayList<>();
    Map<Integer, Integer> inSession = new HashMap<>();
    for (int t = 1; t <= history.transactions(); t++) {
      int number = inSession.merge(history.session(t), 1, Integer::sum) - 1;
      records.add(
          new TransactionRecord(
              session(history, t),
              number,
              number,
              0,
              history.committed(t) ? Outcome.COMMITTED : Outcome.ABORTED,
              null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              operations(history, t)));
    }
    return records;
  }

  private static SessionInfo session(ExploredHistory history, int transaction) {
    String name = history.name(transaction);
    String session = name.substring(0, name.indexOf('.'));
    return SessionInfo.ofFile(ClearName.hash(session), session);
  }

  private static Operations operations(ExploredHistory history, int transaction) {
    Operations.Builder operations = new Operations.Builder();
    for (ExploredHistory.Read read : history.reads(transaction)) {
      long key = ClearName.hash(read.variable());
      if (read.source() == 0) {
        operations.readInitial(key).names(read.variable(), null);
      } else {
        String version = version(history, read.source(), read.value());
        operations.read(key, ClearName.hash(version)).names(read.variable(), version);
      }
    }
    Execution end = history.end(transaction);
    end.writes()
        .forEach(
            (variable, value) -> {
              String version = version(history, transaction, value);
              operations
                  .write(ClearName.hash(variable), ClearName.hash(version))
                  .names(variable, version);
            });
    return operations.build();
  }

  private static String version(ExploredHistory history, int writer, Object value) {
    return value + " of " + history.name(writer);
  }
}

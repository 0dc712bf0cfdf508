package io.isotail.incremental.explore.verdict;

import io.isotail.incremental.explore.Execution;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.NameHash;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An explored history as records that the checker takes. A version is the value that was written
 * and the transaction that wrote it: two may write the same value.
 *
 * <p>That a final transaction begins when all others have ended is told by variables of their own,
 * one of each other transaction that committed: that one writes it, and the final one reads it
 * after all else. (Read before, it would demand more of read committed than the program does.)
 */
final class HistoryRecords {
  private static final String ENDED = "yes";

  private final ExploredHistory history;

  private HistoryRecords(ExploredHistory history) {
    this.history = history;
  }

  /** The records, transaction by transaction; with levels where the program mixes them. */
  static List<TransactionRecord> of(ExploredHistory history, IsolationLevel others) {
    HistoryRecords told = new HistoryRecords(history);
    boolean mixed = history.program().isMixed();
    List<TransactionRecord> records = new ArrayList<>();
    Map<Integer, Integer> inSession = new HashMap<>();
    for (int t = 1; t <= history.transactions(); t++) {
      int number = inSession.merge(history.session(t), 1, Integer::sum) - 1;
      IsolationLevel own = history.declared(t);
      records.add(
          new TransactionRecord(
              told.session(t),
              number,
              number,
              0,
              history.committed(t) ? Outcome.COMMITTED : Outcome.ABORTED,
              mixed ? (own == null ? others : own).label() : null,
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              told.operations(t)));
    }
    return records;
  }

  private SessionInfo session(int transaction) {
    return SessionInfo.ofFile(
        NameHash.of(history.sessionName(transaction)), history.sessionName(transaction));
  }

  private Operations operations(int transaction) {
    Operations.Builder operations = new Operations.Builder();
    for (ExploredHistory.Read read : history.reads(transaction)) {
      long key = NameHash.of(read.variable());
      if (read.source() == 0) {
        operations.readInitial(key).names(read.variable(), null);
      } else {
        String version = version(read.source(), read.value());
        operations.read(key, NameHash.of(version)).names(read.variable(), version);
      }
    }
    if (isFinal(transaction)) {
      for (int t = 1; t < transaction; t++) {
        if (history.committed(t)) {
          String ended = ended(t);
          operations.read(NameHash.of(ended), NameHash.of(ENDED)).names(ended, ENDED);
        }
      }
    } else if (history.program().last() != null && history.committed(transaction)) {
      String ended = ended(transaction);
      operations.write(NameHash.of(ended), NameHash.of(ENDED)).names(ended, ENDED);
    }
    Execution end = history.end(transaction);
    end.writes()
        .forEach(
            (variable, value) -> {
              String version = version(transaction, value);
              operations
                  .write(NameHash.of(variable), NameHash.of(version))
                  .names(variable, version);
            });
    return operations.build();
  }

  /** The final transaction has the last number. */
  private boolean isFinal(int transaction) {
    return history.program().last() != null && transaction == history.transactions();
  }

  private String ended(int transaction) {
    return "end of " + history.name(transaction);
  }

  private String version(int writer, Object value) {
    return value + " of " + history.name(writer);
  }
}

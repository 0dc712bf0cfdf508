package io.isotail.incremental.changes;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.record.RecordWriter;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;

/**
 * What clients were told of their COMMITs, held against the log.
 *
 * <p>An acknowledged commit is lost if the log ought to tell it, and does not. That it ought to is
 * shown and not assumed: without a pause the log has told a transaction of the same session before,
 * and one behind it, and one of a captured session that wrote the same table. So a session that
 * another server serves, after a fail-over or by a pooler, is never told to have lost anything, nor
 * is one whose writes are of a table that is not logged and has the name of one that is.
 *
 * <p>Bounds: the {@value #MOST_SESSIONS} sessions that the log told of last; {@value #MOST_WAITING}
 * commits that seem lost, for {@value #MOST_MARKS} marks.
 */
final class CommitWitness {
  /** For so many marks the log has to go on without a break until a commit is told to be lost. */
  static final int MARKS = 10;

  private static final int MOST_MARKS = 3_000;
  private static final int MOST_SESSIONS = 100_000;
  private static final int MOST_WAITING = 1_000;

  private static final class Waiting {
    final long offset;
    final TransactionRecord transaction;
    final int operation;
    int marks;

    /** Whether the log has told a later transaction of the session. */
    boolean confirmed;

    Waiting(long offset, TransactionRecord transaction, int operation) {
      this.offset = offset;
      this.transaction = transaction;
      this.operation = operation;
    }
  }

  /** By session the number of the last transaction that the log has told. */
  private final Long2LongLinkedOpenHashMap told = new Long2LongLinkedOpenHashMap();

  /** Tables that a captured transaction wrote which the log has told, with the very row. */
  private final TreeSet<String> tables = new TreeSet<>();

  /** Commits that the log does not tell. */
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** Since when the log is followed without a break, in ms of the stream. */
  private long sinceMs = Long.MAX_VALUE;

  /** What comes before this time cannot be compared with what comes after it. */
  void broken(long timeMs) {
    sinceMs = timeMs;
    told.clear();
    tables.clear();
    waiting.clear();
  }

  /**
   * The log has told a captured transaction that was committed.
   *
   * @param own what it tells
   */
  void told(TransactionRecord transaction, LoggedTransaction own) {
    Operations ops = transaction.operations();
    boolean same = false;
    for (int i = 0; i < ops.size(); i++) {
      String table = ops.statement(i).table();
      if (table != null
          && Claim.isNamed(ops, i)
          && !ops.undone(i)
          && (int) ops.version(i) == (int) own.writer
          && own.rows.containsKey(ops.key(i))) {
        tables.add(table);
        same = true;
      }
    }
    if (same) {
      long session = transaction.session().id();
      long number = Math.max(told.get(session), transaction.transaction());
      told.putAndMoveToLast(session, number);
      if (told.size() > MOST_SESSIONS) {
        told.removeFirstLong();
      }
      for (Waiting each : waiting) {
        TransactionRecord before = each.transaction;
        each.confirmed |= before.session().id() == session && before.transaction() < number;
      }
    }
  }

  /**
   * The log does not tell a captured transaction, though it has told all that it can be.
   *
   * @param begunAfterMs it had not begun before then, in ms of the stream
   * @param operation a write of a table that is logged
   */
  void missing(long offset, TransactionRecord transaction, long begunAfterMs, int operation) {
    String table = transaction.operations().statement(operation).table();
    boolean logged = table != null && tables.contains(table);
    if (logged && isOfServer(transaction, begunAfterMs) && waiting.size() < MOST_WAITING) {
      waiting.add(new Waiting(offset, transaction, operation));
    }
  }

  /** Whether the server of the log has served the session until then, as the log has shown. */
  boolean isOfServer(TransactionRecord transaction, long begunAfterMs) {
    long session = transaction.session().id();
    return begunAfterMs >= sinceMs
        && told.containsKey(session)
        && told.get(session) < transaction.transaction();
  }

  /** The log has a mark. The commits are due that are lost. */
  List<CommitFault> mark() {
    List<CommitFault> lost = new ArrayList<>();
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      each.marks++;
      if (each.marks >= MARKS && each.confirmed) {
        lost.add(
            new CommitFault(
                AnomalyKind.LOST_COMMIT, each.offset, each.transaction, each.operation));
        all.remove();
      } else if (each.marks >= MOST_MARKS) {
        all.remove();
      }
    }
    return lost;
  }

  void save(StateWriter out, RecordWriter records) {
    out.number(sinceMs);
    out.count(told.size());
    told.forEach(
        (session, number) -> {
          out.number(session);
          out.number(number);
        });
    out.set(tables);
    out.count(waiting.size());
    for (Waiting each : waiting) {
      out.number(each.offset);
      out.number(each.operation);
      out.number(each.marks);
      out.flag(each.confirmed);
      records.stream(each.transaction);
    }
  }

  void load(StateReader in, RecordReader records) {
    sinceMs = in.number();
    for (int n = in.count(); n > 0; n--) {
      told.putAndMoveToLast(in.number(), in.number());
    }
    for (int n = in.count(); n > 0; n--) {
      tables.add(in.requiredText());
    }
    for (int n = in.count(); n > 0; n--) {
      long offset = in.number();
      int operation = (int) in.number();
      int marks = (int) in.number();
      boolean confirmed = in.flag();
      Waiting each = new Waiting(offset, (TransactionRecord) records.stream(), operation);
      each.marks = marks;
      each.confirmed = confirmed;
      waiting.add(each);
    }
  }
}

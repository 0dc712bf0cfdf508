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
import org.jspecify.annotations.Nullable;

/**
 * What clients were told of their COMMITs, held against the log.
 *
 * <p>An acknowledged commit is lost if the log ought to tell it, and does not; a rollback was
 * committed if the log tells it. That the session is of the log's server is shown: without a pause
 * the log has told a transaction of the same session before, and one behind it, and a captured
 * write of the same table. So no session that another server serves after a fail-over is told to
 * have lost anything, nor one whose writes are of a table that is not logged and has the name of
 * one that is. A pooler that sends the transactions of one session to several primaries in turn
 * would be told of.
 *
 * <p>Bounds: the {@value #MOST_SESSIONS} sessions that the log told of last; {@value #MOST_WAITING}
 * ends that seem to be others, for {@value #MOST_MARKS} marks.
 */
final class CommitWitness {
  /** For so many marks the log has to go on without a break until anything is told. */
  static final int MARKS = 10;

  private static final int MOST_MARKS = 3_000;
  private static final int MOST_SESSIONS = 100_000;
  private static final int MOST_WAITING = 1_000;

  private static final class Waiting {
    final AnomalyKind kind;
    final long offset;
    final TransactionRecord transaction;
    final int operation;
    int marks;

    /** Whether the log has told a later transaction of the session. */
    boolean confirmed;

    Waiting(AnomalyKind kind, long offset, TransactionRecord transaction, int operation) {
      this.kind = kind;
      this.offset = offset;
      this.transaction = transaction;
      this.operation = operation;
    }
  }

  /** By session the number of the last transaction that the log has told. */
  private final Long2LongLinkedOpenHashMap told = new Long2LongLinkedOpenHashMap();

  /** Tables that a captured transaction wrote which the log has told, with the very row. */
  private final TreeSet<String> tables = new TreeSet<>();

  /** Ends that the log tells otherwise. */
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
   * @param begunAfterMs it had not begun before then, in ms of the stream
   * @param own what it tells
   */
  void told(TransactionRecord transaction, long begunAfterMs, LoggedTransaction own) {
    if (begunAfterMs < sinceMs) {
      return;
    }
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
    long session = transaction.session().id();
    if (same || told.containsKey(session)) {
      long number = Math.max(told.get(session), transaction.transaction());
      told.putAndMoveToLast(session, number);
      if (told.size() > MOST_SESSIONS) {
        told.removeFirstLong();
      }
    }
    if (same) {
      for (Waiting each : waiting) {
        TransactionRecord before = each.transaction;
        boolean later = before.transaction() < transaction.transaction();
        each.confirmed |= before.session().id() == session && later;
      }
    }
  }

  /** The log tells the end of a captured transaction otherwise; it is told if that is confirmed. */
  void doubt(AnomalyKind kind, long offset, TransactionRecord transaction, int operation) {
    if (waiting.size() < MOST_WAITING) {
      waiting.add(new Waiting(kind, offset, transaction, operation));
    }
  }

  /**
   * Whether the log ought to tell a write of a session, by what it has told until then.
   *
   * @param begunAfterMs the transaction had not begun before then, in ms of the stream
   */
  boolean oughtToTell(TransactionRecord transaction, long begunAfterMs, @Nullable String table) {
    return table != null && tables.contains(table) && isOfServer(transaction, begunAfterMs);
  }

  private boolean isOfServer(TransactionRecord transaction, long begunAfterMs) {
    long session = transaction.session().id();
    return begunAfterMs >= sinceMs
        && told.containsKey(session)
        && told.get(session) < transaction.transaction();
  }

  /** The log has a mark. Those are due that are confirmed. */
  List<CommitFault> mark() {
    List<CommitFault> lost = new ArrayList<>();
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Waiting each = all.next();
      each.marks++;
      if (each.marks >= MARKS && each.confirmed) {
        lost.add(new CommitFault(each.kind, each.offset, each.transaction, each.operation));
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
      out.constant(each.kind);
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
      AnomalyKind kind = in.constant(AnomalyKind.class);
      long offset = in.number();
      int operation = (int) in.number();
      int marks = (int) in.number();
      boolean confirmed = in.flag();
      Waiting each = new Waiting(kind, offset, (TransactionRecord) records.stream(), operation);
      each.marks = marks;
      each.confirmed = confirmed;
      waiting.add(each);
    }
  }
}

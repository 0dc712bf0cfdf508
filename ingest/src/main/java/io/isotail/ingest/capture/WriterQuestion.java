package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.capture.Server.TransactionState;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server for the id of a transaction that may have written unseen and has shown none: just
 * before it commits, or where only the database's log has ids, right after.
 *
 * <p>Before: a function's, a procedure's or a COPY's rows are known by it once somebody reads them.
 * One that has no id has written nothing, and is recorded so.
 *
 * <p>Costs such a transaction one more exchange with the server, or only one more question where
 * the carrier can send the commit behind it. Others are not asked about.
 *
 * <p>After: the session tells the last of its transactions that the log has. It is this one only if
 * that differs from what it was before; see {@link Dialect#committedIdQuery}. Where statements of
 * the application ask what the one before them has done, nothing is asked between statements.
 */
final class WriterQuestion {
  private static final long LOW_BITS = 0xFFFF_FFFFL;

  private final Capture capture;
  private final Server server;

  /** What the log called the session's last transaction; null if that is not known. */
  private @Nullable String lastId;

  WriterQuestion(Capture capture, Server server) {
    this.capture = capture;
    this.server = server;
  }

  /** What is to be asked before the transaction commits; null for nothing. */
  @Nullable String query(TransactionCapture tx) {
    if (server.limitsAnswers()
        || tx.single()
        || tx.busy()
        || tx.poisoned()
        || !tx.wroteUnderUnknownId()
        || !capture.config().rewrite()
        || !capture.observation().tables().anyNamesWriters()
        || server.state() != TransactionState.OPEN) {
      return null;
    }
    return server.dialect().writerIdQuery(server.majorVersion());
  }

  /** Asks if need be; the transaction is about to commit. A question that fails tells nothing. */
  void ask(TransactionCapture tx) {
    String query = query(tx);
    if (query == null || !server.canAsk()) {
      return;
    }
    try {
      answered(tx, server.firstRow(query));
    } catch (Exception failure) {
      capture.stats().internalFailure(failure);
    }
  }

  /** The server has answered what was asked, and not ended the transaction yet. */
  void answered(TransactionCapture tx, @Nullable List<@Nullable String> row) {
    String id = row == null ? null : row.get(0);
    if (id != null) {
      tx.addToLast(shown(Long.parseLong(id) & LOW_BITS));
    } else if (row != null) {
      tx.wroteNothing();
    }
  }

  /** The server has told, outside of transactions, what the log calls the last one. */
  void last(String id) {
    lastId = id;
  }

  /**
   * A transaction has ended that may have written, and what it did is not handed over yet.
   *
   * @param outcome how; what was rolled back leaves the session's last transaction as it was, but
   *     for tables without transactions
   */
  void ended(TransactionCapture tx, Outcome outcome) {
    String query = server.dialect().committedIdQuery();
    boolean undone = outcome == Outcome.ABORTED && !tx.mayHaveWrittenElsewhere();
    if (query == null || !tx.announced() || undone) {
      return;
    }
    String before = lastId;
    lastId = null;
    boolean asks =
        outcome == Outcome.COMMITTED
            && !tx.isOneOfSeveral()
            && !(tx.single() && capture.anyAsksOfBefore())
            && capture.observation().tables().anyTellsContents();
    if (!asks || server.limitsAnswers() || !server.canAsk() || !capture.config().rewrite()) {
      return;
    }
    try {
      List<@Nullable String> row = server.firstRow(query);
      if (row != null) {
        lastId = row.get(1);
        committed(tx, before, row);
      }
    } catch (Exception failure) {
      capture.stats().internalFailure(failure);
    }
  }

  private void committed(
      TransactionCapture tx, @Nullable String before, List<@Nullable String> row) {
    if (before == null || tx.poisoned()) {
      return;
    }
    String id = row.get(0);
    if (id != null) {
      if (before.equals(row.get(1))) {
        tx.wroteNothing();
      } else {
        tx.addToLast(shown(Long.parseLong(id) & LOW_BITS));
      }
    }
  }

  /** A row that nobody else writes, under the id of the transaction. */
  private Operation shown(long id) {
    RowKey key = new RowKey(true, ThreadLocalRandom.current().nextLong(), null);
    String name = capture.config().clearNames() ? Long.toString(id) : null;
    return new Rows(capture)
        .operation(
            OperationKind.WRITE,
            key,
            new RowVersion(id, name),
            new Statement(Statement.ELSEWHERE, "", true));
  }
}

package io.isotail.ingest.capture;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Statement;
import io.isotail.ingest.capture.Server.TransactionState;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server for the id of a transaction that may have written unseen and has shown none, just
 * before it commits: a function's, a procedure's or a COPY's rows are known by it once somebody
 * reads them. One that has no id has written nothing, and is recorded so.
 *
 * <p>Costs such a transaction one more exchange with the server, or only one more question where
 * the carrier can send the commit behind it. Others are not asked about.
 */
final class WriterQuestion {
  private static final long LOW_BITS = 0xFFFF_FFFFL;

  private final Capture capture;
  private final Server server;

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

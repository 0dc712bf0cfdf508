package io.isotail.ingest.capture;

import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server how large a table is, before the first execution of a write whose text does not
 * say how many rows it finds: of a small table it finds few, and a driver can hold them.
 *
 * <p>Costs one exchange for each such text that the process executes. To tell the size the server
 * locks the table as a query does, which the write is about to do anyway. Guarded by the session's
 * lock.
 */
final class SizeQuestion {
  /**
   * Of all executions that are sent at once. A row takes 32 bytes and more, and as many as are in
   * here take some ten megabytes of a driver's memory.
   */
  private static final long FEW_BYTES = 4_000_000;

  private final Capture capture;
  private final Server server;
  private boolean refusedInside;

  SizeQuestion(Capture capture, Server server) {
    this.capture = capture;
    this.server = server;
  }

  /**
   * Asks if need be.
   *
   * @param executions how many of the statement are sent at once
   * @param inside whether a transaction is under way
   */
  void ask(AnalyzedSql sql, int executions, boolean inside) {
    ObservedTable table = capture.writesUnknownShareOf(sql);
    String query = table == null ? null : server.dialect().sizeQuery(table);
    if (query == null || server.limitsAnswers() || (inside && refusedInside)) {
      return;
    }
    try {
      if (inside) {
        refusedInside = true;
        told(sql, executions, server.firstRow(query));
        refusedInside = false;
      } else {
        server.outsideOfTransactions(() -> told(sql, executions, server.firstRow(query)));
      }
    } catch (Exception e) {
      if (!server.wasCutShort(e)) {
        capture.stats().internalFailure(e);
      }
    }
  }

  private void told(AnalyzedSql sql, int executions, @Nullable List<@Nullable String> row) {
    String bytes = row == null ? null : row.get(0);
    if (bytes != null && Long.parseLong(bytes) * executions <= FEW_BYTES) {
      capture.writesFew(sql);
    }
  }
}

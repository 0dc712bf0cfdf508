package io.isotail.ingest.capture;

import io.isotail.ingest.sql.AnalyzedSql;
import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server how large a table is, before the first execution of a write whose text does not
 * say how many rows it finds: what a write of a small table returns can be held.
 *
 * <p>Costs one exchange for each such text that the process executes. It is not asked while
 * somebody has locked the table so that the answer would wait. Guarded by the session's lock.
 */
final class SizeQuestion {
  /**
   * Of all executions that are sent at once. A row takes 32 bytes and more, and as many as are in
   * here take some ten megabytes of a driver's memory; most of them are of tables with fewer.
   */
  private static final long SMALL_BYTES = 4_000_000;

  private final Capture capture;
  private final Server server;
  private boolean refusedInside;

  SizeQuestion(Capture capture, Server server) {
    this.capture = capture;
    this.server = server;
  }

  /**
   * Whether the table of a statement is small, if nothing else is known of what it returns.
   *
   * @param executions how many of the statement are sent at once
   * @param inside whether a transaction is under way
   */
  boolean isSmall(AnalyzedSql sql, int executions, boolean inside) {
    ObservedTable table = capture.writesUnknownShareOf(sql);
    String query = table == null ? null : server.dialect().sizeQuery(table);
    if (query == null || server.limitsAnswers() || (inside && refusedInside)) {
      return false;
    }
    boolean[] small = new boolean[1];
    try {
      if (inside) {
        refusedInside = true;
        small[0] = isSmall(executions, server.firstRow(query));
        refusedInside = false;
      } else {
        server.outsideOfTransactions(() -> small[0] = isSmall(executions, server.firstRow(query)));
      }
    } catch (Exception e) {
      if (!server.wasCutShort(e)) {
        capture.stats().internalFailure(e);
      }
    }
    return small[0];
  }

  private static boolean isSmall(int executions, @Nullable List<@Nullable String> row) {
    String bytes = row == null ? null : row.get(0);
    return bytes != null && Long.parseLong(bytes) * executions <= SMALL_BYTES;
  }
}

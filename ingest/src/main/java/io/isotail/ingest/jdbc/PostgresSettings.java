package io.isotail.ingest.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Settings of PostgreSQL's driver on which depends how it sends batches and asks for keys.
 *
 * @param known whether they could be read; else nothing is to be concluded from them
 * @param mergesInserts whether it makes one statement of several INSERTs of a batch
 * @param quotesNames whether it quotes the names of columns that keys are asked by
 * @param simple whether it sends each element of a batch as a query, and so a transaction, of its
 *     own
 * @param fetches whether it can take the answer of any statement in portions
 */
record PostgresSettings(
    boolean known, boolean mergesInserts, boolean quotesNames, boolean simple, boolean fetches) {

  /** Reads them through reflection, because the application may not have this driver. */
  static PostgresSettings of(Connection real) {
    try {
      ClassLoader loader = real.getClass().getClassLoader();
      Class<?> type = Class.forName("org.postgresql.core.BaseConnection", false, loader);
      Class<?> executor = Class.forName("org.postgresql.core.QueryExecutor", false, loader);
      Object of = type.getMethod("getQueryExecutor").invoke(real.unwrap(type));
      Object merges = executor.getMethod("isReWriteBatchedInsertsEnabled").invoke(of);
      Object quotes = executor.getMethod("getQuoteReturningIdentifiers").invoke(of);
      String mode = String.valueOf(executor.getMethod("getPreferQueryMode").invoke(of));
      return new PostgresSettings(
          true,
          isTrue(merges),
          isTrue(quotes),
          mode.equals("SIMPLE"),
          mode.equals("EXTENDED") || mode.equals("EXTENDED_CACHE_EVERYTHING"));
    } catch (ReflectiveOperationException | SQLException | LinkageError | ClassCastException e) {
      return new PostgresSettings(false, false, false, false, false);
    }
  }

  private static boolean isTrue(@Nullable Object value) {
    return Boolean.TRUE.equals(value);
  }
}

package io.isotail.ingest.capture;

import io.isotail.ingest.sql.ObservedTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What whoever follows PostgreSQL's log asks its catalog. */
public final class PostgresCatalog {
  private static final Dialect DIALECT = Dialects.of(PostgresDialect.DATABASE);

  private PostgresCatalog() {}

  /**
   * One query for the tables that the driver observes, on any search path. {@link #table} reads its
   * rows.
   */
  public static String tables() {
    return String.valueOf(DIALECT.tablesQuery());
  }

  /** The table of a row of {@link #tables}, as it is observed; null if its key has no identity. */
  public static @Nullable ObservedTable table(List<@Nullable String> row) {
    TableFacts facts = TableFacts.of(row);
    return facts.key().isEmpty() ? null : facts.observed();
  }
}

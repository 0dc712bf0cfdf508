package io.isotail.ingest.capture;

import java.util.List;

/** The dialects, by the databases that they are of. */
public final class Dialects {
  private static final List<Dialect> KNOWN =
      List.of(new PostgresDialect(), new MysqlDialect("mysql"), new MariaDbDialect());

  private Dialects() {}

  /**
   * The dialect of a kind of database.
   *
   * @param database as URLs name it: {@code postgresql}
   */
  public static Dialect of(String database) {
    return KNOWN.stream()
        .filter(dialect -> dialect.database().equals(database))
        .findFirst()
        .orElseGet(() -> new AnsiDialect(database));
  }

  /**
   * The dialect of a database that tells its name, whichever driver or wrapper the URL names.
   *
   * @param product as {@link java.sql.DatabaseMetaData} names it: {@code PostgreSQL}
   * @param database as the URL names it
   */
  public static Dialect ofProduct(String product, String database) {
    return of(
        KNOWN.stream()
            .map(Dialect::database)
            .filter(product::equalsIgnoreCase)
            .findFirst()
            .orElse(database));
  }
}

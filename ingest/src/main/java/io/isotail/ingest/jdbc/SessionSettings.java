package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.TransactionControl;
import io.isotail.ingest.sql.Uninterpreted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a session that decide what its statements mean: the isolation level of the next
 * transaction, and which schema unqualified names are found in. Guarded by the session's lock.
 */
final class SessionSettings {
  private static final long DOUBT_INTERVAL_NS = 5_000_000_000L;

  private final Capture capture;
  private final Connection real;
  private final String database;
  private final TransactionProbe probe;

  private final boolean postgres;
  private @Nullable String isolation;
  private boolean isolationStale = true;
  private boolean isolationChangedInside;
  private boolean schemaStale;
  private boolean schemaChangedInside;

  /** Observed tables that their unqualified names mean; null when all do. */
  private @Nullable Set<ObservedTable> clear;

  private long nextDoubtNs;
  private boolean doubted;

  SessionSettings(Capture capture, Connection real, String database, TransactionProbe probe) {
    this.postgres = database.equals("postgresql");
    this.schemaStale = postgres;
    this.nextDoubtNs = System.nanoTime();
    this.capture = capture;
    this.real = real;
    this.database = database;
    this.probe = probe;
  }

  /** Level that the next transaction will run at, null when unknown. */
  @Nullable String isolation() {
    return isolation;
  }

  /**
   * Asks the server for what is not known, if the connection is idle. All questions are answered
   * outside of the application's transactions, so that none begins and no snapshot is taken.
   */
  void refresh(boolean autoCommit) {
    boolean idle = probe.state() == TransactionProbe.State.IDLE;
    if (!idle && !(autoCommit && probe.state() == TransactionProbe.State.UNKNOWN)) {
      return;
    }
    long now = System.nanoTime();
    try {
      if ((isolationStale || schemaStale) && !(doubted && now - nextDoubtNs < 0)) {
        if (doubted) {
          nextDoubtNs = now + DOUBT_INTERVAL_NS;
        }
        doubted = false;
        ask(autoCommit);
      }
      if (capture.catalog().needsRefresh(now)) {
        refreshCatalog(autoCommit, now);
      }
    } catch (SQLException e) {
      // The connection may be broken: the application will see it in its own statement.
      capture.stats().internalFailure(e);
    }
  }

  private void ask(boolean autoCommit) throws SQLException {
    isolationStale = false;
    isolation = null;
    if (!postgres) {
      isolation = Isolation.of(database, real.getTransactionIsolation());
      return;
    }
    schemaStale = false;
    clear = Set.of();
    outsideOfTransactions(autoCommit, this::askPostgres);
  }

  private interface Question {
    void ask() throws SQLException;
  }

  private void outsideOfTransactions(boolean autoCommit, Question question) throws SQLException {
    if (autoCommit) {
      question.ask();
      return;
    }
    real.setAutoCommit(true);
    try {
      question.ask();
    } finally {
      real.setAutoCommit(false);
    }
  }

  /** One question for the level and for the schemas in which the tables' names are found. */
  private void askPostgres() throws SQLException {
    List<ObservedTable> tables = capture.config().tables().all();
    StringBuilder sql =
        new StringBuilder("SELECT current_setting('transaction_isolation'), current_schema()");
    for (ObservedTable table : tables) {
      String name = "\"" + table.name().replace("\"", "\"\"") + "\"";
      sql.append(", (SELECT n.nspname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n")
          .append(" ON n.oid = c.relnamespace WHERE c.oid = to_regclass('")
          .append(name.replace("'", "''"))
          .append("'))");
    }
    try (Statement statement = real.createStatement();
        ResultSet row = statement.executeQuery(sql.toString())) {
      if (!row.next()) {
        return;
      }
      isolation = Isolation.of(database, row.getString(1));
      Set<ObservedTable> found = new HashSet<>();
      for (int i = 0; i < tables.size(); i++) {
        String schema = row.getString(i + 3);
        if (isIn(tables.get(i), schema == null ? row.getString(2) : schema)) {
          found.add(tables.get(i));
        }
      }
      clear = found;
    }
  }

  private void refreshCatalog(boolean autoCommit, long nowNs) throws SQLException {
    outsideOfTransactions(autoCommit, () -> capture.catalog().refresh(real, nowNs));
  }

  void isolation(int jdbcLevel) {
    isolation = Isolation.of(database, jdbcLevel);
    isolationStale = false;
  }

  /** Applies the level that BEGIN or SET TRANSACTION names to the transaction under way. */
  void level(TransactionCapture tx, TransactionControl control) {
    String name = control.isolation();
    if (name != null && !tx.single()) {
      tx.ranAt(Isolation.of(database, name));
    }
  }

  /** A statement changed the session's settings. */
  void changed(TransactionControl control) {
    switch (control.kind()) {
      case SET_SEARCH_PATH -> schemaUnclear();
      case SET_SESSION -> {
        String name = control.isolation();
        if (name != null) {
          isolation = Isolation.of(database, name);
          isolationStale = false;
          isolationChangedInside = true;
        }
      }
      default -> {
        isolation = null;
        isolationStale = true;
        schemaUnclear();
      }
    }
  }

  /**
   * A statement may have changed any setting unseen. The server is asked again when the connection
   * is idle, but not every time: an application may run such statements in every transaction.
   */
  void doubt() {
    isolation = null;
    isolationStale = true;
    schemaUnclear();
  }

  private void schemaUnclear() {
    doubted = true;
    clear = Set.of();
    schemaStale = postgres;
  }

  /** A transaction of several statements ended; a rollback takes changed settings back. */
  void transactionEnded(boolean committed) {
    if (isolationChangedInside) {
      isolationChangedInside = false;
      isolationStale = true;
      isolation = null;
    }
    if (!committed) {
      rolledBack();
    }
    schemaChangedInside = false;
  }

  /** The transaction, or a part of it, was rolled back: a schema set in it may be no more. */
  void rolledBack() {
    if (schemaChangedInside) {
      schemaUnclear();
    }
  }

  /** The application set the schema through the driver. */
  void schema(@Nullable String name, boolean inTransaction) {
    Set<ObservedTable> found = new HashSet<>();
    for (ObservedTable table : capture.config().tables().all()) {
      if (isIn(table, name)) {
        found.add(table);
      }
    }
    clear = found;
    schemaStale = false;
    schemaChangedInside = inTransaction;
  }

  /** What a statement does in this session, more cautious when its schema is not clear. */
  Analysis effective(Analysis analysis) {
    ObservedTable table = null;
    if (analysis instanceof Analysis.Select select) {
      return isClear(select.table()) ? analysis : new Analysis.Unread(Uninterpreted.SCHEMA_UNCLEAR);
    } else if (analysis instanceof Analysis.Update update) {
      table = update.table();
    } else if (analysis instanceof Analysis.Insert insert) {
      table = insert.table();
    } else if (analysis instanceof Analysis.Delete delete) {
      table = delete.table();
    }
    return table == null || isClear(table)
        ? analysis
        : new Analysis.Opaque(List.of(table), Uninterpreted.SCHEMA_UNCLEAR);
  }

  private boolean isClear(ObservedTable table) {
    Set<ObservedTable> known = clear;
    return known == null || known.contains(table);
  }

  private static boolean isIn(ObservedTable table, @Nullable String schema) {
    String tableSchema = table.schema() == null ? "public" : table.schema();
    return tableSchema.equals(schema);
  }
}

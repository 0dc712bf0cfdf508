package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.TransactionControl;
import io.isotail.ingest.sql.Uninterpreted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a session that decide what its statements mean: the isolation level of the next
 * transaction, and which tables unqualified names are. Guarded by the session's lock.
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
  private final UnqualifiedNames names;
  private long nextDoubtNs;
  private boolean doubted;

  SessionSettings(Capture capture, Connection real, String database, TransactionProbe probe) {
    this.postgres = database.equals("postgresql");
    this.names = new UnqualifiedNames(capture, postgres);
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
    doubted |= names.noticeMoves();
    try {
      if ((isolationStale || names.stale()) && !(doubted && now - nextDoubtNs < 0)) {
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
    names.asking();
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

  /** One question for the level and for what the tables' names mean. */
  private void askPostgres() throws SQLException {
    String sql = "SELECT pg_catalog.current_setting('transaction_isolation')" + names.questions();
    try (Statement statement = real.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      if (row.next()) {
        isolation = Isolation.of(database, row.getString(1));
        names.answered(row, 2);
      }
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
      case SET_SEARCH_PATH -> doubted |= names.pathUnclear();
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
        doubted |= names.pathUnclear();
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
    names.allUnclear();
    doubted = true;
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
    names.kept();
  }

  /** The transaction, or a part of it, was rolled back: a schema set in it may be no more. */
  void rolledBack() {
    doubted |= names.rolledBack();
  }

  /** The application set the schema through the driver. */
  void schema(@Nullable String name, boolean inTransaction) {
    doubted |= names.pathIs(name, inTransaction);
  }

  /** What a statement does in this session: more cautiously when a name in it is not clear. */
  Analysis effective(Analysis analysis) {
    if (!(analysis instanceof Analysis.OneTable one) || one.qualified()) {
      return analysis;
    }
    doubted |= names.noticeMoves();
    if (names.mean(one.table())) {
      return analysis;
    }
    doubted |= names.missed(one.table());
    return one.mayWrite()
        ? new Analysis.Opaque(List.of(one.table()), Uninterpreted.SCHEMA_UNCLEAR)
        : new Analysis.Unread(Uninterpreted.SCHEMA_UNCLEAR);
  }
}

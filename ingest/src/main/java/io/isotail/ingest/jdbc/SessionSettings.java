package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.Analysis;
import io.isotail.ingest.sql.ObservedTable;
import io.isotail.ingest.sql.TransactionControl;
import io.isotail.ingest.sql.Uninterpreted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a session that decide what its statements mean: the isolation level of the next
 * transaction, and which schema unqualified names are found in. Guarded by the session's lock.
 */
final class SessionSettings {
  private final Capture capture;
  private final Connection real;
  private final String database;
  private final TransactionProbe probe;

  private @Nullable String isolation;
  private boolean isolationStale = true;
  private boolean isolationChangedInside;
  private boolean schemaChanged;
  private @Nullable String schema;

  SessionSettings(Capture capture, Connection real, String database, TransactionProbe probe) {
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
   * Asks the server for what is not known, if the connection is idle. Both questions are answered
   * outside of any transaction, so that none begins and no snapshot is taken.
   */
  void refresh(boolean autoCommit) {
    boolean idle = probe.state() == TransactionProbe.State.IDLE;
    if (!idle && !(autoCommit && probe.state() == TransactionProbe.State.UNKNOWN)) {
      return;
    }
    try {
      if (isolationStale) {
        isolationStale = false;
        isolation = null;
        isolation = Isolation.of(database, real.getTransactionIsolation());
      }
      long now = System.nanoTime();
      if (capture.catalog().needsRefresh(now)) {
        refreshCatalog(autoCommit, now);
      }
    } catch (SQLException e) {
      // The connection may be broken: the application will see it in its own statement.
      capture.stats().internalFailure(e);
    }
  }

  private void refreshCatalog(boolean autoCommit, long nowNs) throws SQLException {
    if (autoCommit) {
      capture.catalog().refresh(real, nowNs);
      return;
    }
    real.setAutoCommit(true);
    try {
      capture.catalog().refresh(real, nowNs);
    } finally {
      real.setAutoCommit(false);
    }
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
      case SET_SEARCH_PATH -> {
        schemaChanged = true;
        schema = null;
      }
      case SET_SESSION -> {
        String name = control.isolation();
        if (name != null) {
          isolation = Isolation.of(database, name);
          isolationStale = false;
          isolationChangedInside = true;
        }
      }
      default -> isolationStale = true;
    }
  }

  /** A transaction of several statements ended; a rollback takes a changed level back. */
  void transactionEnded() {
    if (isolationChangedInside) {
      isolationChangedInside = false;
      isolationStale = true;
    }
  }

  void schema(@Nullable String name) {
    schemaChanged = true;
    schema = name;
  }

  /** What a statement does in this session, more cautious when its schema is not clear. */
  Analysis effective(Analysis analysis) {
    if (!schemaChanged) {
      return analysis;
    }
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
    String tableSchema = table.schema() == null ? "public" : table.schema();
    return tableSchema.equals(schema);
  }
}

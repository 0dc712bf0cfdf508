package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.DatabaseCopy;
import io.isotail.ingest.capture.Dialect;
import io.isotail.ingest.capture.PostgresColumns;
import io.isotail.ingest.capture.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The database behind a connection of the real driver. */
final class JdbcServer implements Server {
  private final Dialect dialect;
  private final Connection real;
  private final @Nullable String url;
  private final TransactionProbe probe;
  private final JdbcCatalog catalog;
  private final boolean limitsAnswers;
  private final Properties properties;

  private int majorVersion = -1;

  /** What was asked for once while questions are asked; null before. */
  private @Nullable PostgresColumns columns;

  /**
   * The database behind a connection.
   *
   * @param url of the real driver
   * @param properties given to the real driver beside the URL
   */
  JdbcServer(Connection real, @Nullable String url, Properties properties) {
    this.limitsAnswers = DatabaseUrl.limitsAnswers(url, properties);
    this.properties = properties;
    this.dialect = JdbcDialects.of(real, url);
    this.real = real;
    this.url = url;
    this.probe = TransactionProbe.of(real);
    this.catalog = new JdbcCatalog(real);
  }

  /**
   * Host and port as the URL has them, or those that it is connected to where the URL has several;
   * null when unknown.
   */
  @Nullable String host() {
    String hosts = DatabaseUrl.host(url);
    String host = hosts != null && hosts.indexOf(',') >= 0 ? probe.host() : null;
    return host == null ? hosts : host;
  }

  @Override
  public TransactionState state() {
    return probe.state();
  }

  @Override
  public int backendPid() {
    return probe.backendPid();
  }

  @Override
  public int majorVersion() {
    if (majorVersion < 0) {
      try {
        majorVersion = real.getMetaData().getDatabaseMajorVersion();
      } catch (SQLException e) {
        majorVersion = 0;
      }
    }
    return majorVersion;
  }

  @Override
  public String names() {
    if (dialect.tablesQuery() == null) {
      return ""; // All tables are declared, and other drivers ask the server for the role.
    }
    String names = DatabaseUrl.names(url, properties);
    try {
      return names + "\n" + real.getMetaData().getUserName();
    } catch (SQLException e) {
      return names;
    }
  }

  @Override
  public DatabaseCopy copy() {
    return probe.copy();
  }

  @Override
  public @Nullable String applicationName() {
    return probe.applicationName();
  }

  @Override
  public boolean setsSavepoints() {
    return probe.setsSavepoints();
  }

  @Override
  public boolean limitsAnswers() {
    return limitsAnswers;
  }

  @Override
  public void outsideOfTransactions(Questions questions) throws Exception {
    if (real.getAutoCommit() || dialect.questionsBeginNone()) {
      try {
        questions.ask();
      } finally {
        columns = null;
      }
    } else if (state() != TransactionState.UNKNOWN) {
      inAutoCommit(questions);
    }
    // Else it was switched off by SQL: a transaction may be under way, which to switch it would
    // end.
  }

  /** Asks in autocommit, switched for that; no transaction is under way. */
  private void inAutoCommit(Questions questions) throws Exception {
    boolean restored = false;
    try {
      real.setAutoCommit(true);
      questions.ask();
    } finally {
      columns = null;
      try {
        real.setAutoCommit(false);
        restored = true;
      } finally {
        if (!restored) {
          // The application must not go on in a mode that it did not choose.
          real.abort(Runnable::run);
        }
      }
    }
  }

  @Override
  public @Nullable String isolation() throws SQLException {
    return JdbcIsolation.sqlName(real.getTransactionIsolation());
  }

  @Override
  public @Nullable List<@Nullable String> firstRow(String query) throws SQLException {
    List<List<@Nullable String>> rows = rows(query);
    return rows.isEmpty() ? null : rows.get(0);
  }

  @Override
  public List<List<@Nullable String>> rows(String query) throws SQLException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (Statement statement = real.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        List<@Nullable String> values = new ArrayList<>(columns);
        for (int i = 1; i <= columns; i++) {
          values.add(row.getString(i));
        }
        rows.add(values);
      }
    }
    return rows;
  }

  @Override
  public boolean wasCutShort(Exception failure) {
    return failure instanceof SQLException e && Server.isCutShort(e.getSQLState());
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public List<Column> columns(@Nullable String schema, String table) throws Exception {
    if (dialect.columnsQuery() == null) {
      return catalog.columns(schema, table);
    }
    PostgresColumns all = columns;
    if (all == null) {
      all = PostgresColumns.of(this);
      columns = all;
    }
    return all.columns(schema, table);
  }

  @Override
  public @Nullable String currentSchema() throws SQLException {
    return catalog.currentSchema();
  }
}

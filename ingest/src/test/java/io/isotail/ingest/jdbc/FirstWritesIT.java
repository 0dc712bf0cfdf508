package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.emit.TransactionSink;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.fastpath.FastpathArg;

/** The first writes of a process whose stream has not begun. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FirstWritesIT extends DatabaseScenario {
  private static final int PATIENCE_S = 20;
  private static final String UPDATE = "UPDATE reg SET v = v + 1 WHERE k = 1";
  private static final String CANCELLED = "57014";

  private final Gate gate = new Gate();

  /** A stream that begins when a test says so. */
  private static final class Gate implements SinkFactory.OpenSink {
    private final RecordingSink sink = new RecordingSink();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch awaited = new CountDownLatch(1);

    @Override
    public TransactionSink sink() {
      return sink;
    }

    @Override
    public String proxyId() {
      return "proxy";
    }

    @Override
    public boolean hasBegun() {
      return begun.getCount() == 0;
    }

    @Override
    public void awaitStart(long timeoutNs) throws InterruptedException {
      awaited.countDown();
      begun.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
      sink.checkContract();
    }
  }

  @BeforeEach
  void makeProcedure() throws SQLException {
    direct("CREATE OR REPLACE PROCEDURE add() LANGUAGE sql AS '" + UPDATE + "'");
  }

  @AfterEach
  void endStreams() {
    gate.begun.countDown();
    IsotailDriver.shutDown();
  }

  private Connection connect() throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("isotail.history", UUID.randomUUID().toString());
    settings.setProperty("isotail.kafka", "gate:" + UUID.randomUUID());
    settings.setProperty("isotail.start-wait-ms", "60000");
    IsotailDataSource source = new IsotailDataSource(null, (config, ids) -> gate);
    source.setUrl(database.jdbcUrl());
    source.setProperties(settings);
    return source.getConnection();
  }

  /** The rows as everybody sees them, and who wrote them. */
  private static String rows() throws SQLException {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement();
        ResultSet row =
            s.executeQuery(
                "SELECT string_agg(t, ' ' ORDER BY t) FROM (SELECT format('r%s=%s/%s', k, v, xmin)"
                    + " AS t FROM reg UNION ALL SELECT format('i%s=%s', k, v) FROM ids) AS all_rows")) {
      row.next();
      return row.getString(1);
    }
  }

  @SuppressWarnings("deprecation")
  private static void callByNumber(Connection c) throws SQLException {
    org.postgresql.fastpath.Fastpath calls = c.unwrap(PGConnection.class).getFastpathAPI();
    try (Connection direct = DriverManager.getConnection(database.jdbcUrl());
        Statement s = direct.createStatement();
        ResultSet number = s.executeQuery("SELECT 'touch'::regproc::int")) {
      number.next();
      calls.addFunction("touch", number.getInt(1));
    }
    calls.getInteger("touch", new FastpathArg[0]);
  }

  /** A way to make a write visible. */
  private enum Way {
    STATEMENT(c -> run(c, UPDATE)),
    PREPARED(
        c -> {
          try (PreparedStatement s = c.prepareStatement("UPDATE reg SET v = ? WHERE k = 1")) {
            s.setLong(1, 77);
            s.executeUpdate();
          }
        }),
    GENERATED_KEYS(
        c -> {
          try (PreparedStatement s =
              c.prepareStatement(
                  "INSERT INTO ids (v) VALUES (8)", Statement.RETURN_GENERATED_KEYS)) {
            s.executeUpdate();
            s.getGeneratedKeys().next();
          }
        }),
    BATCH(
        c -> {
          try (Statement s = c.createStatement()) {
            s.addBatch("SET application_name = 'batch'");
            s.addBatch(UPDATE);
            s.executeBatch();
          }
        }),
    PREPARED_BATCH(
        c -> {
          try (PreparedStatement s = c.prepareStatement("UPDATE reg SET v = ? WHERE k = ?")) {
            for (int k = 1; k <= 2; k++) {
              s.setLong(1, 77);
              s.setLong(2, k);
              s.addBatch();
            }
            s.executeBatch();
          }
        }),
    BATCH_WITH_COMMIT(
        c -> {
          try (Statement s = c.createStatement()) {
            s.addBatch("BEGIN");
            s.addBatch(UPDATE);
            s.addBatch("COMMIT");
            s.executeBatch();
          }
        }),
    FUNCTION(c -> run(c, "SELECT touch()")),
    PROCEDURE(c -> run(c, "CALL add()")),
    BLOCK(c -> run(c, "DO 'BEGIN " + UPDATE + "; END'")),
    COMMON_TABLE_EXPRESSION(
        c -> run(c, "WITH t AS (" + UPDATE + " RETURNING k) SELECT count(*) FROM t")),
    COPY(
        c ->
            c.unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY ids (v) FROM STDIN", new StringReader("9\n"))),
    FAST_PATH(FirstWritesIT::callByNumber),
    ROW_IN_PLACE(
        c -> {
          try (Statement s =
                  c.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
              ResultSet row = s.executeQuery("SELECT k, v FROM reg WHERE k = 1")) {
            row.next();
            row.updateLong(2, 77);
            row.updateRow();
          }
        }),
    SEVERAL(c -> run(c, UPDATE + ";" + UPDATE)),
    SEVERAL_WITH_COMMIT(c -> run(c, "BEGIN; " + UPDATE + "; COMMIT")),
    COMMIT(
        c -> {
          c.setAutoCommit(false);
          run(c, UPDATE);
          c.commit();
        }),
    COMMIT_BY_SQL(
        c -> {
          run(c, "BEGIN");
          run(c, UPDATE);
          run(c, "COMMIT");
        }),
    AUTO_COMMIT(
        c -> {
          c.setAutoCommit(false);
          run(c, UPDATE);
          c.setAutoCommit(true);
        });

    /** What an application does. */
    interface Work {
      void run(Connection connection) throws Exception;
    }

    private final Work work;

    Way(Work work) {
      this.work = work;
    }

    void run(Connection connection) {
      try {
        work.run(connection);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private static void run(Connection connection, String sql) throws SQLException {
      DatabaseScenario.run(connection, sql);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatMakesAWriteVisibleWaits(Way way) throws Exception {
    String before = rows();
    try (Connection c = connect()) {
      run(c, "SELECT v FROM reg WHERE k = 1");
      CompletableFuture<Void> done = CompletableFuture.runAsync(() -> way.run(c));
      assertThat(gate.awaited.await(PATIENCE_S, TimeUnit.SECONDS)).as("it waits").isTrue();
      assertThat(done).isNotDone();
      assertThat(rows()).isEqualTo(before);
      gate.begun.countDown();
      done.get(PATIENCE_S, TimeUnit.SECONDS);
    }
    assertThat(rows()).isNotEqualTo(before);
  }

  @Test
  void whatMakesNoWriteVisibleDoesNotWait() throws Exception {
    try (Connection c = connect()) {
      run(c, "SELECT v FROM reg WHERE k = 1");
      run(c, "BEGIN");
      run(c, "SELECT v FROM reg WHERE k = 1");
      run(c, "COMMIT");
      c.setAutoCommit(false);
      run(c, "SELECT v FROM reg WHERE k = 1 FOR UPDATE");
      c.commit();
      run(c, UPDATE);
      run(c, "SELECT touch()");
      try (Statement s = c.createStatement()) {
        s.addBatch(UPDATE);
        s.executeBatch();
      }
      c.rollback();
      c.setAutoCommit(true);
    }
    assertThat(gate.awaited.getCount()).as("nothing has waited").isOne();
  }

  @ParameterizedTest
  @EnumSource(names = {"STATEMENT", "PREPARED_BATCH", "COMMIT", "COMMIT_BY_SQL", "AUTO_COMMIT"})
  void anotherThreadMayCloseTheConnectionMeanwhile(Way way) throws Exception {
    assertEnds(way, Connection::close);
  }

  @ParameterizedTest
  @EnumSource(names = {"STATEMENT", "PREPARED_BATCH", "COMMIT", "COMMIT_BY_SQL", "AUTO_COMMIT"})
  void anotherThreadMayAbortTheConnectionMeanwhile(Way way) throws Exception {
    assertEnds(way, c -> c.abort(Runnable::run));
  }

  private void assertEnds(Way way, Way.Work end) throws Exception {
    String before = rows();
    try (Connection c = connect()) {
      CompletableFuture<Void> done = CompletableFuture.runAsync(() -> way.run(c));
      assertThat(gate.awaited.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(
              () -> {
                try {
                  end.run(c);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      ended.get(PATIENCE_S, TimeUnit.SECONDS);
      assertThat(done).isNotDone();
      gate.begun.countDown();
      assertThatThrownBy(() -> done.get(PATIENCE_S, TimeUnit.SECONDS))
          .hasStackTraceContaining("SQLException");
    }
    assertThat(rows()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStatementThatIsCancelledMeanwhileIsNotSent(boolean batch) throws Exception {
    String before = rows();
    try (Connection c = connect();
        Statement s = c.createStatement()) {
      CompletableFuture<String> state = CompletableFuture.supplyAsync(() -> stateOf(s, batch));
      assertThat(gate.awaited.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      CompletableFuture.runAsync(() -> cancel(s)).get(PATIENCE_S, TimeUnit.SECONDS);
      gate.begun.countDown();
      assertThat(state.get(PATIENCE_S, TimeUnit.SECONDS)).isEqualTo(CANCELLED);
      assertThat(rows()).isEqualTo(before);
      s.executeUpdate(UPDATE);
    }
    assertThat(gate.sink.described()).hasSize(2).last().asString().startsWith("committed:");
  }

  private static String stateOf(Statement s, boolean batch) {
    try {
      if (batch) {
        s.addBatch(UPDATE);
        s.executeBatch();
      } else {
        s.executeUpdate(UPDATE);
      }
      return "not cancelled";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static void cancel(Statement s) {
    try {
      s.cancel();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.Await;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/**
 * What follows a call of somebody's own function in its transaction: the function may have changed
 * what names mean, and the server tells whether it has.
 */
@ParameterizedClass
@EnumSource(UnknownFunctionsIT.Carrier.class)
final class UnknownFunctionsIT {
  /** What carries the statements. */
  enum Carrier {
    DRIVER,
    PROXY
  }

  private static final String READ_AND_WRITTEN = "committed: opaque\\(\\*\\) r1=\\d+ w1=\\d+";
  private static final String NOT_ASKED = "committed: opaque\\(\\*\\) opaque\\(\\*\\) wnull=\\d+";

  @Parameter Carrier carrier;
  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper driver;
  private Capture capture;
  private ProxyServer proxy;
  private boolean refused;

  @BeforeEach
  void start() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS fn CASCADE",
        "DROP SCHEMA IF EXISTS fn_other CASCADE",
        "CREATE SCHEMA fn",
        "CREATE SCHEMA fn_other",
        "CREATE TABLE fn.item (id int PRIMARY KEY, v int)",
        "INSERT INTO fn.item VALUES (1, 10)",
        "CREATE TABLE fn_other.item (other text)",
        "INSERT INTO fn_other.item VALUES ('o')",
        "CREATE FUNCTION fn.one(x int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN x; END'",
        "CREATE FUNCTION fn.hides() RETURNS int LANGUAGE plpgsql AS"
            + " 'BEGIN CREATE TEMP TABLE item (other text); RETURN 1; END'",
        "CREATE FUNCTION fn.turns(local boolean) RETURNS text LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN set_config(''search_path'', ''fn_other'', local); END'",
        "CREATE FUNCTION fn.level() RETURNS text LANGUAGE plpgsql AS"
            + " 'BEGIN SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; RETURN 1; END'",
        "CREATE PROCEDURE fn.levels() LANGUAGE plpgsql AS"
            + " 'BEGIN SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; END'");
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    if (carrier == Carrier.DRIVER) {
      driver = IsotailDriver.wrapper(config, sink, "driver");
    } else {
      capture = new Capture(config, sink, "proxy");
      Address server = new Address("127.0.0.1", DatabaseScenario.database.port());
      proxy =
          ProxyServer.start(
              ProxyConfig.of(new Address("127.0.0.1", 0), server),
              CapturedConversations.of(capture));
    }
  }

  @AfterEach
  void stop() throws Exception {
    if (proxy != null) {
      Await.until("no connection is left", () -> proxy.stats().open() == 0);
      proxy.close();
    }
    CaptureStats stats = driver == null ? capture.stats() : driver.stats();
    assertThat(stats.of(CaptureStats.Event.INTERNAL_FAILURE)).isEqualTo(refused ? 1 : 0);
    DatabaseScenario.direct("DROP SCHEMA fn, fn_other CASCADE");
  }

  private Connection open() throws SQLException {
    String url = DatabaseScenario.database.jdbcUrl() + "&currentSchema=fn";
    Connection connection =
        proxy == null
            ? driver.wrap(DriverManager.getConnection(url))
            : DriverManager.getConnection(
                url.replace(":" + DatabaseScenario.database.port(), ":" + proxy.port()));
    connection.setAutoCommit(false);
    return connection;
  }

  private static void run(Connection c, String sql) throws SQLException {
    DatabaseScenario.run(c, sql);
  }

  private static void readAndWrite(Connection c) throws SQLException {
    run(c, "SELECT v FROM item WHERE id = 1");
    run(c, "UPDATE item SET v = v + 1 WHERE id = 1");
  }

  /** What the sessions of a block have recorded, but for what has done nothing. */
  private List<String> recorded(Session session) throws SQLException {
    sink.clear();
    try (Connection c = open()) {
      session.run(c);
    }
    if (proxy != null) {
      Await.until("no connection is left", () -> proxy.stats().open() == 0);
    }
    return sink.described();
  }

  private interface Session {
    void run(Connection c) throws SQLException;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT one(1)",
        "SELECT * FROM one(1) AS x",
        "SELECT set_config('work_mem', '4MB', true)",
      })
  void a_table_is_read_after_it(String call) throws Exception {
    List<String> recorded =
        recorded(
            c -> {
              run(c, call);
              readAndWrite(c);
              c.commit();
            });
    assertThat(recorded).singleElement().asString().matches(".* r1=\\d+ w1=\\d+");
  }

  @Test
  void a_table_is_read_by_statements_that_were_prepared_before() throws Exception {
    List<String> recorded =
        recorded(
            c -> {
              try (PreparedStatement call = c.prepareStatement("SELECT one(?)");
                  PreparedStatement read = c.prepareStatement("SELECT v FROM item WHERE id = ?");
                  PreparedStatement write =
                      c.prepareStatement("UPDATE item SET v = ? WHERE id = ?")) {
                for (int i = 0; i < 500 && seen() < 5; i++) {
                  call.setInt(1, i);
                  call.executeQuery().close();
                  read.setInt(1, 1);
                  try (ResultSet rows = read.executeQuery()) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getMetaData().getColumnCount()).isOne();
                  }
                  write.setInt(1, i);
                  write.setInt(2, 1);
                  assertThat(write.executeUpdate()).isOne();
                  c.commit();
                }
              }
            });
    assertThat(recorded).allMatch(tx -> tx.matches(READ_AND_WRITTEN + "|" + NOT_ASKED));
    assertThat(seen()).isGreaterThanOrEqualTo(5);
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsOnly("postgresql:read-committed");
  }

  private long seen() {
    return sink.described().stream().filter(tx -> tx.matches(READ_AND_WRITTEN)).count();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT hides()", "SELECT turns(true)", "SELECT turns(false)"})
  void another_table_of_its_name_is_not_taken_for_it(String call) throws Exception {
    List<String> recorded =
        recorded(
            c -> {
              readAndWrite(c);
              c.commit();
              run(c, call);
              run(c, "SELECT other FROM item WHERE other = 'o'");
              run(c, "UPDATE item SET other = 'p'");
              c.rollback();
              pause(c);
              readAndWrite(c);
              c.commit();
              pause(c);
              run(c, call);
              run(c, "SELECT other FROM item WHERE other = 'o'");
              c.commit();
              pause(c);
              run(c, "SELECT v FROM fn.item WHERE id = 1");
              c.commit();
            });
    assertThat(recorded).hasSize(5);
    assertThat(recorded.get(0)).matches("committed: r1=\\d+ w1=\\d+");
    assertThat(recorded.get(1)).matches("aborted: opaque\\(\\*\\)( opaque\\(.*\\))?");
    assertThat(recorded.get(2)).matches("committed: r1=\\d+ w1=\\d+");
    assertThat(recorded.get(3)).matches("committed:( opaque\\(\\*\\) wnull=\\d+)?");
    assertThat(recorded.get(4)).matches("committed: r1=\\d+");
  }

  /** A question would take it sooner than the application does. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET LOCAL search_path = fn",
        "LOCK TABLE fn_other.item IN ACCESS SHARE MODE",
        "SELECT set_config('search_path', 'fn', true)",
      })
  void the_snapshot_is_not_taken_by_a_question(String first) throws Exception {
    recorded(
        c -> {
          c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
          run(c, "SELECT turns(false)");
          run(c, "SET search_path = fn");
          c.commit();
          run(c, first);
          boolean taken = first.startsWith("SELECT");
          DatabaseScenario.direct("UPDATE fn.item SET v = 99 WHERE id = 1");
          try (Statement s = c.createStatement();
              ResultSet rows = s.executeQuery("SELECT v FROM item WHERE id = 1")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(taken ? 10 : 99);
          }
          c.commit();
        });
  }

  @Test
  void a_path_that_is_set_for_the_transaction_is_asked_about_once_it_has_its_snapshot()
      throws Exception {
    List<String> recorded =
        recorded(
            c -> {
              run(c, "SET LOCAL search_path = fn");
              run(c, "SELECT v FROM item WHERE id = 1");
              readAndWrite(c);
              c.commit();
            });
    assertThat(recorded).singleElement().asString().matches("committed: r1=\\d+ w1=\\d+");
  }

  /** A text that is parsed while a function's path holds is executed when another one does. */
  @Test
  void a_statement_that_is_kept_means_another_table_later() throws Exception {
    recorded(
        c -> {
          run(c, "SET search_path = fn_other");
          c.commit();
          c.unwrap(PGConnection.class).setPrepareThreshold(1);
          try (PreparedStatement read = c.prepareStatement("SELECT * FROM item")) {
            run(c, "SELECT set_config('search_path', 'fn', true)");
            read.executeQuery().close();
            read.executeQuery().close();
            c.commit();
            for (int i = 0; i < 3; i++) {
              try (ResultSet rows = read.executeQuery()) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("o");
              } catch (SQLException e) {
                // As without isotail: the driver prepares it anew.
                assertThat(e.getMessage()).contains("cached plan must not change result type");
              }
              c.rollback();
            }
          }
        });
  }

  /** The server refuses what it has answered between transactions: names are clear again later. */
  @Test
  void a_question_that_is_refused_within_a_transaction_is_asked_there_no_more() throws Exception {
    try (Connection blocker = DriverManager.getConnection(DatabaseScenario.database.jdbcUrl())) {
      blocker.setAutoCommit(false);
      List<String> recorded =
          recorded(
              c -> {
                readAndWrite(c);
                c.commit();
                run(c, "SELECT one(1)");
                run(c, "SET LOCAL lock_timeout = 1");
                run(blocker, "LOCK TABLE pg_catalog.pg_class IN ACCESS EXCLUSIVE MODE");
                assertThatThrownBy(() -> run(c, "SELECT v FROM item WHERE id = 1"))
                    .isInstanceOf(SQLException.class);
                blocker.rollback();
                c.rollback();
                pause(c);
                readAndWrite(c);
                c.commit();
                run(c, "SELECT one(1)");
                readAndWrite(c);
                c.commit();
              });
      refused = true;
      assertThat(recorded.get(0)).matches("committed: r1=\\d+ w1=\\d+");
      assertThat(recorded.get(recorded.size() - 2)).matches("committed: r1=\\d+ w1=\\d+");
      assertThat(recorded.get(recorded.size() - 1)).matches(NOT_ASKED);
    }
  }

  /** So that the level at which a transaction began is its level. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT fn.level()",
        "CALL fn.levels()",
        "DO $$ BEGIN SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; END $$",
        "SELECT set_config('transaction_isolation', 'serializable', true)",
      })
  void none_can_change_the_level_of_its_transaction(String call) throws Exception {
    recorded(
        c ->
            assertThatThrownBy(() -> run(c, call))
                .isInstanceOfSatisfying(
                    SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("25001")));
  }

  /** Longer than capture waits between two questions. */
  private static void pause(Connection c) throws SQLException {
    c.setAutoCommit(true);
    run(c, "SELECT pg_sleep(0.1)");
    c.setAutoCommit(false);
  }
}

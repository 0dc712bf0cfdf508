package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sessions of one application that see other tables, or may do other things with them. */
class ViewsIT {
  private final RecordingSink sink = new RecordingSink();
  private ConnectionWrapper wrapper;

  @BeforeAll
  static void startDatabase() throws Exception {
    DatabaseScenario.startDatabase();
  }

  @BeforeEach
  void makeTables() throws Exception {
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS tenant1 CASCADE",
        "DROP SCHEMA IF EXISTS tenant2 CASCADE",
        "CREATE SCHEMA tenant1",
        "CREATE SCHEMA tenant2",
        "CREATE TABLE tenant1.item (k int PRIMARY KEY, v int)",
        "CREATE TABLE tenant2.item (id bigint PRIMARY KEY, k int, v int)",
        "INSERT INTO tenant1.item VALUES (1, 0)",
        "INSERT INTO tenant2.item VALUES (7, 1, 0)",
        "DROP ROLE IF EXISTS only_inserts",
        "CREATE ROLE only_inserts LOGIN",
        "GRANT USAGE ON SCHEMA tenant1 TO only_inserts",
        "GRANT INSERT ON tenant1.item TO only_inserts");
    wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  private Connection tenant(int number) throws SQLException {
    return wrapper.wrap(
        DriverManager.getConnection(
            DatabaseScenario.database.jdbcUrl() + "&currentSchema=tenant" + number));
  }

  private Connection onlyInserts() throws SQLException {
    String url =
        DatabaseScenario.database.jdbcUrl().replaceFirst("user=[^&]*", "user=only_inserts");
    return wrapper.wrap(DriverManager.getConnection(url + "&currentSchema=tenant1"));
  }

  private static void transaction(Connection c, String... statements) throws SQLException {
    c.setAutoCommit(false);
    try (Statement s = c.createStatement()) {
      for (String sql : statements) {
        s.execute(sql);
      }
    }
    c.commit();
  }

  @Test
  void eachTenantsTablesAreObserved() throws SQLException {
    try (Connection one = tenant(1);
        Connection two = tenant(2)) {
      transaction(one, "UPDATE item SET v = 1 WHERE k = 1");
      transaction(two, "UPDATE item SET v = 1 WHERE id = 7");
      transaction(one, "UPDATE item SET v = 2 WHERE k = 1");
    }
    assertThat(sink.described()).hasSize(3);
    assertThat(sink.described().get(0)).contains("w1=");
    assertThat(sink.described().get(1)).contains("w7=");
    assertThat(sink.described().get(2)).contains("w1=");
    assertThat(wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isZero();
  }

  /** As a migration does at the start of an application, where nothing is observed before. */
  @Test
  void aTableIsObservedFromTheStatementAfterItsDefinitionOn() throws SQLException {
    DatabaseScenario.direct("DROP TABLE tenant1.item");
    try (Connection one = tenant(1);
        Connection two = tenant(1);
        Statement s = one.createStatement()) {
      s.execute("CREATE TABLE late (k int PRIMARY KEY, v int)");
      s.execute("INSERT INTO late VALUES (1, 0)");
      transaction(
          one, "CREATE TABLE later (k int PRIMARY KEY, v int)", "INSERT INTO later VALUES (3, 0)");
      transaction(two, "UPDATE late SET v = v + 1 WHERE k = 1");
      transaction(two, "UPDATE later SET v = v + 1 WHERE k = 3");
    }
    assertThat(sink.described()).anyMatch(t -> t.contains("w1=")).last().asString().contains("w3=");
    assertThat(sink.described()).filteredOn(t -> t.contains("w1=")).hasSize(2);
  }

  /** What one role may read another may not: its statements ask for no more than they may. */
  @Test
  void aRoleThatMayNotReadIsNotRefused() throws SQLException {
    String insert = "INSERT INTO item VALUES (%d, 0)";
    try (Connection owner = tenant(1)) {
      transaction(owner, insert.formatted(2));
      try (Connection other = onlyInserts()) {
        transaction(other, insert.formatted(3));
        transaction(other, insert.formatted(4));
      }
      transaction(owner, insert.formatted(5));
    }
    assertThat(wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isZero();
    assertThat(sink.described()).first().asString().contains("w2=");
    assertThat(sink.described()).last().asString().contains("w5=");
  }

  @Test
  void aTableThatOneChangesIsReadAgainByAll() throws SQLException {
    try (Connection one = tenant(1);
        Connection other = onlyInserts();
        Connection two = tenant(2)) {
      transaction(one, "UPDATE item SET v = 1 WHERE k = 1");
      transaction(two, "UPDATE item SET v = 1 WHERE id = 7");
      transaction(other, "INSERT INTO item VALUES (3, 0)");
      transaction(one, "DROP TABLE tenant2.item", "CREATE TABLE tenant2.item (k int PRIMARY KEY)");
      transaction(two, "INSERT INTO item VALUES (9)");
    }
    assertThat(wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isZero();
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  /** An error about a name that isotail has not added says nothing of what it has added. */
  @Test
  void aStatementThatIsWrongByItselfIsNoRefusal() throws SQLException {
    try (Connection one = tenant(1)) {
      for (String wrong :
          List.of(
              "SELECT v, nope FROM item WHERE k = 1",
              "SELECT i.v FROM item i JOIN nowhere n ON n.k = i.k",
              "UPDATE item SET nope = 1 WHERE k = 1")) {
        assertThatThrownBy(() -> transaction(one, wrong)).isInstanceOf(SQLException.class);
        one.rollback();
      }
      transaction(one, "UPDATE item SET v = 1 WHERE k = 1");
    }
    assertThat(wrapper.stats().of(CaptureStats.Event.REWRITING_REFUSED)).isZero();
    assertThat(sink.described()).last().asString().contains("w1=");
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements that take jobs from a queue, as schedulers send them: the rows that come back tell.
 */
class JobQueueIT {
  private static final String FREE =
      "SELECT id FROM jobs WHERE NOT picked ORDER BY id LIMIT 2 FOR UPDATE SKIP LOCKED";

  private final RecordingSink sink = new RecordingSink();

  @BeforeEach
  void fill() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS queue CASCADE",
        "CREATE SCHEMA queue",
        "CREATE TABLE queue.jobs (id int PRIMARY KEY, picked boolean NOT NULL, note text)",
        "INSERT INTO queue.jobs SELECT i, i > 4, 'n' FROM generate_series(1, 5) i");
  }

  static Stream<String> takingTwo() {
    return Stream.of(
        "UPDATE jobs SET picked = true WHERE id IN (" + FREE + ") RETURNING *",
        "UPDATE jobs SET picked = true WHERE id = ANY (ARRAY(" + FREE + ")) RETURNING id",
        "UPDATE jobs SET picked = true WHERE (id, note) IN ("
            + FREE.replace("SELECT id", "SELECT id, note")
            + ") RETURNING note",
        "WITH free AS ("
            + FREE
            + ") UPDATE jobs SET picked = true"
            + " WHERE id IN (SELECT id FROM free) RETURNING id, note",
        "WITH free AS ("
            + FREE
            + ") UPDATE jobs j SET picked = true FROM free"
            + " WHERE j.id = free.id RETURNING j.*",
        "UPDATE jobs SET picked = true WHERE NOT picked AND id < 3 RETURNING id",
        "WITH taken AS (UPDATE jobs j SET picked = true WHERE (j.id, j.note) IN ("
            + FREE.replace("SELECT id", "SELECT id, note")
            + ") RETURNING j.*) SELECT * FROM taken ORDER BY id",
        "WITH taken AS (DELETE FROM jobs WHERE id IN ("
            + FREE
            + ") RETURNING id AS job) SELECT job + 1, t.job FROM taken t ORDER BY job",
        "DELETE FROM jobs WHERE id IN (" + FREE + ") RETURNING *",
        "DELETE FROM jobs USING (" + FREE + ") free WHERE jobs.id = free.id RETURNING note");
  }

  /** From the first execution on. */
  @ParameterizedTest
  @MethodSource("takingTwo")
  void what_is_taken_is_told_by_the_rows_that_come_back(String sql) throws Exception {
    for (boolean autoCommit : new boolean[] {false, true}) {
      fill();
      sink.clear();
      List<String> described = run(sql, autoCommit);
      assertThat(described).as(sql).hasSize(1);
      assertThat(described.get(0)).as(sql).matches("committed:.* [wd]1\\b.* [wd]2\\b[^w]*");
    }
  }

  /** What is told of its rows is kept until the last of them. */
  @Test
  void a_write_that_has_returned_many_rows_is_sent_as_it_is() throws Exception {
    DatabaseScenario.direct(
        "INSERT INTO queue.jobs SELECT i, false FROM generate_series(6, 2000) i");
    String sql = "UPDATE jobs SET note = note || 'n' WHERE id > 0 RETURNING id";
    ConnectionWrapper wrapper = wrapper();
    try (Connection c = open(wrapper)) {
      DatabaseScenario.run(c, sql);
      assertThat(sink.described().get(0)).contains(" w1500=");
      sink.clear();
      DatabaseScenario.run(c, sql);
      assertThat(sink.described()).hasSize(1).allMatch(each -> each.contains("opaque("));
    }
  }

  private static final String OWNED = "UPDATE jobs SET note = ? WHERE picked = ?";

  /** Camunda's job executor sends such batches, and its keys are texts. */
  @Test
  void a_batch_of_writes_by_another_condition_than_the_key_is_told() throws Exception {
    DatabaseScenario.direct(
        "CREATE TABLE queue.locks (id text PRIMARY KEY, owner text, due int)",
        "INSERT INTO queue.locks SELECT 'k' || i, 'o' || i % 2, i FROM generate_series(1, 4) i");
    try (Connection c = open(wrapper());
        PreparedStatement s = c.prepareStatement("UPDATE locks SET due = ? WHERE owner = ?")) {
      c.setAutoCommit(false);
      for (int time = 0; time < 2; time++) {
        sink.clear(); // How many rows it writes is known from the first time on.
        for (String owner : List.of("o1", "nobody", "o0")) {
          s.setInt(1, 7);
          s.setString(2, owner);
          s.addBatch();
        }
        assertThat(s.executeBatch()).containsExactly(2, 0, 2);
        c.commit();
      }
    }
    assertThat(sink.described())
        .hasSize(1)
        .allMatch(each -> each.matches("committed:( w'?k[13]'?=\\d+){2}( w'?k[24]'?=\\d+){2}"));
  }

  /** The table has as many rows as you like: it was never analyzed. */
  @Test
  void a_write_that_hits_no_row_raises_no_doubt() throws Exception {
    try (Connection c = open(wrapper());
        PreparedStatement s = c.prepareStatement(OWNED + " AND id > 77")) {
      s.setString(1, "x");
      s.setBoolean(2, true);
      assertThat(s.executeUpdate()).isZero();
    }
    assertThat(sink.described()).noneMatch(each -> each.contains("opaque("));
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEFORE UPDATE ON jobs FOR EACH ROW", "AFTER UPDATE ON jobs"})
  void a_trigger_may_have_written_where_no_row_was_hit(String trigger) throws Exception {
    DatabaseScenario.direct(
        "SET search_path TO queue",
        "CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN DELETE FROM queue.jobs WHERE id = 1; RETURN NULL; END $$",
        "CREATE TRIGGER fires " + trigger + " EXECUTE FUNCTION fires()");
    try (Connection c = open(wrapper())) {
      DatabaseScenario.run(c, "UPDATE jobs SET note = 'x' WHERE picked AND id > 77");
      DatabaseScenario.run(c, "UPDATE jobs SET note = 'x' WHERE picked AND id > 77");
    }
    assertThat(sink.described()).hasSize(2).allMatch(each -> each.contains("opaque("));
  }

  private ConnectionWrapper wrapper() {
    return IsotailDriver.wrapper(
        CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames(), sink, "proxy");
  }

  private static Connection open(ConnectionWrapper wrapper) throws SQLException {
    return wrapper.wrap(
        DriverManager.getConnection(DatabaseScenario.database.jdbcUrl() + "&currentSchema=queue"));
  }

  private List<String> run(String sql, boolean autoCommit) throws SQLException {
    try (Connection c = open(wrapper())) {
      c.setAutoCommit(autoCommit);
      DatabaseScenario.run(c, sql);
      if (!autoCommit) {
        c.commit();
      }
    }
    return sink.described();
  }
}

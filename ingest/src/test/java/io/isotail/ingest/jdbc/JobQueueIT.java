package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** pgjdbc's {@code maxResultBuffer}: it closes a connection whose answer is longer. */
class LimitedAnswersIT extends DatabaseScenario {
  private static final int LIMIT_BYTES = 100;

  private final RecordingSink own = new RecordingSink();
  private final ConnectionWrapper findsTables =
      IsotailDriver.wrapper(CaptureConfig.of("test", ObservedTables.parse("")), own, "proxy");

  @Test
  void isotailAsksNothingWhoseAnswerMayBeTooLong() throws SQLException {
    try (Connection c = limited()) {
      assertThat(length(c, "SELECT 'short'")).isEqualTo(5);
      c.setAutoCommit(false);
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      c.commit();
      assertThat(length(c, "SELECT 'short'")).isEqualTo(5);
    }
  }

  @Test
  void noColumnMakesAnAnswerTooLong() throws SQLException {
    try (Connection c = open(findsTables, "")) {
      run(c, "SELECT v FROM reg WHERE k = 1"); // The tables are known to the process.
    }
    direct("UPDATE reg SET w = repeat('x', " + LIMIT_BYTES + ") WHERE k = 1");
    try (Connection c = limited();
        PreparedStatement prepared = c.prepareStatement("SELECT w FROM public.reg WHERE k = 1")) {
      assertThat(length(c, "SELECT w FROM public.reg WHERE k = 1")).isEqualTo(LIMIT_BYTES);
      try (ResultSet row = prepared.executeQuery()) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).hasSize(LIMIT_BYTES);
      }
    }
  }

  @Test
  void itsWritesAreNotMissed() throws SQLException {
    try (Connection c = open(findsTables, "")) {
      run(c, "SELECT v FROM reg WHERE k = 1");
    }
    int before = own.records().size();
    try (Connection c = limited()) {
      run(c, "UPDATE public.reg SET v = 11 WHERE k = 1");
    }
    assertThat(own.described().subList(before, own.records().size()))
        .containsExactly("committed: wnull=?");
  }

  private Connection limited() throws SQLException {
    return open(findsTables, "&maxResultBuffer=" + LIMIT_BYTES);
  }

  private static Connection open(ConnectionWrapper wrapper, String settings) throws SQLException {
    return wrapper.wrap(DriverManager.getConnection(database.jdbcUrl() + settings));
  }

  private static int length(Connection c, String query) throws SQLException {
    try (Statement s = c.createStatement();
        ResultSet row = s.executeQuery(query)) {
      assertThat(row.next()).isTrue();
      return row.getString(1).length();
    }
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.TransactionRecord;
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

/** Which code a transaction is of: comments of its statements, and the connection's name. */
class OriginScenariosIT extends DatabaseScenario {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private static String tags(String route) {
    return "/*route='" + route + "',traceparent='00-" + TRACE + "-b7ad6b7169203331-01'*/";
  }

  private Origin last() {
    return sink.records().get(sink.records().size() - 1).origin();
  }

  @Test
  void theFirstCommentOfATransactionTells() throws SQLException {
    connection.setAutoCommit(false);
    run("SELECT k, v FROM reg WHERE k = 1");
    run("SELECT k, v FROM reg WHERE k = 1 " + tags("one"));
    run(tags("two") + "UPDATE reg SET v = 11 WHERE k = 1");
    connection.commit();
    assertThat(last()).isEqualTo(new Origin(null, "one", TRACE));
    run("UPDATE reg SET v = 12 WHERE k = 1");
    connection.commit();
    assertThat(last()).isNull();
    try (PreparedStatement s =
        connection.prepareStatement("UPDATE reg SET v = ? WHERE k = 1" + tags("batch"))) {
      s.setLong(1, 13);
      s.addBatch();
      s.executeBatch();
    }
    connection.commit();
    assertThat(last()).isEqualTo(new Origin(null, "batch", TRACE));
    assertThat(sink.records())
        .extracting(TransactionRecord::operations)
        .allSatisfy(
            operations ->
                assertThat(operations.statements())
                    .allMatch(statement -> !statement.fingerprint().contains("/*")));
  }

  @Test
  void theConnectionTellsItsApplication() throws SQLException {
    connection.setClientInfo("ApplicationName", "checkout");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThat(last()).isEqualTo(new Origin("checkout", null, null));
    run("SET application_name = 'billing'");
    run("UPDATE reg SET v = 12 WHERE k = 1" + tags("r"));
    assertThat(last()).isEqualTo(new Origin("billing", "r", TRACE));
    run("UPDATE reg SET v = 13 WHERE k = 1/*application='own'*/");
    assertThat(last()).isEqualTo(new Origin("own", null, null));
  }

  @Test
  void theVersionStandsBehindTheNameOrInTheComment() throws SQLException {
    connection.setClientInfo("ApplicationName", "checkout/1.42");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThat(last()).isEqualTo(new Origin("checkout", null, null, "checkout 1.42"));
    run("UPDATE reg SET v = 12 WHERE k = 1" + tags("r"));
    assertThat(last()).isEqualTo(new Origin("checkout", "r", TRACE, "checkout 1.42"));
    run("UPDATE reg SET v = 13 WHERE k = 1/*application='own',version='7'*/");
    assertThat(last()).isEqualTo(new Origin("own", null, null, "own 7"));
  }

  /** The server's own views and logs go on showing the comment, also of what is rewritten. */
  @Test
  void theServerGetsTheComment() throws SQLException {
    RecordingSink own = new RecordingSink();
    ConnectionWrapper unprepared =
        IsotailDriver.wrapper(CaptureConfig.of("test", ObservedTables.parse("")), own, "proxy");
    try (Connection c = unprepared.wrap(DriverManager.getConnection(database.jdbcUrl()))) {
      c.setAutoCommit(false);
      for (String text :
          new String[] {
            "SELECT v FROM reg WHERE k = 1 " + tags("end") + ";",
            tags("start") + " UPDATE reg SET v = 11 WHERE k = 1"
          }) {
        run(c, text);
        assertThat(lastOf(c.unwrap(org.postgresql.PGConnection.class).getBackendPID()))
            .contains("isotail_h", text.contains("end") ? tags("end") : tags("start"));
      }
      c.commit();
    }
    assertThat(own.records()).hasSize(1);
    assertThat(own.records().get(0).operations().size()).isEqualTo(2);
    assertThat(own.records().get(0).origin()).isEqualTo(new Origin(null, "end", TRACE));
  }

  private static String lastOf(int backend) throws SQLException {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement();
        ResultSet row =
            s.executeQuery("SELECT query FROM pg_stat_activity WHERE pid = " + backend)) {
      row.next();
      return row.getString(1);
    }
  }
}

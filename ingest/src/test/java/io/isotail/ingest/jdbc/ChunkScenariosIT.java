package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Long transactions, which are handed over in parts. */
class ChunkScenariosIT extends DatabaseScenario {
  @Test
  void longTransactionsAreHandedOverInChunks() throws SQLException {
    direct("INSERT INTO reg SELECT i, i FROM generate_series(100, 124) i");
    ConnectionWrapper chunked =
        IsotailDriver.wrapper(
            CaptureConfig.of("test", TABLES).withClearNames().withChunkOperations(10),
            sink,
            "proxy");
    try (Connection c = chunked.wrap(java.sql.DriverManager.getConnection(database.jdbcUrl()))) {
      c.setAutoCommit(false);
      run(c, "SELECT k, v FROM reg WHERE k >= 100");
      c.commit();
      List<TransactionRecord> records = sink.records();
      assertThat(records)
          .extracting(TransactionRecord::outcome)
          .containsExactly(Outcome.OPEN, Outcome.OPEN, Outcome.COMMITTED);
      assertThat(records).extracting(TransactionRecord::chunk).containsExactly(0, 1, 2);
      assertThat(records).extracting(TransactionRecord::transaction).containsOnly(0L);
      assertThat(records).extracting(r -> r.operations().size()).containsExactly(10, 10, 5);
      sink.clear();
      c.setSavepoint();
      run(c, "SELECT k, v FROM reg WHERE k >= 100");
      c.rollback();
      assertThat(sink.described()).hasSize(1);
      c.setSavepoint();
      run(c, "SELECT k, v FROM reg WHERE k >= 100");
      run(c, "SELECT k, v FROM reg WHERE k >= 100");
      c.commit();
      assertThat(sink.described().get(1)).isEqualTo("committed: opaque(*)");
    }
  }

  @Test
  void rowsOfAnEarlierStatementAreNotAddedAfterAChunk() throws SQLException {
    try (Connection c = chunked(3)) {
      c.setAutoCommit(false);
      try (Statement s = c.createStatement();
          ResultSet rows = s.executeQuery("SELECT k, v FROM reg ORDER BY k")) {
        rows.next();
        run(c, "UPDATE reg SET v = 33 WHERE k = 3");
        rows.next();
        rows.next();
      }
      c.commit();
    }
    expect("open: r1=10 r2=20 w3=33", "committed:");
  }

  @Test
  void whatAWriteAnswersDoesNotReplaceItsRecordAfterAChunk() throws SQLException {
    try (Connection c = chunked(1)) {
      c.setAutoCommit(false);
      try (Statement s = c.createStatement();
          ResultSet rows =
              s.executeQuery("UPDATE reg SET v = v + 1 WHERE k IN (1, 2) RETURNING k, v")) {
        rows.next();
        rows.next();
        rows.next();
      }
      c.commit();
    }
    expect("open: opaque(reg)", "committed:");
  }

  private Connection chunked(int operations) throws SQLException {
    return IsotailDriver.wrapper(
            CaptureConfig.of("test", TABLES).withClearNames().withChunkOperations(operations),
            sink,
            "proxy")
        .wrap(java.sql.DriverManager.getConnection(database.jdbcUrl()));
  }
}

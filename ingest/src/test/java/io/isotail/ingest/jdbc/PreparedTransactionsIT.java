package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** PREPARE TRANSACTION: the transaction leaves its connection, and its outcome comes later. */
class PreparedTransactionsIT extends DatabaseScenario {

  private void prepare(String name) throws SQLException {
    run("BEGIN");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    run("PREPARE TRANSACTION '" + name + "'");
    assertThat(sink.described()).doesNotContain("unknown: w1=11");
  }

  @Test
  void itsOutcomeIsThatOfCommitPreparedOnAnyConnection() throws SQLException {
    prepare("x");
    try (Connection other = open()) {
      run(other, "COMMIT PREPARED 'x'");
    }
    run("SELECT k, v FROM reg WHERE k = 1");
    expect("committed: w1=11", "committed: r1=11");
    assertThat(sink.records().get(0).endNs()).isNotEqualTo(TransactionRecord.NO_TIME);
  }

  @Test
  void aRollbackIsAnAbort() throws SQLException {
    prepare("x");
    assertThatThrownBy(() -> run("ROLLBACK PREPARED 'another'")).isInstanceOf(SQLException.class);
    assertThat(sink.records()).isEmpty();
    run("ROLLBACK PREPARED 'x'");
    run("SELECT k, v FROM reg WHERE k = 1");
    expect("aborted: w1=11", "committed: r1=10");
  }

  @Test
  void oneThatIsDecidedBeforeTheConnectionGoesOnIsInItsSession() throws SQLException {
    run("SELECT k, v FROM reg WHERE k = 1");
    prepare("x");
    run("COMMIT PREPARED 'x'");
    run("SELECT k, v FROM reg WHERE k = 1");
    expect("committed: r1=10", "committed: w1=11", "committed: r1=11");
    assertThat(sink.records()).extracting(TransactionRecord::sequence).containsExactly(0L, 1L, 2L);
    assertThat(sink.records()).extracting(r -> r.session().id()).containsOnly(id(0));
  }

  private long id(int record) {
    return sink.records().get(record).session().id();
  }

  @Test
  void whatFailsToPrepareIsAborted() throws SQLException {
    run("BEGIN");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThatThrownBy(() -> run("SELECT 1 / 0")).isInstanceOf(SQLException.class);
    run("PREPARE TRANSACTION 'x'");
    expect("aborted: w1=11");
  }

  /** Each record's session tells where it belongs, so that what came before still counts. */
  @Test
  void theSessionGoesOnAsAnotherOne() throws SQLException {
    run("UPDATE reg SET v = 21 WHERE k = 2");
    prepare("x");
    run("SELECT k, v FROM reg WHERE k = 2");
    run("COMMIT PREPARED 'x'");
    expect("committed: w2=21", "committed: r2=21", "committed: w1=11");
    assertThat(id(0)).isEqualTo(id(2)).isNotEqualTo(id(1));
    assertThat(sink.records())
        .extracting(TransactionRecord::session)
        .extracting(SessionInfo::backendPid)
        .containsOnly(sink.records().get(0).session().backendPid());
  }

  /**
   * Neither of a prepared transaction and the next one of its connection sees the other: write skew
   * at worst, which snapshot isolation allows, whatever is known of the outcome.
   */
  @Test
  void theConnectionGoesOnBesideIt() throws Exception {
    long oldest;
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery("SELECT txid_snapshot_xmin(txid_current_snapshot())")) {
      row.next();
      oldest = row.getLong(1);
    }
    RecordingSink all = new RecordingSink();
    ConnectionWrapper unprepared =
        IsotailDriver.wrapper(
            CaptureConfig.of("test", new ObservedTables(List.of())), all, "proxy");
    try (Connection one = unprepared.wrap(DriverManager.getConnection(database.jdbcUrl()));
        Connection two = unprepared.wrap(DriverManager.getConnection(database.jdbcUrl()))) {
      one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      two.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      run(one, "BEGIN");
      run(one, "SELECT v FROM reg WHERE k = 2");
      run(one, "UPDATE reg SET v = 11 WHERE k = 1");
      run(one, "PREPARE TRANSACTION 'x'");
      run(one, "BEGIN");
      run(one, "SELECT v FROM reg WHERE k = 1");
      run(one, "UPDATE reg SET v = 21 WHERE k = 2");
      run(one, "COMMIT");
      run(two, "COMMIT PREPARED 'x'");
      run(two, "SELECT v FROM reg WHERE k = 1");
      run(one, "SELECT v FROM reg WHERE k = 1");
    }
    List<Anomaly> anomalies = new ArrayList<>();
    Checker checker = UnpreparedBankIT.checker(IsolationLevel.SNAPSHOT_ISOLATION, anomalies);
    long offset = 0;
    checker.accept(offset++, 0, new Hello("proxy", "test", "1", 100, oldest));
    for (TransactionRecord record : all.records()) {
      checker.accept(offset++, 0, record);
    }
    checker.accept(offset, 0, new Goodbye("proxy"));
    checker.finish();
    assertThat(anomalies).isEmpty();
    assertThat(checker.report().transactions()).isEqualTo(4);
    assertThat(checker.report().readsDecided()).isEqualTo(checker.report().reads()).isEqualTo(4);
  }
}

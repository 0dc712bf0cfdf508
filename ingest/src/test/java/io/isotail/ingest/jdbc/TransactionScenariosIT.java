package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.CaptureClock;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where transactions begin and end, what is undone, and the level that they ran at. */
class TransactionScenariosIT extends DatabaseScenario {
  @Test
  void autocommitMakesEachStatementATransactionThatEndsWithItsRows() throws SQLException {
    try (Statement s = connection.createStatement()) {
      ResultSet rows = s.executeQuery("SELECT k, v FROM reg WHERE k = 1");
      rows.next();
      assertThat(sink.records()).isEmpty();
      rows.close();
      expect("committed: r1=10");
      rows = s.executeQuery("SELECT k, v FROM reg WHERE k = 2");
      rows.next();
      run("UPDATE reg SET v = 11 WHERE k = 1");
    }
    expect("committed: r1=10", "committed: r2=20", "committed: w1=11");
    assertThat(sink.records()).extracting(TransactionRecord::sequence).containsExactly(0L, 1L, 2L);
    assertThat(sink.records()).extracting(TransactionRecord::transaction).isSorted();
  }

  @Test
  void rowsReadAfterTheirTransactionAreNotRecorded() throws SQLException {
    try (Statement s = connection.createStatement()) {
      ResultSet rows = s.executeQuery("SELECT k, v FROM reg ORDER BY k");
      rows.next();
      run("SELECT 1");
      rows.next();
    }
    expect("committed: r1=10");
    assertThat(wrapper.stats().of(CaptureStats.Event.LATE_ROW)).isEqualTo(1);
  }

  @Test
  void commitAndRollback() throws SQLException {
    connection.setAutoCommit(false);
    run("SELECT k, v FROM reg WHERE k = 1");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    run("UPDATE reg SET v = 21 WHERE k = 2");
    assertThat(sink.announced()).hasSize(1);
    connection.commit();
    connection.commit();
    run("UPDATE reg SET v = 12 WHERE k = 1");
    connection.rollback();
    connection.rollback();
    expect("committed: r1=10 w1=11 w2=21", "aborted: w1=12");
  }

  @Test
  void switchingAutocommitOnCommits() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    connection.setAutoCommit(false);
    assertThat(sink.records()).isEmpty();
    connection.setAutoCommit(true);
    expect("committed: w1=11");
  }

  @Test
  void closingWithATransactionOpenAborts() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    connection.close();
    expect("aborted: w1=11");
  }

  @Test
  void aFailureWhileFetchingFailsTheTransaction() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 0 WHERE k = 3");
    try (Statement s = connection.createStatement()) {
      s.setFetchSize(1);
      ResultSet rows = s.executeQuery("SELECT k, v, 1 / v FROM reg ORDER BY k");
      assertThat(rows.next()).isTrue();
      assertThatThrownBy(
              () -> {
                while (rows.next()) {
                  rows.getLong(1);
                }
              })
          .hasMessageContaining("division by zero");
    }
    run("COMMIT");
    expect("aborted: w3=0 [r1=10] [r2=20]");
  }

  @Test
  void transactionsDrivenBySql() throws SQLException {
    run("BEGIN ISOLATION LEVEL REPEATABLE READ");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    run("SAVEPOINT a");
    run("UPDATE reg SET v = 21 WHERE k = 2");
    run("ROLLBACK TO a");
    run("RELEASE SAVEPOINT a");
    run("COMMIT AND CHAIN");
    run("UPDATE reg SET v = 12 WHERE k = 1");
    run("ROLLBACK");
    run("UPDATE reg SET v = 13 WHERE k = 1");
    expect("committed: w1=11 [w2=21]", "aborted: w1=12", "committed: w1=13");
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsExactly(
            "postgresql:repeatable-read",
            "postgresql:repeatable-read",
            "postgresql:read-committed");
  }

  @Test
  void savepointsUndoOneByOne() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    Savepoint outer = connection.setSavepoint("outer");
    run("UPDATE reg SET v = 21 WHERE k = 2");
    Savepoint inner = connection.setSavepoint();
    run("UPDATE reg SET v = 31 WHERE k = 3");
    connection.rollback(inner);
    run("UPDATE reg SET v = 32 WHERE k = 3");
    connection.releaseSavepoint(inner);
    connection.rollback(outer);
    run("UPDATE reg SET v = 22 WHERE k = 2");
    connection.commit();
    expect("committed: w1=11 [w2=21] [w3=31] [w3=32] w2=22");
  }

  @Test
  void aFailedStatementRecoversThroughASavepoint() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    Savepoint savepoint = connection.setSavepoint();
    assertThatThrownBy(() -> run("INSERT INTO reg (k, v) VALUES (2, 2)"))
        .hasMessageContaining("duplicate key");
    connection.rollback(savepoint);
    run("UPDATE reg SET v = 21 WHERE k = 2");
    connection.commit();
    expect("committed: w1=11 w2=21");
  }

  @Test
  void aCommitAfterAFailedStatementIsARollback() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThatThrownBy(() -> run("INSERT INTO reg (k, v) VALUES (2, 2)"));
    try {
      connection.commit();
    } catch (SQLException e) {
      // Versions of the driver differ in whether they tell that the reply was ROLLBACK.
    }
    run("UPDATE reg SET v = 12 WHERE k = 1");
    connection.commit();
    expect("aborted: w1=11", "committed: w1=12");
  }

  @Test
  void aCommitThatSilentlyRollsBackIsAborted() throws SQLException {
    try (Connection silent = open("&raiseExceptionOnSilentRollback=false")) {
      silent.setAutoCommit(false);
      run(silent, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThatThrownBy(() -> run(silent, "SELECT 1 / 0 FROM reg"));
      silent.commit();
    }
    run("BEGIN");
    run("UPDATE reg SET v = 12 WHERE k = 1");
    assertThatThrownBy(() -> run("SELECT 1 / 0"));
    try (Statement s = connection.createStatement()) {
      s.execute("COMMIT");
    } catch (SQLException e) {
      // The driver may tell that the reply was ROLLBACK.
    }
    run("SELECT k, v FROM reg WHERE k = 1");
    expect("aborted: w1=11", "aborted: w1=12", "committed: r1=10");
  }

  @Test
  void autosaveKeepsTheTransactionAfterAFailedStatement() throws SQLException {
    try (Connection autosave = open("&autosave=always")) {
      autosave.setAutoCommit(false);
      run(autosave, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThatThrownBy(() -> run(autosave, "INSERT INTO reg (k, v) VALUES (2, 2)"));
      run(autosave, "UPDATE reg SET v = 21 WHERE k = 2");
      autosave.commit();
    }
    expect("committed: w1=11 w2=21");
  }

  @Test
  void aFailedStatementInAutocommitModeIsAnAbortedTransaction() throws SQLException {
    assertThatThrownBy(() -> run("INSERT INTO reg (k, v) VALUES (1, 2)"));
    run("UPDATE reg SET v = 11 WHERE k = 1");
    expect("aborted:", "committed: w1=11");
  }

  @Test
  void aDeferredConstraintAbortsAtCommit() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    run("INSERT INTO deferred VALUES (1), (1)");
    assertThatThrownBy(() -> connection.commit()).hasMessageContaining("duplicate key");
    expect("aborted: w1=11");
  }

  @Test
  void aSerializationFailureAbortsAndItsRetryIsATransactionOfItsOwn() throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    connection.setAutoCommit(false);
    try (Connection other = open()) {
      run("SELECT k, v FROM reg WHERE k = 1");
      run(other, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThatThrownBy(() -> run("UPDATE reg SET v = 12 WHERE k = 1"))
          .extracting("SQLState")
          .isEqualTo("40001");
      connection.rollback();
      run("SELECT k, v FROM reg WHERE k = 1");
      run("UPDATE reg SET v = 12 WHERE k = 1");
      connection.commit();
    }
    expect("committed: w1=11", "aborted: r1=10", "committed: r1=11 w1=12");
    assertThat(sink.records().get(2).ranAt()).isEqualTo("postgresql:serializable");
  }

  @Test
  void levelsFromEverySource() throws SQLException {
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    run("SELECT k, v FROM reg WHERE k = 1");
    run("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    run("SELECT k, v FROM reg WHERE k = 1");
    run("SET default_transaction_isolation = 'read uncommitted'");
    run("SELECT k, v FROM reg WHERE k = 1");
    run("RESET ALL");
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.setAutoCommit(false);
    run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.commit();
    run("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
    connection.rollback();
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.commit();
    assertThat(sink.records())
        .extracting(TransactionRecord::ranAt)
        .containsExactly(
            "postgresql:read-committed",
            "postgresql:repeatable-read",
            "postgresql:serializable",
            "postgresql:read-uncommitted",
            "postgresql:read-committed",
            "postgresql:repeatable-read",
            "postgresql:read-committed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED; SET work_mem = 64",
        "SELECT set_config('default_transaction_isolation', 'read committed', false)",
        "DO $$ BEGIN SET default_transaction_isolation = 'read committed'; END $$",
      })
  void aLevelThatMayHaveChangedIsAskedForAndUnknownWhenThatHappensOften(String sql)
      throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    run(sql);
    int before = sink.records().size();
    connection.setAutoCommit(false);
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.commit();
    assertThat(levelsSince(before)).containsExactly("postgresql:read-committed");
    // The pause is a multiple of the time that a question took, so one round may outlast it.
    boolean unknown = false;
    for (int round = 0; round < 200 && !unknown; round++) {
      run(sql);
      run("UPDATE reg SET v = v + 1 WHERE k = 1");
      connection.commit();
      run("UPDATE reg SET v = v + 1 WHERE k = 1");
      connection.commit();
      unknown = levelsSince(sink.records().size() - 1).contains(null);
    }
    assertThat(unknown).as("asked at most once in a pause").isTrue();
    assertThat(levelsSince(before)).containsOnly("postgresql:read-committed", null);
  }

  private List<String> levelsSince(int index) {
    List<TransactionRecord> all = sink.records();
    return all.subList(index, all.size()).stream().map(TransactionRecord::ranAt).toList();
  }

  @Test
  void hiddenTransactionControlCostsCertainty() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    run("COMMIT; UPDATE reg SET v = 12 WHERE k = 1");
    connection.commit();
    run("UPDATE reg SET v = 13 WHERE k = 1");
    connection.commit();
    expect("unknown: opaque(*)", "committed: w1=13");
  }

  @Test
  void statementsThroughAnUnwrappedConnectionCostCertainty() throws SQLException {
    connection.setAutoCommit(false);
    try (Statement s =
        connection.unwrap(org.postgresql.jdbc.PgConnection.class).createStatement()) {
      s.execute("UPDATE reg SET v = 11 WHERE k = 1");
    }
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.commit();
    expect("committed: opaque(*)");
    assertThat(sink.records().get(0).beginNs()).isEqualTo(TransactionRecord.NO_TIME);
  }

  @Test
  void switchingAutocommitOffLeavesATransactionBegunBySqlOpen() throws SQLException {
    run("BEGIN");
    run("UPDATE reg SET v = 11 WHERE k = 1");
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 21 WHERE k = 2");
    connection.rollback();
    run("SELECT k, v FROM reg WHERE k = 1");
    connection.setAutoCommit(true);
    expect("aborted: w1=11 w2=21", "committed: r1=10");
  }

  @Test
  void aTextThatCommittedBeforeItFailedIsUnknown() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThatThrownBy(() -> run("COMMIT; SELECT 1/0")).hasMessageContaining("division by zero");
    connection.rollback();
    run("UPDATE reg SET v = 12 WHERE k = 1");
    assertThatThrownBy(() -> run("COMMIT; BEGIN; UPDATE reg SET v = 1/0 WHERE k = 1"));
    connection.rollback();
    run("UPDATE reg SET v = 13 WHERE k = 1");
    run("COMMIT; BEGIN");
    connection.rollback();
    try (Statement s = connection.createStatement()) {
      s.addBatch("UPDATE reg SET v = 14 WHERE k = 1");
      s.addBatch("COMMIT");
      s.addBatch("INSERT INTO reg (k, v) VALUES (2, 2)");
      assertThatThrownBy(s::executeBatch);
      connection.rollback();
    }
    connection.setAutoCommit(true);
    assertThatThrownBy(() -> run("UPDATE reg SET v = 16 WHERE k = 1; COMMIT; SELECT 1/0"));
    assertThatThrownBy(() -> run("DO $$ BEGIN UPDATE reg SET v = 17; COMMIT; PERFORM 1/0; END $$"));
    assertThat(sink.described()).hasSize(6).containsOnly("unknown: opaque(*)");
  }

  @Test
  void aTextWithoutTransactionControlThatFailsIsRolledBack() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    assertThatThrownBy(() -> run("UPDATE reg SET v = 12 WHERE k = 1; SELECT 1/0"));
    connection.rollback();
    expect("aborted: opaque(*)");
  }

  @Test
  void whatBecomesOpaqueLaterIsAnnouncedAsAWrite() throws SQLException {
    connection.setAutoCommit(false);
    run("SELECT k, v FROM reg WHERE k = 1");
    try (Statement s =
        connection.unwrap(org.postgresql.jdbc.PgConnection.class).createStatement()) {
      s.execute("SAVEPOINT unseen");
    }
    run("ROLLBACK TO unseen");
    assertThat(sink.announced()).hasSize(1);
    connection.commit();
    expect("committed: opaque(*)");
  }

  @Test
  void timesEncloseTheTransaction() throws SQLException {
    connection.setAutoCommit(false);
    run("SELECT 1");
    long afterFirst = CaptureClock.PROCESS.nowNs();
    run("SELECT k, v FROM reg WHERE k = 1");
    long beforeCommit = CaptureClock.PROCESS.nowNs();
    connection.commit();
    TransactionRecord record = sink.records().get(0);
    assertThat(record.beginNs()).isLessThan(afterFirst);
    assertThat(record.endNs()).isGreaterThan(beforeCommit);
    assertThat(record.clock()).isEqualTo(CaptureClock.PROCESS.id());
    assertThat(record.session().backendPid()).isPositive();
    assertThat(record.session().databaseHost()).isEqualTo("localhost:" + database.port());
  }
}

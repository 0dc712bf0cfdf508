package io.isotail.ingest.capture;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.sql.ColumnType;
import io.isotail.ingest.sql.ObservedTables;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A carrier of statements without JDBC: a session's calls and what is recorded of them. */
final class SessionCaptureTest {
  private static final String UPDATE = "UPDATE reg SET v = ? WHERE k = ?";
  private static final Failure DEADLOCK = new Failure("40001", 1213);

  private final RecordingSink sink = new RecordingSink();
  private final FakeServer server = new FakeServer();
  private Capture capture;

  private SessionCapture session(boolean autoCommit) {
    CaptureConfig config =
        CaptureConfig.of("test", ObservedTables.parse("reg(k bigint; v bigint)")).withClearNames();
    capture = new Capture(config, sink, null);
    return Sessions.open(capture, server, "db:5432", autoCommit);
  }

  /** A row of {@code SELECT k, v FROM reg}. */
  private record RegRow(long k, long v) implements Row {
    @Override
    public int columns() {
      return 2;
    }

    @Override
    public String label(int column) {
      return column == 1 ? "k" : "v";
    }

    @Override
    public Object value(int column, ColumnType type) {
      return column == 1 ? k : v;
    }

    @Override
    public String[][] texts(int column) {
      return null;
    }
  }

  private static StatementRun send(SessionCapture session, String sql, Object... parameters) {
    return session.beforeStatement(session.analyze(sql, true), i -> parameters[i - 1]);
  }

  private void control(SessionCapture session, String sql, Server.TransactionState after) {
    StatementRun run = send(session, sql);
    server.state = after;
    session.afterUpdate(run, 0);
  }

  @Test
  void aTransactionOfStatementsIsOneRecord() {
    SessionCapture session = session(true);
    control(session, "BEGIN", Server.TransactionState.OPEN);
    StatementRun query = send(session, "SELECT k, v FROM reg");
    session.afterQuery(query);
    ResultCapture rows = session.result(query);
    rows.row(new RegRow(1, 10));
    rows.exhausted(true);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    control(session, "COMMIT", Server.TransactionState.IDLE);
    assertThat(sink.described()).containsExactly("committed: r1=10 w1=11");
    assertThat(capture.stats().of(Outcome.COMMITTED)).isEqualTo(1);
    assertThat(sink.records().get(0).ranAt()).isEqualTo("postgresql:repeatable-read");
    assertThat(sink.records().get(0).session().databaseHost()).isEqualTo("db:5432");
  }

  /** Nobody knows how they ended, but what they are is known. */
  @Test
  void whatIsLostWithItsConnectionMovesNamesOnlyIfItsTextSaysSo() {
    server.tables = List.of("reg");
    capture = new Capture(CaptureConfig.of("test", ObservedTables.parse("")), sink, null);
    for (String sql : List.of("SELECT v FROM reg", "DROP TABLE reg")) {
      SessionCapture session = Sessions.open(capture, server, "db:5432", true);
      session.refresh();
      send(session, "SELECT 1");
      long moves = capture.nameMoves();
      session.lostAhead(List.of(session.analyze(sql, false)));
      session.closed();
      assertThat(capture.nameMoves() > moves).as(sql).isEqualTo(sql.startsWith("DROP"));
    }
  }

  @Test
  void aCommitOfADoomedTransactionAborts() {
    SessionCapture session = session(true);
    control(session, "BEGIN", Server.TransactionState.OPEN);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    StatementRun failing = send(session, UPDATE, 12L, 2L);
    server.state = Server.TransactionState.FAILED;
    session.statementFailed(failing, new Failure("23505", 0));
    control(session, "COMMIT", Server.TransactionState.IDLE);
    assertThat(sink.described()).containsExactly("aborted: w1=11");
    assertThat(capture.stats().of(Outcome.COMMITTED)).isZero();
    assertThat(capture.stats().of(Outcome.ABORTED)).isEqualTo(1);
  }

  @Test
  void aDoomedTransactionStaysDoomedAfterAFailureOfUnknownEffect() {
    SessionCapture session = session(false);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    server.state = Server.TransactionState.UNKNOWN;
    session.statementFailed(send(session, UPDATE, 12L, 2L), new Failure("23505", 0));
    session.statementFailed(send(session, UPDATE, 13L, 1L), new Failure(null, 0));
    session.beforeCommit();
    session.committed();
    assertThat(sink.described()).containsExactly("aborted: w1=11 opaque(reg)");
  }

  @Test
  void aConnectionThatEndsWhileCommittingLeavesTheOutcomeUnknown() {
    SessionCapture session = session(true);
    control(session, "BEGIN", Server.TransactionState.OPEN);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    StatementRun commit = send(session, "COMMIT");
    session.statementFailed(commit, new Failure("08006", 0));
    session.closed();
    assertThat(sink.described()).containsExactly("unknown: w1=11");
  }

  @Test
  void anInternalFailureOfTheCarrierMakesTheTransactionOpaque() {
    SessionCapture session = session(false);
    session.afterUpdate(send(session, UPDATE), 1);
    session.beforeCommit();
    session.committed();
    assertThat(sink.described()).containsExactly("committed: opaque(*)");
  }

  @Test
  void withoutADoomedStateAnErrorEndsTheTransactionOnlyIfTheServerSaysSo() {
    server.dialect = Dialects.of("mariadb");
    server.state = Server.TransactionState.UNKNOWN;
    SessionCapture session = session(false);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 12L, 2L), new Failure("23000", 0));
    session.beforeCommit();
    session.committed();
    session.afterUpdate(send(session, UPDATE, 13L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 14L, 2L), DEADLOCK);
    assertThat(sink.described()).containsExactly("committed: w1=11", "aborted: w1=13");
    assertThat(sink.records().get(0).ranAt()).isNull();
  }

  @Test
  void levelsAreNamedAfterTheirDatabase() {
    server.dialect = Dialects.of("mariadb");
    server.state = Server.TransactionState.UNKNOWN;
    SessionCapture session = session(true);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    assertThat(sink.records().get(0).ranAt()).isEqualTo("mariadb:read-committed");
  }

  @Test
  void closingAnOpenTransactionAbortsItOnlyWhereItIsCertain() {
    for (String database : List.of("postgresql", "mariadb")) {
      server.dialect = Dialects.of(database);
      SessionCapture session = session(false);
      session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
      session.closed();
    }
    assertThat(sink.described()).containsExactly("aborted: w1=11", "unknown: w1=11");
  }

  @Test
  void whatFollowsATransactionThatTheServerRolledBackIsNotInIt() {
    server.dialect = Dialects.of("mariadb");
    SessionCapture session = session(true);
    control(session, "START TRANSACTION", Server.TransactionState.UNKNOWN);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 12L, 2L), DEADLOCK);
    session.afterUpdate(send(session, UPDATE, 13L, 1L), 1);
    session.afterUpdate(send(session, UPDATE, 14L, 2L), 1);
    assertThat(sink.described())
        .containsExactly("aborted: w1=11", "committed: w1=13", "committed: w2=14");
  }

  /** What is recorded of a transaction begun by SQL after an error whose effect is not known. */
  private void assertUncertainAfter(Failure failure, String end) {
    server.dialect = Dialects.of("mysql");
    SessionCapture session = session(true);
    control(session, "START TRANSACTION", Server.TransactionState.UNKNOWN);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 12L, 2L), failure);
    session.afterUpdate(send(session, UPDATE, 13L, 1L), 1);
    assertThat(sink.described()).isEmpty();
    control(session, end, Server.TransactionState.UNKNOWN);
    session.afterUpdate(send(session, UPDATE, 14L, 2L), 1);
    assertThat(sink.described()).containsExactly("unknown: opaque(*)", "committed: w2=14");
  }

  @Test
  void afterALockWaitTimeoutTheTransactionMayGoOnOrBeRolledBack() {
    assertUncertainAfter(new Failure("40001", 1205), "COMMIT");
  }

  @Test
  void aLockWaitTimeoutWithTheServersOwnSqlStateIsTheSame() {
    assertUncertainAfter(new Failure("HY000", 1205), "COMMIT");
  }

  @Test
  void aRollbackDoesNotUndoWhatALockWaitTimeoutMayHaveSetFree() {
    assertUncertainAfter(new Failure("40001", 1205), "ROLLBACK");
  }

  @Test
  void aRollbackRightAfterALockWaitTimeoutEndsItEitherWay() {
    server.dialect = Dialects.of("mysql");
    server.state = Server.TransactionState.UNKNOWN;
    SessionCapture session = session(false);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 12L, 2L), new Failure("40001", 1205));
    session.rolledBack();
    session.afterUpdate(send(session, UPDATE, 14L, 2L), 1);
    session.statementFailed(send(session, UPDATE, 15L, 2L), new Failure("40001", 1205));
    control(session, "ROLLBACK", Server.TransactionState.UNKNOWN);
    assertThat(sink.described()).allMatch(each -> each.startsWith("aborted")).hasSize(2);
  }

  @Test
  void aSecondLockWaitTimeoutMayComeAfterStatementsThatWereCommitted() {
    server.dialect = Dialects.of("mysql");
    SessionCapture session = session(true);
    control(session, "START TRANSACTION", Server.TransactionState.UNKNOWN);
    session.statementFailed(send(session, UPDATE, 12L, 2L), new Failure("40001", 1205));
    session.afterUpdate(send(session, UPDATE, 13L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 14L, 2L), new Failure("40001", 1205));
    control(session, "ROLLBACK", Server.TransactionState.UNKNOWN);
    assertThat(sink.described()).containsExactly("unknown: opaque(*)");
  }

  @Test
  void aStatementOfUnknownCompletionIsNoRollback() {
    assertUncertainAfter(new Failure("40003", 0), "COMMIT");
  }

  @Test
  void onlyTheVendorsCodeSaysThatATransactionWasRolledBack() {
    assertUncertainAfter(new Failure("40001", 0), "COMMIT");
  }

  @Test
  void aConnectionThatEndsAfterALockWaitTimeoutLeavesTheOutcomeUnknown() {
    server.dialect = Dialects.of("mysql");
    server.state = Server.TransactionState.UNKNOWN;
    SessionCapture session = session(false);
    session.afterUpdate(send(session, UPDATE, 11L, 1L), 1);
    session.statementFailed(send(session, UPDATE, 12L, 2L), new Failure("40001", 1205));
    session.statementFailed(send(session, UPDATE, 13L, 1L), new Failure("08S01", 0));
    session.closed();
    assertThat(sink.described()).containsExactly("unknown: opaque(*)");
  }
}

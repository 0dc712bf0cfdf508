package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.record.TransactionRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of a transaction whose connection is aborted, lost, or used by two threads. */
class LostConnectionScenariosIT extends DatabaseScenario {
  @Test
  void abortingTheConnectionAborts() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    connection.abort(Runnable::run);
    expect("aborted: w1=11");
  }

  @Test
  void abortingWhileAStatementRunsAbortsOnce() throws Exception {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    abortWhile("SELECT pg_sleep(60)");
    expect("aborted: w1=11");
  }

  @Test
  void abortingWhileAnAutocommitUpdateRunsIsUnknown() throws Exception {
    abortWhile("UPDATE reg SET v = 11, w = pg_sleep(60) WHERE k = 1");
    expect("unknown: w1=11");
  }

  @Test
  void aStatementOvertakenByAnotherThreadOnItsConnectionIsOpaque() throws Exception {
    int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    CompletableFuture<Void> sleeping =
        CompletableFuture.runAsync(
            () -> {
              try {
                run("UPDATE reg SET v = 11, w = pg_sleep(1) WHERE k = 1");
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    awaitSleeping(pid);
    run("UPDATE reg SET v = 21 WHERE k = 2");
    sleeping.get(30, TimeUnit.SECONDS);
    assertThat(sink.described())
        .containsExactlyInAnyOrder("committed: opaque(*)", "committed: w2=21");
  }

  /** Aborts the connection while it runs a statement that sleeps, which must fail. */
  private void abortWhile(String sleeps) throws Exception {
    int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    CompletableFuture<Void> sleeping =
        CompletableFuture.runAsync(() -> assertThatThrownBy(() -> run(sleeps)).isNotNull());
    awaitSleeping(pid);
    connection.abort(Runnable::run);
    sleeping.get(30, TimeUnit.SECONDS);
    direct("SELECT pg_terminate_backend(" + pid + ", 5000)");
  }

  private static void awaitSleeping(int pid) throws Exception {
    String waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid = " + pid;
    try (Connection c = java.sql.DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement()) {
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (!s.executeQuery(waits).next()) {
        assertThat(System.nanoTime()).isLessThan(deadlineNs);
      }
    }
  }

  @Test
  void aConnectionLostBeforeCommitWasSentIsAborted() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    terminate(connection);
    assertThatThrownBy(() -> run("SELECT k, v FROM reg WHERE k = 2"));
    assertThatThrownBy(() -> connection.commit());
    expect("aborted: w1=11");
  }

  @Test
  void aConnectionLostWhileCommittingIsUnknown() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    terminate(connection);
    assertThatThrownBy(() -> connection.commit());
    expect("unknown: w1=11");
    assertThat(sink.records().get(0).endNs()).isEqualTo(TransactionRecord.NO_TIME);
  }

  @Test
  void aConnectionLostInAutocommitModeIsUnknown() throws SQLException {
    terminate(connection);
    assertThatThrownBy(() -> run("UPDATE reg SET v = 11 WHERE k = 1"));
    assertThatThrownBy(() -> run("UPDATE reg SET v = 12 WHERE k = 1"));
    expect("unknown: w1=11");
  }

  /** A connection on which {@code meanwhile} happens before the answer to a commit is read. */
  private Connection interrupted(SqlWork meanwhile, String sqlState) throws SQLException {
    Connection real = java.sql.DriverManager.getConnection(database.jdbcUrl());
    Connection[] wrapped = new Connection[1];
    Connection slow =
        (Connection)
            java.lang.reflect.Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  Object answer = method.invoke(real, arguments);
                  if (method.getName().equals("commit")) {
                    meanwhile.run(wrapped[0]);
                    throw new SQLException("the answer is lost", sqlState);
                  }
                  return answer;
                });
    wrapped[0] = wrapper.wrap(slow);
    wrapped[0].setAutoCommit(false);
    return wrapped[0];
  }

  private interface SqlWork {
    void run(Connection c) throws SQLException;
  }

  @Test
  void aCommitOvertakenByAnEndOfTheConnectionIsUnknown() throws SQLException {
    List<SqlWork> ends =
        List.of(c -> c.abort(Runnable::run), Connection::close, Connection::rollback);
    for (SqlWork end : ends) {
      for (String state : List.of("08006", "08003")) {
        Connection c = interrupted(end, state);
        run(c, "UPDATE reg SET v = 11 WHERE k = 1");
        assertThatThrownBy(c::commit).hasMessage("the answer is lost");
        c.close();
      }
    }
    assertThat(sink.described()).hasSize(6).containsOnly("unknown: w1=11");
  }

  @Test
  void aConnectionLostInATextThatMayCommitIsUnknown() throws SQLException {
    connection.setAutoCommit(false);
    run("UPDATE reg SET v = 11 WHERE k = 1");
    terminate(connection);
    assertThatThrownBy(() -> run("COMMIT; SELECT 1"));
    assertThatThrownBy(() -> connection.commit());
    expect("unknown: opaque(*)");
  }

  private static void terminate(Connection c) throws SQLException {
    int pid = c.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    direct("SELECT pg_terminate_backend(" + pid + ", 5000)");
  }
}

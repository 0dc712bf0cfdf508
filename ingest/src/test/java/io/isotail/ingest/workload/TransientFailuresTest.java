package io.isotail.ingest.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransientFailuresTest {
  private static SQLException failure(String state, int code, String thrownBy) {
    return thrown(new SQLException("failure", state, code), thrownBy);
  }

  private static SQLException thrown(SQLException failure, String by) {
    failure.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.ArrayList", "forEach", null, 1),
          new StackTraceElement(by, "execute", null, 1),
          new StackTraceElement("org.h2.Later", "execute", null, 1)
        });
    return failure;
  }

  private static boolean isRetryable(SQLException failure) {
    return TransientFailures.isRetryable(failure, false);
  }

  @Test
  void rollbacksOfTheDatabaseAreTriedAgain() {
    assertThat(isRetryable(new SQLException("serialization failure", "40001"))).isTrue();
    assertThat(isRetryable(new SQLException("deadlock", "40P01"))).isTrue();
    assertThat(isRetryable(new SQLTransactionRollbackException("without a state"))).isTrue();
    assertThat(isRetryable(new SQLTimeoutException("transient"))).isTrue();
  }

  @Test
  void aCommitIsRefusedOnlyWhereTheServerSaysSo() {
    SQLException unknown = new SQLTransactionRollbackException("completion unknown", "40003");
    assertThat(isRetryable(unknown)).isTrue();
    assertThat(TransientFailures.isRefusedCommit(unknown, true)).isFalse();
    SQLException timeout = new SQLTimeoutException("no answer");
    assertThat(TransientFailures.isRefusedCommit(timeout, true)).isFalse();
    SQLException refused = new SQLException("serialization failure", "40001");
    assertThat(TransientFailures.isRefusedCommit(refused, true)).isTrue();
    SQLException duplicate = new SQLException("duplicate key", "23505");
    assertThat(TransientFailures.isRefusedCommit(duplicate, true)).isTrue();
    assertThat(TransientFailures.isRefusedCommit(duplicate, false)).isFalse();
  }

  @Test
  void otherFailuresAreNot() {
    assertThat(isRetryable(new SQLException("syntax", "42601"))).isFalse();
    assertThat(isRetryable(new SQLException("connection", "08006"))).isFalse();
    assertThat(isRetryable(new SQLException("no state"))).isFalse();
    assertThat(isRetryable(new SQLException("four", "4"))).isFalse();
  }

  @Test
  void aConstraintIsAReasonOnlyWhereRowsAreInserted() {
    SQLException duplicate = new SQLException("duplicate key", "23505");
    assertThat(TransientFailures.isRetryable(duplicate, true)).isTrue();
    assertThat(TransientFailures.isRetryable(duplicate, false)).isFalse();
    assertThat(TransientFailures.isRetryable(new SQLException("syntax", "42601"), true)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "org.mariadb.jdbc.Statement, 1020",
    "org.mariadb.jdbc.Statement, 1205",
    "org.mariadb.jdbc.Statement, 1213",
    "com.mysql.cj.jdbc.StatementImpl, 1205",
    "com.mysql.cj.jdbc.StatementImpl, 1213",
    "org.h2.jdbc.JdbcStatement, 90131",
    "org.h2.jdbc.JdbcStatement, 50200",
    "org.sqlite.core.DB, 5",
    "org.sqlite.core.DB, 6",
    "org.sqlite.core.DB, 261",
    "org.sqlite.core.DB, 262",
    "org.sqlite.core.DB, 517",
    "org.sqlite.core.DB, 518"
  })
  void aCodeCountsWhereItsDriverThrewIt(String driver, int code) {
    assertThat(isRetryable(failure("HY000", code, driver))).isTrue();
    assertThat(isRetryable(failure("HY000", code + 1_000_000, driver))).isFalse();
    assertThat(isRetryable(failure("HY000", code, "org.other.Driver")))
        .as("the frame of H2 above")
        .isEqualTo(driver.startsWith("org.h2."));
    assertThat(isRetryable(failure("HY000", code, "org.postgresql.jdbc.PgStatement")))
        .isEqualTo(driver.startsWith("org.h2."));
  }

  @Test
  void theFirstDriverInTheStackIsTheOneThatThrew() {
    assertThat(isRetryable(failure("HY000", 50_200, "com.mysql.cj.jdbc.StatementImpl"))).isFalse();
  }

  @Test
  void ofDuckDbTheTextIsAllThatTells() {
    String driver = "org.duckdb.DuckDBNative";
    SQLException conflict = new SQLException("TransactionContext Error: Conflict on update!");
    assertThat(isRetryable(thrown(conflict, driver))).isTrue();
    assertThat(isRetryable(thrown(new SQLException("Parser Error"), driver))).isFalse();
    assertThat(isRetryable(thrown(new SQLException((String) null), driver))).isFalse();
    SQLException ofAnother = new SQLException("TransactionContext Error");
    assertThat(isRetryable(thrown(ofAnother, "org.sqlite.core.DB"))).isFalse();
  }

  @Test
  void oneOfSeveralFailuresIsEnough() {
    SQLException batch = new SQLException("batch", "42601");
    batch.setNextException(new SQLException("serialization failure", "40001"));
    assertThat(isRetryable(batch)).isTrue();
    SQLException both = new SQLException("batch", "42601");
    both.setNextException(new SQLException("syntax", "42601"));
    assertThat(isRetryable(both)).isFalse();
  }
}

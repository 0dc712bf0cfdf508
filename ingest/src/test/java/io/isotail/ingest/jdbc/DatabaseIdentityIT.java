package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a real server tells of which database it is. */
class DatabaseIdentityIT extends DatabaseScenario {
  private static final String READ = "SELECT k, v FROM reg WHERE k = 1";

  private List<Long> told() {
    return sink.records().stream()
        .map(TransactionRecord::session)
        .map(SessionInfo::database)
        .toList();
  }

  private Connection connect(String url) throws SQLException {
    return wrapper.wrap(DriverManager.getConnection(url));
  }

  @Test
  void eachConnectionTellsItAndAnotherDatabaseOfTheClusterIsAnotherOne() throws Exception {
    direct("CREATE DATABASE another");
    String another = database.jdbcUrl().replace("/postgres?", "/another?");
    try {
      try (Connection direct = DriverManager.getConnection(another)) {
        run(direct, "CREATE TABLE reg (k bigint PRIMARY KEY, v bigint, w text)");
      }
      run(READ);
      try (Connection second = open();
          Connection elsewhere = connect(another)) {
        run(second, READ);
        run(elsewhere, READ);
      }
    } finally {
      direct("DROP DATABASE another");
    }
    assertThat(told().get(0)).isNotEqualTo(SessionInfo.NO_DATABASE).isEqualTo(told().get(1));
    assertThat(told().get(2)).isNotEqualTo(SessionInfo.NO_DATABASE).isNotEqualTo(told().get(0));
    assertThat(sink.records()).allMatch(record -> record.session().oldestRunning() > 0);
  }

  @Test
  void aRoleThatMayNotAskIsRecordedAllTheSame() throws Exception {
    direct(
        "CREATE ROLE limited LOGIN",
        "GRANT SELECT ON reg TO limited",
        "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    try (Connection limited = connect(database.jdbcUrl().replace("=postgres", "=limited"))) {
      limited.setAutoCommit(false);
      run(limited, READ);
      run(limited, READ);
      limited.commit();
    } finally {
      direct(
          "GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC",
          "DROP OWNED BY limited",
          "DROP ROLE limited");
    }
    expect("committed: r1=10 r1=10");
    assertThat(told()).containsExactly(SessionInfo.NO_DATABASE);
    assertThat(sink.records().get(0).ranAt()).isEqualTo("postgresql:read-committed");
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns are added to a statement only under the role whose rights are known. */
class RoleScenariosIT extends DatabaseScenario {
  private final RecordingSink own = new RecordingSink();

  private Connection unprepared() throws SQLException {
    return IsotailDriver.wrapper(CaptureConfig.of("test", ObservedTables.parse("")), own, "proxy")
        .wrap(DriverManager.getConnection(database.jdbcUrl()));
  }

  private int reads(Connection c) throws SQLException {
    own.clear();
    run(c, "SELECT v FROM reg WHERE k = 1");
    run(c, "SELECT 1");
    return own.records().stream().mapToInt(record -> record.operations().size()).sum();
  }

  /** The server is asked between transactions, and not each time. */
  private void readsAgain(Connection c) throws SQLException {
    long deadlineNs = System.nanoTime() + 10_000_000_000L;
    while (reads(c) == 0) {
      assertThat(System.nanoTime()).as("still not rewritten").isLessThan(deadlineNs);
    }
  }

  /** As Flyway does on a connection of the application's pool, after each migration. */
  @Test
  void settingTheRoleThatItIsAnywayChangesNothing() throws SQLException {
    try (Connection c = unprepared()) {
      assertThat(reads(c)).isOne();
      run(c, "SET ROLE 'postgres'");
      readsAgain(c);
    }
  }

  /** A role may have rights on the columns that the application names, and on no others. */
  @Test
  void aRoleThatACallSetsIsSentWhatTheApplicationWrote() throws SQLException {
    direct(
        "DROP ROLE IF EXISTS tenant", "CREATE ROLE tenant", "GRANT SELECT (k, v) ON reg TO tenant");
    String read = "SELECT v FROM public.reg WHERE k = 1";
    try {
      for (String set :
          List.of(
              "SELECT set_config('role', 'tenant', true)",
              "SELECT set_config('app.user', 'x', true), SET_CONFIG('Role', 'tenant', true)",
              "SELECT pg_catalog.set_config(lower('ROLE'), 'tenant', true)",
              "SET LOCAL ROLE tenant; SELECT 1",
              "SET LOCAL SESSION AUTHORIZATION tenant; SELECT 1")) {
        try (Connection c = unprepared()) {
          c.setAutoCommit(false);
          run(c, set);
          run(c, read);
          c.commit();
        }
      }
    } finally {
      direct("REVOKE ALL ON reg FROM tenant", "DROP ROLE tenant");
    }
  }

  @Test
  void anotherRoleIsSentWhatTheApplicationWroteUntilItsOwnIsBack() throws SQLException {
    direct("DROP ROLE IF EXISTS tenant", "CREATE ROLE tenant", "GRANT SELECT ON reg TO tenant");
    try (Connection c = unprepared()) {
      run(c, "SET ROLE tenant");
      assertThat(reads(c)).isZero();
      run(c, "SELECT 1");
      assertThat(reads(c)).isZero();
      run(c, "RESET ROLE");
      readsAgain(c);
    } finally {
      direct("REVOKE ALL ON reg FROM tenant", "DROP ROLE tenant");
    }
  }
}

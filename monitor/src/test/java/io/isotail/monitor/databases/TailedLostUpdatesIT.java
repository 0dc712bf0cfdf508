package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Two clients read a row and both set it to the same new value, as counters are: the second update
 * finds the row changed already, so that the server changes nothing and logs nothing of it.
 */
final class TailedLostUpdatesIT {
  private static final int ROUNDS = 24;

  /** Columns that are set, and to which values. */
  private static final @Nullable Object[][] SET = {
    {"n", 6},
    {"amount", new BigDecimal("1.25")},
    {"name", "it's"},
    {"name", null},
    {"done", true},
    {"code", "abc "}
  };

  @Test
  void anUpdateIsLostThatSetsWhatIsThereAlready() throws Exception {
    try (TailedRun run =
        new TailedRun(
            MariaDbServer.logged(),
            Map.of("promises.mariadb:repeatable-read", "snapshot-isolation"))) {
      CheckerReport report = countTwice(run, true);
      assertThat(report.anomalies()).containsOnlyKeys(IsolationLevel.SNAPSHOT_ISOLATION);
      assertThat(report.anomalies().get(IsolationLevel.SNAPSHOT_ISOLATION))
          .containsExactly(Map.entry(AnomalyKind.LOST_UPDATE, (long) ROUNDS));
    }
  }

  @Test
  void repeatableReadDoesNotPromiseThatNoneIsLost() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      assertThat(countTwice(run, true).anomalies()).isEmpty();
    }
  }

  @Test
  void whoHasReadWhatIsThereLosesNothing() throws Exception {
    try (TailedRun run =
        new TailedRun(
            MariaDbServer.logged(),
            Map.of("promises.mariadb:repeatable-read", "snapshot-isolation"))) {
      assertThat(countTwice(run, false).anomalies()).isEmpty();
    }
  }

  /**
   * Each round two transactions update one row.
   *
   * @param early whether the second one reads it before the first has changed it
   */
  private static CheckerReport countTwice(TailedRun run, boolean early) throws Exception {
    run.execute(
        """
        CREATE TABLE counters (id int PRIMARY KEY, n int, amount decimal(8,2), name varchar(20),
          done boolean, code char(5)) CHARACTER SET utf8mb4
        """,
        "CREATE TABLE orders (id int PRIMARY KEY AUTO_INCREMENT)");
    for (int i = 0; i < ROUNDS / 2; i++) {
      run.execute("INSERT INTO counters VALUES (%d, 5, 1.5, 'é', 0, 'ab')".formatted(i));
    }
    run.startTail();
    try (Connection first = DriverManager.getConnection(run.url("shop"));
        Connection second = DriverManager.getConnection(run.url("shop"))) {
      try (Statement s = first.createStatement()) {
        for (int i = ROUNDS / 2; i < ROUNDS; i++) {
          s.executeUpdate("INSERT INTO counters VALUES (%d, 5, 1.5, 'é', 0, 'ab')".formatted(i));
        }
      }
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      for (int i = 0; i < ROUNDS; i++) {
        Object column = SET[i % SET.length][0];
        Object value = SET[i % SET.length][1];
        read(first, i);
        if (early) {
          read(second, i);
        }
        assertThat(set(first, i, column, value)).isEqualTo(1);
        first.commit();
        if (!early) {
          read(second, i);
        }
        assertThat(set(second, i, column, value)).as("rows found").isEqualTo(1);
        if (i % 3 == 0) {
          execute(second, "INSERT INTO orders VALUES (NULL)");
        }
        second.commit();
      }
      first.commit();
    }
    CheckerReport report = run.finished();
    assertThat(report.reads()).isEqualTo(2 * ROUNDS);
    assertThat(report.readsDecided()).isEqualTo(2 * ROUNDS);
    return report;
  }

  private static int set(Connection c, int id, @Nullable Object column, @Nullable Object value)
      throws SQLException {
    try (PreparedStatement p =
        c.prepareStatement("UPDATE counters SET `%s` = ? WHERE id = ?".formatted(column))) {
      p.setObject(1, value);
      p.setInt(2, id);
      return p.executeUpdate();
    }
  }

  private static void read(Connection c, int id) throws SQLException {
    try (PreparedStatement p = c.prepareStatement("SELECT * FROM counters WHERE id = ?")) {
      p.setInt(1, id);
      try (ResultSet row = p.executeQuery()) {
        assertThat(row.next()).isTrue();
      }
    }
  }

  private static void execute(Connection c, String statement) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.executeUpdate(statement);
    }
  }
}

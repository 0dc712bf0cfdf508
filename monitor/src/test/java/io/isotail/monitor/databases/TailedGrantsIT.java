package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.tail.Tail;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A tail that has the rights which the guide grants, and no more. */
final class TailedGrantsIT {
  /** What InnoDB changes below its log: information_schema shows it to other users alone. */
  @Test
  void tablesThatCascadesChangeAreNotTold() throws Exception {
    try (TailedRun run = new TailedRun(MariaDbServer.logged(), Map.of())) {
      run.execute(
          "CREATE TABLE parent (id int PRIMARY KEY, n int, at timestamp DEFAULT now() ON UPDATE now())",
          "CREATE TABLE deleted (id int PRIMARY KEY, p int,"
              + " FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE)",
          "CREATE TABLE `emptied ``one` (id int PRIMARY KEY, p int,"
              + " FOREIGN KEY (p) REFERENCES parent (id) ON UPDATE SET NULL)",
          "CREATE TABLE kept (id int PRIMARY KEY, p int,"
              + " FOREIGN KEY (p) REFERENCES parent (id) ON DELETE RESTRICT)",
          "INSERT INTO parent VALUES (1, 1, now()), (2, 1, now())",
          "INSERT INTO deleted VALUES (1, 1), (2, 2)",
          "CREATE USER isotail@'%' IDENTIFIED BY 'x'",
          "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO isotail@'%'",
          "GRANT SELECT ON isotail.* TO isotail@'%'");
      Tail tail = run.startTail("isotail");
      assertThat(tail.check())
          .isEqualTo(
              List.of("2 tables of database isotail would be told: isotail.kept, isotail.parent"));
      String url = run.url("reports").replace("user=app&", "user=isotail&");
      try (Connection c = DriverManager.getConnection(url);
          Statement s = c.createStatement()) {
        c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        for (int id = 1; id <= 2; id++) {
          assertThat(count(s, "SELECT id, p FROM deleted WHERE id = " + id)).isEqualTo(1);
          run.execute("DELETE FROM parent WHERE id = " + id);
          assertThat(count(s, "SELECT id, n FROM parent WHERE id = " + id)).isZero();
          assertThat(count(s, "SELECT id, p FROM deleted WHERE id = " + id)).isZero();
        }
      }
      assertThat(run.finished().anomalies()).isEmpty();
    }
  }

  private static int count(Statement s, String query) throws Exception {
    try (ResultSet rows = s.executeQuery(query)) {
      int n = 0;
      while (rows.next()) {
        n++;
      }
      return n;
    }
  }
}

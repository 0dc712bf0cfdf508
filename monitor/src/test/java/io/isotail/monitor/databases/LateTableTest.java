package io.isotail.monitor.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tables that are made after the connections, as migrations do, on a database whose driver does not
 * tell whether a transaction is under way. Their columns are asked for between transactions.
 */
class LateTableTest {
  private static final String URL = "jdbc:h2:mem:late";
  private static final String TABLE = "late (k bigint PRIMARY KEY, v bigint)";

  private final List<TransactionRecord> records = new ArrayList<>();
  private final ConnectionWrapper wrapper =
      IsotailDriver.wrapper(
          CaptureConfig.of("any", ObservedTables.parse("late(k; v)")), new Records(), "proxy");

  @Test
  void aFrameworkSwitchesAutocommitOffForEachTransaction() throws Exception {
    try (Connection made = DriverManager.getConnection(URL);
        Connection c = wrapper.wrap(DriverManager.getConnection(URL))) {
      execute(made, "CREATE TABLE " + TABLE);
      // The catalog, which did not have the table a moment ago, is asked again after seconds.
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      for (int i = 0; !seen().contains("[WRITE]"); i++) {
        assertThat(System.nanoTime() - deadlineNs).as("%s", records).isNegative();
        c.setAutoCommit(false);
        execute(c, "INSERT INTO late (k, v) VALUES (%d, 0)".formatted(i));
        c.commit();
        c.setAutoCommit(true);
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }

  @Test
  void autocommitThatSqlSwitchedOffIsLeftAlone() throws Exception {
    try (Connection made = DriverManager.getConnection(URL);
        Connection c = wrapper.wrap(DriverManager.getConnection(URL))) {
      execute(made, "CREATE TABLE " + TABLE);
      execute(c, "SET AUTOCOMMIT FALSE");
      long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(6);
      execute(c, "INSERT INTO late (k, v) VALUES (1, 0)");
      while (System.nanoTime() - deadlineNs < 0) {
        // The catalog becomes due meanwhile; to ask it in autocommit would commit the row.
        execute(c, "SELECT v FROM late WHERE k = 1");
        assertThat(rows(made)).isZero();
        TimeUnit.MILLISECONDS.sleep(50);
      }
      execute(c, "ROLLBACK");
      assertThat(rows(made)).isZero();
    }
  }

  private List<String> seen() {
    return records.stream()
        .map(record -> record.operations().toString().replaceAll(" [^\\]]*", ""))
        .toList();
  }

  private static int rows(Connection c) throws SQLException {
    try (Statement s = c.createStatement();
        var rows = s.executeQuery("SELECT count(*) FROM late")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  private final class Records implements TransactionSink {
    @Override
    public void writeStarted(long session, long transaction) {}

    @Override
    public void transaction(TransactionRecord record) {
      records.add(record);
    }
  }
}

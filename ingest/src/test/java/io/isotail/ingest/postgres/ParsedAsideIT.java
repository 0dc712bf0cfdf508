package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** A statement that takes long to analyze does not keep the thread of other connections. */
final class ParsedAsideIT {
  private final RecordingSink sink = new RecordingSink();

  @Test
  void aNewKindOfStatementIsParsedOnAnotherThread() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      try (Connection direct = DriverManager.getConnection(database.jdbcUrl())) {
        run(direct, "CREATE TABLE orders (id int PRIMARY KEY, total int)");
        run(direct, "INSERT INTO orders VALUES (1, 10), (2, 20)");
      }
      try (TestRelay relay =
              new TestRelay(
                  database.port(), CaptureConfig.of("aside", ObservedTables.parse("")), sink);
          Connection connection =
              DriverManager.getConnection(
                  EmbeddedDatabase.jdbcUrl(relay.port()) + "&preferQueryMode=simple")) {
        run(connection, "SELECT total FROM orders WHERE id = 1");
        long begun = relay.works();
        run(connection, "SELECT total FROM orders WHERE id = 2");
        assertThat(relay.works()).as("the same kind").isEqualTo(begun);
        run(connection, "SELECT id FROM orders WHERE total = 20");
        assertThat(relay.works()).as("a new kind").isEqualTo(begun + 1);
        String text = "SELECT total FROM orders WHERE id = 1 AND 'x' < 'y" + "z".repeat(40_000);
        run(connection, text + "'");
        run(connection, text + "'");
        assertThat(relay.works()).as("a long text, each time").isEqualTo(begun + 3);
        run(connection, "BEGIN");
        run(connection, "UPDATE orders SET total = 11 WHERE id = 1");
        run(connection, "COMMIT");
        assertThat(relay.works()).as("the update").isEqualTo(begun + 4);
      }
    }
    assertThat(sink.records().stream().map(TransactionRecord::operations).map(Operations::size))
        .containsExactly(1, 1, 1, 1, 1, 1);
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sandbox.EmbeddedStandby;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A standby of PostgreSQL whose replay is held up is one incident, which names the server. */
final class LaggingReplicaIT {
  private static final String HISTORY = "shop";
  private static final int ROWS = 20;

  @Test
  void aReplicaThatLagsIsOneIncidentAndNamed() throws Exception {
    try (EmbeddedDatabase primary = EmbeddedDatabase.start();
        EmbeddedKafka broker = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(broker))) {
      try (Connection direct = DriverManager.getConnection(primary.jdbcUrl())) {
        execute(direct, "CREATE TABLE account (id bigint PRIMARY KEY, balance bigint)");
        execute(direct, "INSERT INTO account SELECT i, 0 FROM generate_series(1, %d) i", ROWS);
      }
      LiveHistory history = new LiveHistory(monitor, HISTORY);
      int port;
      try (EmbeddedStandby standby = EmbeddedStandby.of(primary);
          Connection writer = open(primary.jdbcUrl(), broker, "checkout");
          Connection reader = open(standby.jdbcUrl(), broker, "reporting")) {
        port = standby.port();
        each(writer, "UPDATE account SET balance = 1 WHERE id = %d");
        standby.catchUp();
        each(reader, "SELECT balance FROM account WHERE id = %d");
        history.await("traffic without lag", () -> history.checked() == 2 * ROWS);
        assertThat(monitor.incidents()).isEmpty();

        standby.pause();
        each(writer, "UPDATE account SET balance = 2 WHERE id = %d");
        each(reader, "SELECT balance FROM account WHERE id = %d");
        standby.resume();
      }
      history.await("the lag", () -> violations(monitor) >= ROWS);
      assertThat(monitor.incidents()).hasSize(1);
      ObjectNode incident = monitor.incidents().get(0).document();
      System.out.println("the replica: " + incident.path("title").asText());
      assertThat(incident.path("root").asText()).isEqualTo("replica");
      assertThat(incident.path("title").asText())
          .contains(": a replica (")
          .endsWith(":" + port + ") lags");
      assertThat(history.report().coverage()).isGreaterThan(0.99);
    }
  }

  private static long violations(MonitorService monitor) {
    return monitor.incidents().stream()
        .mapToLong(incident -> incident.document().path("violations").asLong())
        .sum();
  }

  private static void each(Connection connection, String sql) throws SQLException {
    for (int row = 1; row <= ROWS; row++) {
      execute(connection, sql, row);
      connection.commit();
    }
  }

  private static void execute(Connection connection, String sql, Object... values)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(sql.formatted(values))) {
        assertThat(statement.getResultSet().next()).isTrue();
      }
    }
  }

  private static Connection open(String url, EmbeddedKafka broker, String service)
      throws SQLException {
    return LiveHistory.open(url, broker.bootstrapServers(), HISTORY, service);
  }

  private static MonitorConfig config(EmbeddedKafka broker) {
    return MonitorConfig.of(
        Map.of(
            "kafka.bootstrap",
            broker.bootstrapServers(),
            "http.port",
            "0",
            "histories." + HISTORY + ".promise",
            "strict-serializable",
            "histories." + HISTORY + ".outsiders",
            "false"));
  }
}

package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What {@code docker compose down} and {@code up} do to a history of serializable traffic: with the
 * database's volume ids of transactions go on, without it they begin again.
 */
final class DatabaseRestartIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void idsOfTransactionsGoOnWithTheDataAndANewDatabaseNeedsANewHistory() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor =
            MonitorService.start(
                MonitorConfig.of(
                    Map.of(
                        "kafka.bootstrap",
                        kafka.bootstrapServers(),
                        "http.port",
                        "0",
                        "defaults.promise",
                        "serializable")))) {
      long transactions;
      try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
        workload(database, kafka, "demo");
        transactions = awaitMore(monitor, "demo", 0).at("/counts/transactions").asLong();
        database.restart();
        workload(database, kafka, "demo");
        JsonNode history = awaitMore(monitor, "demo", transactions);
        assertThat(history.at("/verdicts/serializable").asText()).isEqualTo("pass");
        assertThat(history.path("coverage").asDouble()).isGreaterThan(0.99);
        assertThat(monitor.causes()).isEmpty();
        transactions = history.at("/counts/transactions").asLong();
      }
      try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
        workload(database, kafka, "another");
        JsonNode another = awaitMore(monitor, "another", 0);
        assertThat(another.at("/verdicts/serializable").asText()).isEqualTo("pass");
        assertThat(another.path("coverage").asDouble()).isGreaterThan(0.99);
        assertThat(monitor.causes()).isEmpty();
        // The documentation warns of it: nothing that is told then is certain, and this is its
        // sign.
        workload(database, kafka, "demo");
        JsonNode history = awaitMore(monitor, "demo", transactions);
        assertThat(history.at("/undecided/ambiguous-writer").asLong()).isPositive();
      }
    }
  }

  private static void workload(EmbeddedDatabase database, EmbeddedKafka kafka, String history) {
    Repository.printed(
        "workload",
        "--url",
        "%s&isotail.history=%s&isotail.kafka=%s"
            .formatted(
                database.jdbcUrl().replace("jdbc:", "jdbc:isotail:"),
                history,
                kafka.bootstrapServers()),
        "--isolation",
        "serializable",
        "--rate",
        "200",
        "--duration",
        "3s");
  }

  /** Where a history stands once some hundreds of transactions more are checked. */
  private static JsonNode awaitMore(MonitorService monitor, String name, long transactions)
      throws Exception {
    JsonNode[] history = {JSON.createObjectNode()};
    Waiting.until(
        () -> {
          history[0] = history(monitor, name);
          return history[0].at("/counts/transactions").asLong() > transactions + 300
              && history[0].at("/now/pendingTransactions").asLong() == 0;
        },
        () -> "history: " + history[0]);
    return history[0];
  }

  private static JsonNode history(MonitorService monitor, String name) throws Exception {
    URI status = URI.create("http://127.0.0.1:" + monitor.port() + "/api/status");
    for (JsonNode each : JSON.readTree(Daemon.get(status).body()).path("histories")) {
      if (each.path("history").asText().equals(name)) {
        return each;
      }
    }
    return JSON.createObjectNode();
  }
}

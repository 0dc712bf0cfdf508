package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What {@code docker compose up} brings, with the commands, settings and files of the stack as they
 * are: processes in place of containers.
 */
final class StackIT {
  private static final String HISTORY = "demo";
  private static final int TRANSACTIONS = 2_000;

  /** Where each service's log stays after the test. */
  private static final Path FOLDER = Path.of("target", "stack").toAbsolutePath();

  @Test
  void theStackDecidesWhatItSeesNamesACauseAndPagesWithLinksThatOpen() throws Exception {
    for (String program : List.of("prometheus", "prometheus-alertmanager")) {
      Repository.requireInstalled(program, program);
    }
    Repository.empty(FOLDER);
    try (Webhook webhook = new Webhook();
        Stack stack =
            Stack.start(
                FOLDER,
                "webhook_configs: [{url: 'http://127.0.0.1:%d/'}]".formatted(webhook.port()))) {
      Daemon monitor = stack.daemon("monitor");
      JsonNode[] status = {new ObjectMapper().createObjectNode()};
      Waiting.until(
          () -> {
            status[0] = history(monitor);
            return status[0].at("/counts/transactions").asLong() >= TRANSACTIONS;
          },
          () -> "transactions: " + status[0]);
      throughTheProxy(stack);
      long after = history(monitor).at("/counts/transactions").asLong();
      Waiting.until(() -> history(monitor).at("/counts/transactions").asLong() > after + 200);

      JsonNode history = history(monitor);
      System.out.println("the stack: " + history);
      assertThat(history.path("coverage").asDouble()).isGreaterThan(0.99);
      for (String level : List.of("read-committed", "read-atomic", "causal")) {
        assertThat(history.at("/levels/" + level + "/doubts").has("unknown-writer"))
            .as(level)
            .isFalse();
      }

      Waiting.until(() -> !json(monitor, "/api/causes").path("causes").isEmpty());
      JsonNode cause = json(monitor, "/api/causes").at("/causes/0");
      assertThat(cause.path("title").asText()).contains("registers");

      JsonNode alert = webhook.await("IsotailAnomaly", 60);
      System.out.println("paged: " + alert);
      assertThat(alert.at("/annotations/summary").asText())
          .startsWith("demo: ")
          .contains("registers");
      String page = "http://localhost:" + stack.port("monitor", 9617);
      opens(alert.at("/annotations/page").asText(), page + "/incidents/");
      opens(alert.at("/annotations/witness").asText(), page + "/anomalies/");
      opens(
          alert.path("generatorURL").asText(),
          "http://localhost:" + stack.port("prometheus", 9090) + "/");
      assertThat(webhook.senders())
          .containsOnly("http://localhost:" + stack.port("alertmanager", 9093));
      for (JsonNode dashboard : Dashboards.all().values()) {
        for (String expression : Dashboards.expressions(dashboard)) {
          if (expression.contains("\"page\"")) {
            JsonNode shown =
                stack.daemon("prometheus").query(Dashboards.filledIn(expression, HISTORY));
            assertThat(shown.findValuesAsText("page")).as(expression).containsOnly(page);
          }
        }
      }
      assertThat(stack.daemon("workload").isAlive()).isTrue();
    }
  }

  /** As psql does it from the machine: an update through the proxy, of a row of the workload. */
  private static void throughTheProxy(Stack stack) throws SQLException {
    String url = "jdbc:postgresql://127.0.0.1:" + stack.port("proxy", 6432) + "/isotail";
    try (Connection c = DriverManager.getConnection(url, "isotail", "isotail");
        Statement s = c.createStatement()) {
      assertThat(s.executeUpdate("UPDATE registers SET v = 1 WHERE k = 1")).isEqualTo(1);
    }
  }

  private static void opens(String url, String beginning) throws Exception {
    assertThat(url).startsWith(beginning);
    assertThat(Daemon.get(URI.create(url)).statusCode()).as(url).isLessThan(400);
  }

  private static JsonNode history(Daemon monitor) throws Exception {
    for (JsonNode each : json(monitor, "/api/status").path("histories")) {
      if (each.path("history").asText().equals(HISTORY)) {
        return each;
      }
    }
    return new ObjectMapper().createObjectNode();
  }

  private static JsonNode json(Daemon monitor, String path) throws Exception {
    return new ObjectMapper().readTree(monitor.get(path));
  }
}

package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.capture.KafkaSinks;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.JdbcSessions;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.ProxySettings;
import io.isotail.monitor.service.MonitorService;
import io.isotail.monitor.service.ProxyService;
import io.isotail.monitor.trial.SandboxDatabase.Through;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What {@code docker compose down} and {@code up} do to a history of serializable traffic: with the
 * database's volume ids of transactions go on, without it they begin again. The driver, or the
 * proxy, stays the same.
 */
final class DatabaseRestartIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HISTORY = "demo";

  /** Of each part of the traffic. */
  private static final int TRANSACTIONS = 1_000;

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatIsReplacedRaisesNoAlarmAndIsChecked(Through through) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor = monitor(kafka);
        EmbeddedDatabase database = EmbeddedDatabase.start();
        Captured captured = captured(through, database, kafka)) {
      JsonNode before = checked(captured, database, monitor, JSON.createObjectNode());
      database.restart();
      before = checked(captured, database, monitor, before);
      for (int i = 0; i < 2; i++) {
        database.beginAnew();
        before = checked(captured, database, monitor, before);
      }
      // Serializable is promised, and less is kept.
      traffic(captured.source(), database, Connection.TRANSACTION_READ_COMMITTED);
      Waiting.until(() -> !monitor.causes().isEmpty());
    }
  }

  /** Where the history stands after serializable traffic, which was checked and is in order. */
  private static JsonNode checked(
      Captured captured, EmbeddedDatabase database, MonitorService monitor, JsonNode before)
      throws Exception {
    traffic(captured.source(), database, Connection.TRANSACTION_SERIALIZABLE);
    JsonNode after = awaitMore(monitor, count(before, "transactions"));
    assertThat(monitor.causes()).as(after.toString()).isEmpty();
    assertThat(after.at("/verdicts/serializable").asText()).isEqualTo("pass");
    double decided = count(after, "readsDecided") - count(before, "readsDecided");
    assertThat(decided / (count(after, "reads") - count(before, "reads")))
        .as(after.toString())
        .isGreaterThan(0.99);
    return after;
  }

  private static long count(JsonNode history, String name) {
    return history.at("/counts/" + name).asLong();
  }

  /** Connections whose statements are captured, and how to end that. */
  private record Captured(ConnectionSource source, Runnable end) implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }

  private static Captured captured(
      Through through, EmbeddedDatabase database, EmbeddedKafka kafka) {
    if (through == Through.DRIVER) {
      String url =
          "%s&isotail.history=%s&isotail.kafka=%s"
              .formatted(
                  database.jdbcUrl().replace("jdbc:", "jdbc:isotail:"),
                  HISTORY,
                  kafka.bootstrapServers());
      return new Captured(() -> DriverManager.getConnection(url), IsotailDriver::shutDown);
    }
    ProxySettings settings =
        ProxySettings.load(
            null,
            Map.of(),
            Map.of(
                "listen",
                "127.0.0.1:0",
                "upstream",
                "127.0.0.1:" + database.port(),
                "kafka",
                kafka.bootstrapServers(),
                "history",
                HISTORY,
                "http.port",
                "0"));
    ProxyService proxy =
        ProxyService.start(
            settings,
            CapturedConversations.of(settings.capture(), new KafkaSinks(), 10_000_000_000L));
    String url = EmbeddedDatabase.jdbcUrl(proxy.port());
    return new Captured(() -> DriverManager.getConnection(url), proxy::close);
  }

  private static MonitorService monitor(EmbeddedKafka kafka) throws Exception {
    return MonitorService.start(
        MonitorConfig.of(
            Map.of(
                "kafka.bootstrap",
                kafka.bootstrapServers(),
                "http.port",
                "0",
                "defaults.promise",
                "serializable")));
  }

  private static void traffic(ConnectionSource source, EmbeddedDatabase database, int isolation)
      throws Exception {
    RegisterTable table = RegisterWorkload.REGISTERS;
    ConnectionSource direct = () -> DriverManager.getConnection(database.jdbcUrl());
    try (RegisterWorkload workload =
        new RegisterWorkload(
            WorkloadConfig.defaults(1).withMost(TRANSACTIONS),
            new JdbcSessions(table, source, isolation, false))) {
      if (!workload.resume(table, direct)) {
        table.create(direct);
        workload.setUp();
      }
      workload.start();
      Waiting.until(workload::isDone, () -> workload.stats().toString());
    }
  }

  /** Where the history stands once a part of the traffic more is checked. */
  private static JsonNode awaitMore(MonitorService monitor, long transactions) throws Exception {
    JsonNode[] history = {JSON.createObjectNode()};
    Waiting.until(
        () -> {
          history[0] = history(monitor);
          return count(history[0], "transactions") >= transactions + TRANSACTIONS
              && history[0].at("/now/pendingTransactions").asLong() == 0;
        },
        () -> "history: " + history[0]);
    return history[0];
  }

  private static JsonNode history(MonitorService monitor) throws Exception {
    URI status = URI.create("http://127.0.0.1:" + monitor.port() + "/api/status");
    for (JsonNode each : JSON.readTree(Daemon.get(status).body()).path("histories")) {
      if (each.path("history").asText().equals(HISTORY)) {
        return each;
      }
    }
    return JSON.createObjectNode();
  }
}

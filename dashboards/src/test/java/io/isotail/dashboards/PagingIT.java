package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import io.isotail.monitor.service.ProxyService;
import io.isotail.monitor.store.Decision;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredIncident;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * From the log to the person, through a real broker, Prometheus and Alertmanager with the
 * configurations that are shipped; only addresses are replaced.
 */
final class PagingIT {
  private static final String HISTORY = "shop";

  /** Statements of one endpoint that show one root: as many causes. */
  private static final int STATEMENTS = 17;

  /** A variable of Grafana's; {@code $1} is of a function of Prometheus's. */
  private static final Pattern GRAFANAS = Pattern.compile("\\$[a-zA-Z_{\\[]");

  @TempDir private Path folder;

  @Test
  @SuppressWarnings("try") // the monitor dies before the rest
  void eachIncidentPagesOnceEveryPanelShowsSomethingAndADeadMonitorPages() throws Exception {
    for (String program : List.of("prometheus", "prometheus-alertmanager")) {
      Repository.requireInstalled(program, program);
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(kafka));
        ProxyService proxy = IdleProxy.start();
        Webhook webhook = new Webhook();
        Traffic traffic = new Traffic(kafka.bootstrapServers(), HISTORY)) {
      int alertmanagerPort = Daemon.freePort();
      try (Daemon alertmanager = alertmanager(alertmanagerPort, webhook.port());
          Daemon prometheus = prometheus(monitor.port(), proxy.httpPort(), alertmanagerPort)) {
        assertThat(monitor.awaitCaughtUp(Duration.ofSeconds(60))).isTrue();
        Waiting.until(() -> !prometheus.query("isotail_anomalies_total == 0").isEmpty());
        traffic.goOn();
        // Muted before it strikes: it never pages.
        mute(kafka, idOfRefunds());

        long committedNs = System.nanoTime();
        traffic.lostUpdate('a');
        JsonNode alert = webhook.await("IsotailAnomaly", 60);
        double seconds = (System.nanoTime() - committedNs) / 1e9;
        System.out.printf(
            "paged %.1f s after the commit: %s%n", seconds, alert.path("annotations"));
        assertThat(seconds).as("seconds from the commit to the page").isLessThan(15);
        StoredAnomaly anomaly = monitor.anomalies().get(0);
        assertThat(alert.at("/annotations/summary").asText())
            .isEqualTo(
                "shop: An update was lost in account of billing: the database breaks its own repeatable read");
        assertThat(alert.at("/annotations/description").asText())
            .contains(
                "Since 20",
                "1 row of account (lost-update 1). The database broke its promise:",
                "First: Keep the witness and report it to the vendor",
                "About ")
            .endsWith(" in 10 minutes.");
        assertThat(alert.at("/labels/wave").asText()).isEqualTo("1");
        URI witness = URI.create(alert.at("/annotations/witness").asText());
        assertThat(witness.getPath()).isEqualTo("/anomalies/" + anomaly.id());
        assertThat(Daemon.get(witness).statusCode()).isEqualTo(200);
        assertThat(Daemon.get(witness.resolve("/api/anomalies/" + anomaly.id())).body())
            .contains("\"capsule\"");
        URI page = URI.create(alert.at("/annotations/page").asText());
        String cause = monitor.causes().get(0).id();
        String incident = monitor.incidents().get(0).id();
        assertThat(page.getPath()).isEqualTo("/incidents/" + incident);
        assertThat(Daemon.get(page).statusCode()).isEqualTo(200);
        assertThat(Daemon.get(page.resolve("/api/incidents/" + incident)).body())
            .contains(cause, "An update was lost on account by billing");
        assertThat(Daemon.get(page.resolve("/api/causes/" + cause)).body())
            .contains("FOR UPDATE", anomaly.id());
        assertThat(alert.at("/labels").toString()).doesNotContain(anomaly.id());
        assertThat(alert.at("/labels/team").asText()).isEqualTo("payments");
        assertThat(alert.at("/annotations/runbook_url").asText())
            .isEqualTo("https://wiki.example/isotail/IsotailAnomaly.md");

        // A flood of the first incident is the same page; the second incident is another one,
        // whatever kinds of anomaly it shows.
        for (long key = 1_000; key < 1_300; key++) {
          traffic.lostUpdate(key);
        }
        for (long key = 7_000; key < 7_020; key++) {
          traffic.lostUpdateOfRefunds(key);
        }
        for (long key = 5_000; key < 5_100; key += 2) {
          traffic.lostUpdateOfStock(key);
          traffic.rereadStock(key + 1, (int) (key - 5_000) / 2 % STATEMENTS);
        }
        Waiting.until(() -> webhook.fired("IsotailAnomaly").size() > 1);
        Waiting.until(
            () ->
                !prometheus
                    .query("isotail_incident_violations_total{slot=\"muted\"} == 20")
                    .isEmpty());
        everyPanelShowsSomething(prometheus, traffic);
        String stock = aNewIncidentInTheSameSlotPagesAgain(kafka, monitor, traffic, webhook);

        monitor.close();
        JsonNode down = webhook.await("IsotailMonitorDown", 150);
        assertThat(down.at("/annotations/summary").asText())
            .isEqualTo("Nobody checks 1 of the partitions of the log");
        assertThat(down.at("/annotations/runbook_url").asText())
            .isEqualTo("https://wiki.example/isotail/IsotailMonitorDown.md");
        webhook
            .fired("IsotailAnomaly")
            .forEach(each -> System.out.println("paged: " + each.path("annotations")));
        assertThat(webhook.fired("IsotailAnomaly"))
            .extracting(each -> each.at("/labels/incident").asText())
            .as("one page for each incident")
            .hasSize(3)
            .doesNotHaveDuplicates()
            .startsWith(incident, stock);
        assertThat(alertmanager.get("/api/v2/alerts")).contains("IsotailAnomaly");
      }
    }
  }

  /** The thread that checks is held; the monitor has been told of nothing. */
  @Test
  void aCheckerThatIsStuckIsTold() throws Exception {
    for (String program : List.of("prometheus", "prometheus-alertmanager")) {
      Repository.requireInstalled(program, program);
    }
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Consumer<Anomaly> sticking =
        anomaly -> {
          stuck.countDown();
          awaitUninterruptibly(goOn);
        };
    String rules =
        Repository.printed(
            "rules", "--set=lag.seconds=3", "--set=lag.for=10s", "--set=lag.memory=6s");
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(kafka), sticking);
        Webhook webhook = new Webhook();
        Traffic traffic = new Traffic(kafka.bootstrapServers(), HISTORY)) {
      int alertmanagerPort = Daemon.freePort();
      try (Daemon alertmanager = alertmanager(alertmanagerPort, webhook.port());
          Daemon prometheus = prometheus(rules, monitor.port(), monitor.port(), alertmanagerPort)) {
        assertThat(monitor.awaitCaughtUp(Duration.ofSeconds(60))).isTrue();
        Waiting.until(() -> !prometheus.query("isotail_lag_seconds == 0").isEmpty());
        traffic.lostUpdate('a');
        assertThat(stuck.await(60, TimeUnit.SECONDS)).isTrue();
        traffic.goOn();
        JsonNode alert = webhook.await("IsotailLagging", 60);
        assertThat(alert.at("/annotations/summary").asText()).contains(" behind the log");
        assertThat(alert.at("/annotations/page").asText()).isEqualTo(monitor.address() + "/");
        assertThat(prometheus.query("isotail_lag_records > 0")).isNotEmpty();
        goOn.countDown();
        Waiting.until(() -> prometheus.query("ALERTS{alertname=\"IsotailLagging\"}").isEmpty());
        assertThat(alertmanager.isAlive()).isTrue();
      } finally {
        goOn.countDown();
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Settings change, the checker forgets all, and slots are given out anew.
   *
   * @return the id of the incident that paged second, with all its causes
   */
  private static String aNewIncidentInTheSameSlotPagesAgain(
      EmbeddedKafka kafka, MonitorService monitor, Traffic traffic, Webhook webhook)
      throws Exception {
    List<JsonNode> before = webhook.fired("IsotailAnomaly");
    assertThat(before).hasSize(2);
    JsonNode stock = before.get(1);
    assertThat(stock.at("/annotations/summary").asText())
        .as("whichever kind is found first")
        .startsWith("shop: ")
        .contains(" in stock of checkout: promised snapshot-isolation, run at");
    String id = stock.at("/labels/incident").asText();
    assertThat(monitor.incidents()).extracting(StoredIncident::id).contains(id).hasSize(2);
    assertThat(monitor.incidents().stream().filter(each -> each.id().equals(id)).findFirst())
        .hasValueSatisfying(
            each ->
                assertThat(each.document().path("causeCount").asInt())
                    .as("causes beneath one page")
                    .isGreaterThanOrEqualTo(STATEMENTS));

    monitor.reload(config(kafka, Map.of("histories.shop.window.transactions", "50000")));
    traffic.goOn();
    Waiting.until(() -> monitor.reports().get(HISTORY).transactions() < 50);
    traffic.lostUpdateOfOrders(9_000);
    Waiting.until(() -> webhook.fired("IsotailAnomaly").size() > 2);
    JsonNode orders = webhook.fired("IsotailAnomaly").get(2);
    assertThat(orders.at("/annotations/summary").asText()).contains("order of orders");
    JsonNode first = before.get(0);
    for (String same : List.of("/labels/slot", "/labels/wave")) {
      assertThat(orders.at(same)).as(same).isEqualTo(first.at(same));
    }
    return id;
  }

  /** What the cause is called that another monitor finds in the same traffic: ids are the same. */
  private static String idOfRefunds() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorService monitor = MonitorService.start(config(kafka));
        Traffic traffic = new Traffic(kafka.bootstrapServers(), HISTORY)) {
      traffic.lostUpdateOfRefunds(1);
      Waiting.until(() -> !monitor.causes().isEmpty());
      return monitor.causes().get(0).id();
    }
  }

  private static void mute(EmbeddedKafka kafka, String cause) throws Exception {
    long nowMs = System.currentTimeMillis();
    Decision decision =
        new Decision(
            cause,
            HISTORY,
            Decision.State.MUTED,
            nowMs + TimeUnit.HOURS.toMillis(1),
            "known",
            "",
            "ops",
            nowMs);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer
          .send(
              new ProducerRecord<>(
                  "isotail.decisions",
                  cause.getBytes(StandardCharsets.UTF_8),
                  decision.json().toString().getBytes(StandardCharsets.UTF_8)))
          .get();
    }
  }

  private static void everyPanelShowsSomething(Daemon prometheus, Traffic traffic)
      throws Exception {
    List<String> empty = new ArrayList<>();
    for (JsonNode dashboard : Dashboards.all().values()) {
      for (String expression : Dashboards.expressions(dashboard)) {
        empty.add(Dashboards.filledIn(expression, HISTORY));
      }
    }
    assertThat(empty).hasSizeGreaterThan(50).noneMatch(e -> GRAFANAS.matcher(e).find());
    System.gc(); // its pauses are on a panel
    Waiting.until(
        () -> {
          traffic.goOn();
          traffic.gap();
          traffic.notCaptured();
          List<String> still = new ArrayList<>();
          for (String expression : empty) {
            if (prometheus.query(expression).isEmpty()) {
              still.add(expression);
            }
          }
          empty.retainAll(still);
          return empty.isEmpty();
        },
        () -> "panels that show nothing: " + empty);
  }

  private static MonitorConfig config(EmbeddedKafka kafka) {
    return config(kafka, Map.of());
  }

  private static MonitorConfig config(EmbeddedKafka kafka, Map<String, String> changed) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "kafka.bootstrap",
                kafka.bootstrapServers(),
                "http.port",
                "0",
                "http.runbook-url",
                "https://wiki.example/isotail/",
                "histories.shop.labels.team",
                "payments",
                "histories.shop.promise",
                "snapshot-isolation",
                "histories.shop.unique-versions",
                "true"));
    settings.putAll(changed);
    return MonitorConfig.of(settings);
  }

  private Daemon alertmanager(int port, int webhookPort) throws Exception {
    String config =
        Repository.read("dashboards/alertmanager/alertmanager.yml")
            .replace(
                "  - name: on-call\n",
                "  - name: on-call\n    webhook_configs: [{url: 'http://127.0.0.1:%d/'}]\n"
                    .formatted(webhookPort));
    Path file = Files.writeString(folder.resolve("alertmanager.yml"), config);
    return Daemon.start(
        port,
        folder.resolve("alertmanager.log"),
        "/usr/bin/prometheus-alertmanager",
        "--config.file=" + file,
        "--storage.path=" + folder.resolve("alertmanager"),
        "--web.listen-address=127.0.0.1:" + port,
        "--cluster.listen-address=");
  }

  private Daemon prometheus(int monitorPort, int proxyPort, int alertmanagerPort) throws Exception {
    String shipped = Repository.read("dashboards/prometheus/isotail-rules.yml");
    return prometheus(shipped, monitorPort, proxyPort, alertmanagerPort);
  }

  private Daemon prometheus(String rules, int monitorPort, int proxyPort, int alertmanagerPort)
      throws Exception {
    Files.writeString(folder.resolve("isotail-rules.yml"), rules);
    String config =
        Repository.read("dashboards/prometheus/prometheus.yml")
            .replace("alertmanager:9093", "127.0.0.1:" + alertmanagerPort)
            .replace("monitor:9617", "127.0.0.1:" + monitorPort)
            .replace("proxy:9618", "127.0.0.1:" + proxyPort);
    Path file = Files.writeString(folder.resolve("prometheus.yml"), config);
    int port = Daemon.freePort();
    return Daemon.start(
        port,
        folder.resolve("prometheus.log"),
        "/usr/bin/prometheus",
        "--config.file=" + file,
        "--storage.tsdb.path=" + folder.resolve("tsdb"),
        "--web.listen-address=127.0.0.1:" + port);
  }
}

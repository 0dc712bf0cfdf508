package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.status.Lag;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.store.StoredAnomaly;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A monitor over a real broker; each test has its own topics. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class MonitorServiceIT {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static EmbeddedKafka kafka;
  private String events;
  private String anomalies;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @BeforeEach
  void nameTopics(TestInfo test) {
    events = test.getTestMethod().orElseThrow().getName();
    anomalies = events + ".anomalies";
  }

  @Test
  void anAnomalyReachesTheTopicTheApiTheMetricsAndTheListener() throws Exception {
    ConcurrentLinkedQueue<Anomaly> heard = new ConcurrentLinkedQueue<>();
    try (MonitorService monitor = MonitorService.start(config(), heard::add);
        EventLog log = log("shop")) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      log.commitAnomaly(1);
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();

      CheckerReport report = monitor.reports().get("shop");
      assertThat(report.transactions()).isEqualTo(4);
      assertThat(report.coverage()).isEqualTo(1.0);
      assertThat(report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.FAIL);
      assertThat(monitor.anomalies()).hasSize(1);
      assertThat(heard).hasSize(1);
      Anomaly anomaly = heard.element();
      assertThat(anomaly.capsule()).isNotEmpty();

      JsonNode published = new ObjectMapper().readTree(published(1).get(0).value());
      assertThat(published.path("id").asText()).isEqualTo(anomaly.id());
      assertThat(published.path("explanation").asText()).isEqualTo(anomaly.explanation());
      assertThat(get(monitor, "/api/anomalies/" + anomaly.id()).body())
          .contains("\"history\":\"shop\"", "\"statement\":\"SELECT v FROM register WHERE k = ?\"");
      assertThat(get(monitor, "/metrics").body()).contains(series(anomaly) + " 0.0");
      assertThat(get(monitor, "/metrics").body())
          .contains(series(anomaly) + " 1.0")
          .contains("isotail_transactions_total{history=\"shop\",outcome=\"committed\"} 4.0")
          .contains("isotail_detection_seconds_count{history=\"shop\"} 1")
          .contains("isotail_ready 1.0");
      assertThat(get(monitor, "/readyz").statusCode()).isEqualTo(200);
    }
    assertThat(timestampType()).isEqualTo("LogAppendTime");
  }

  @Test
  void aCheckerThatIsStuckFallsBehindInAllThatIsTold() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Consumer<Anomaly> sticking =
        anomaly -> {
          stuck.countDown();
          awaitUninterruptibly(goOn);
        };
    try (MonitorService monitor = MonitorService.start(config(), sticking);
        EventLog log = log("shop")) {
      log.commitAnomaly(1);
      assertThat(stuck.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      long records = log.commitMany(500);
      await(() -> behind(monitor) >= records && seconds(monitor) > 1);
      JsonNode ready = new ObjectMapper().readTree(get(monitor, "/readyz").body());
      assertThat(ready.at("/lag/records").asLong()).isEqualTo(records);
      assertThat(ready.at("/lag/seconds").asDouble()).isGreaterThan(1);
      assertThat(ready.at("/lag/transactions").asLong()).isGreaterThanOrEqualTo(records);
      assertThat(get(monitor, "/metrics").body())
          .contains("isotail_lag_records " + (double) records)
          .containsPattern("isotail_lag_seconds [1-9]")
          .containsPattern("isotail_lag_transactions [1-9]");
      goOn.countDown();
      await(() -> Lag.NONE.equals(monitor.status().lag()));
    } finally {
      goOn.countDown();
    }
  }

  private static long behind(MonitorService monitor) {
    Lag lag = monitor.status().lag();
    return lag == null ? 0 : lag.records();
  }

  private static double seconds(MonitorService monitor) {
    Lag lag = monitor.status().lag();
    return lag == null ? 0 : lag.seconds();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anAnomalyIsLoggedOnceWithItsWitness() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(AnomalyLog.class);
    ListAppender<ILoggingEvent> heard = new ListAppender<>();
    heard.start();
    logger.addAppender(heard);
    try (EventLog log = log("shop")) {
      String id;
      try (MonitorService monitor = MonitorService.start(config())) {
        log.commitAnomaly(1);
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        StoredAnomaly found = monitor.anomalies().get(0);
        id = found.id();
        ILoggingEvent line = line(heard, id);
        assertThat(line.getLevel()).isEqualTo(Level.INFO);
        assertThat(line.getMDCPropertyMap())
            .containsOnly(
                Map.entry("witness", id),
                Map.entry("history", "shop"),
                Map.entry("level", found.level().label()),
                Map.entry("anomaly", found.kind().label()));
        assertThat(line.getFormattedMessage()).endsWith(monitor.address(id).toString());
      }
      try (MonitorService monitor = MonitorService.start(config())) {
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        log.commitAnomaly(3);
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        assertThat(monitor.anomalies()).hasSizeGreaterThan(1);
        line(heard, id);
      }
    } finally {
      logger.detachAppender(heard);
    }
  }

  /** The one line about this anomaly; other tests of this process may log others. */
  private static ILoggingEvent line(ListAppender<ILoggingEvent> heard, String witness) {
    List<ILoggingEvent> lines =
        heard.list.stream()
            .filter(e -> witness.equals(e.getMDCPropertyMap().get("witness")))
            .toList();
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  @Test
  void aRestartNeitherPublishesNorCountsAnAnomalyAgain() throws Exception {
    String id;
    try (MonitorService monitor = MonitorService.start(config());
        EventLog log = log("shop")) {
      log.commitAnomaly(1);
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      id = monitor.anomalies().get(0).id();
    }
    ConcurrentLinkedQueue<Anomaly> heard = new ConcurrentLinkedQueue<>();
    try (MonitorService monitor = MonitorService.start(config(), heard::add)) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.anomalies()).extracting(StoredAnomaly::id).containsExactly(id);
      assertThat(heard).isEmpty();
      StoredAnomaly first = monitor.anomalies().get(0);
      assertThat(monitor.reports().get("shop").transactions()).isEqualTo(4);
      // It is so recent that nobody may have scraped it: the alert that looks back knows it.
      for (int scrape = 0; scrape < 3; scrape++) {
        assertThat(get(monitor, "/metrics").body())
            .contains(
                series(first.kind(), "shop", first.level()) + " " + Math.min(scrape, 1) + ".0")
            .contains("isotail_transactions_total{history=\"shop\",outcome=\"committed\"} 0.0");
      }

      try (EventLog other = log("warehouse")) {
        other.commitAnomaly(1);
      }
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(heard).extracting(Anomaly::history).containsExactly("warehouse");
    }
    assertThat(published(2)).extracting(ConsumerRecord::key).containsExactly("shop", "warehouse");
  }

  @Test
  void aTopicThatMayLoseUncheckedRecordsIsRefused() throws Exception {
    kafka.createTopic(events, 1, Map.of("retention.ms", "1000"));
    try (MonitorService monitor = MonitorService.start(config())) {
      await(() -> monitor.status().phase() == MonitorStatus.Phase.STOPPED);
      assertThat(monitor.status().problem())
          .contains(
              "retention.ms=1000", "expected at least 1200000", "checkpoint.interval-ms=10000");
      assertThat(get(monitor, "/healthz").statusCode()).isEqualTo(503);
    }
  }

  @Test
  void aChangedNumberOfPartitionsIsRefused() throws Exception {
    try (MonitorService monitor = MonitorService.start(config());
        EventLog log = log("shop")) {
      log.commitAnomaly(1);
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      for (String topic : List.of(events, events + ".state")) {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
      }
    }
    try (MonitorService monitor = MonitorService.start(config())) {
      await(() -> monitor.status().phase() == MonitorStatus.Phase.STOPPED);
      assertThat(monitor.status().problem())
          .contains("has 2 partitions, and had 1 when the state", "set another kafka.group");
    }
  }

  @Test
  void ofTwoWithOneNameTheFirstStopsAndSaysWhy() throws Exception {
    try (EventLog log = log("shop");
        MonitorService first = MonitorService.start(config("kafka.instance-id", "one"))) {
      log.commit(1, "w x 1");
      assertThat(first.awaitCaughtUp(LONG)).isTrue();
      try (MonitorService second = MonitorService.start(config("kafka.instance-id", "one"))) {
        assertThat(first.awaitStopped()).contains("kafka.instance-id=one", "name of its own");
        log.commitAnomaly(5);
        assertThat(second.awaitCaughtUp(LONG)).isTrue();
        assertThat(second.anomalies()).hasSize(1);
      }
    }
  }

  @Test
  void aHistoryWhoseSettingsChangeBeginsAnewAndSaysSo() throws Exception {
    try (MonitorService monitor = MonitorService.start(config());
        EventLog log = log("shop")) {
      log.commit(1, "w x 1");
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
    }
    try (MonitorService monitor =
            MonitorService.start(config("defaults.window.transactions", "5000"));
        EventLog log = log("shop")) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.reports().get("shop").lostRecords()).isEqualTo(1);
      log.commit(2, "r x 1");
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.anomalies()).isEmpty();
    }
  }

  @Test
  void bytesThatAreNoRecordAreSkippedAndCounted() throws Exception {
    try (MonitorService monitor = MonitorService.start(config());
        EventLog log = log("shop")) {
      byte[] noise = {(byte) 0xff, 0x13, 0x37, 0};
      log.sendBytes(EventCodec.key("shop"), noise);
      log.sendBytes(null, noise);
      log.sendBytes(EventCodec.key("shop"), null);
      log.sendBytes(EventCodec.key("shop"), "not a record at all".getBytes(StandardCharsets.UTF_8));
      log.commitAnomaly(1);
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();

      assertThat(monitor.status().badRecords()).isEqualTo(4);
      assertThat(monitor.anomalies()).hasSize(1);
      assertThat(get(monitor, "/metrics").body())
          .contains("isotail_bad_records_total{stage=\"decode\"} 4.0");
    }
  }

  @Test
  void historiesBeyondTheBoundAreCountedNotChecked() throws Exception {
    try (MonitorService monitor = MonitorService.start(config("max-histories", "1"));
        EventLog first = log("shop");
        EventLog second = log("another")) {
      first.commit(1, "w x 1");
      second.commit(1, "w x 1");
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();

      assertThat(monitor.reports()).containsOnlyKeys("shop");
      assertThat(monitor.status().badRecords()).isEqualTo(1);
    }
  }

  @Test
  void declaredHistoriesHaveTheirCountersAtZeroFromTheStart() throws Exception {
    try (MonitorService monitor =
        MonitorService.start(config("histories.shop.promise", "causal"))) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();

      assertThat(get(monitor, "/metrics").body())
          .contains(
              "isotail_anomalies_total{anomaly=\"causality-violation\",history=\"shop\",level=\"causal\"} 0.0")
          .contains("isotail_history_promise{history=\"shop\",promise=\"causal\"} 1.0");
    }
  }

  @Test
  void aBrokerThatIsKilledAndComesBackIsNoticedAndSurvived(@TempDir Path data) throws Exception {
    try (BrokerProcess own = BrokerProcess.start(data);
        MonitorService monitor =
            MonitorService.start(
                MonitorConfig.of(
                    Map.of(
                        "kafka.bootstrap",
                        own.bootstrapServers(),
                        "http.port",
                        "0",
                        "defaults.unique-versions",
                        "true")))) {
      try (EventLog log = new EventLog(own.bootstrapServers(), "isotail.events", "shop")) {
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        log.commitAnomaly(1);
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      }
      own.kill();
      await(() -> !monitor.status().ready());
      HttpResponse<String> unready = get(monitor, "/readyz");
      assertThat(unready.statusCode()).isEqualTo(503);
      assertThat(unready.body()).contains("the broker has not answered");
      String cause = own.bootstrapServers() + ": connection refused";
      await(() -> String.valueOf(monitor.status().problem()).contains(cause));
      assertThat(get(monitor, "/healthz").statusCode()).isEqualTo(200);
      assertThat(get(monitor, "/metrics").body())
          .as("goes on with it when the broker answers again")
          .containsPattern("isotail_partitions_assigned\\{.*} 1\\.0");

      own.restart();
      await(() -> monitor.status().ready());
      try (EventLog log = new EventLog(own.bootstrapServers(), "isotail.events", "late")) {
        log.commitAnomaly(1);
      }
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.anomalies())
          .extracting(StoredAnomaly::history)
          .containsExactly("shop", "late");
      assertThat(monitor.status().kafkaErrors()).isPositive();
    }
  }

  @Test
  void aMonitorStartsBeforeItsBroker() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    try (MonitorService monitor =
        MonitorService.start(
            MonitorConfig.of(
                Map.of(
                    "kafka.bootstrap",
                    "127.0.0.1:" + port,
                    "http.port",
                    "0",
                    "defaults.unique-versions",
                    "true")))) {
      await(() -> monitor.status().kafkaErrors() > 0);
      assertThat(get(monitor, "/readyz").statusCode()).isEqualTo(503);
      assertThat(get(monitor, "/metrics").body()).doesNotContain("isotail_partitions{");
      try (EmbeddedKafka late = EmbeddedKafka.start(port);
          EventLog log = new EventLog(late.bootstrapServers(), "isotail.events", "shop")) {
        await(() -> monitor.status().ready());
        log.commitAnomaly(1);
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        assertThat(monitor.anomalies()).hasSize(1);
        await(() -> Lag.NONE.equals(monitor.status().lag()));
      }
    }
  }

  private MonitorConfig config(String... settings) {
    Map<String, String> all = new HashMap<>();
    all.put("kafka.bootstrap", kafka.bootstrapServers());
    all.put("kafka.events-topic", events);
    all.put("kafka.anomalies-topic", anomalies);
    all.put("kafka.group", events);
    all.put("kafka.state-topic", events + ".state");
    all.put("http.port", "0");
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    all.putIfAbsent("defaults.unique-versions", "true");
    return MonitorConfig.of(all);
  }

  private EventLog log(String history) {
    kafka.createTopic(events, 1, Map.of("message.timestamp.type", "LogAppendTime"));
    return new EventLog(kafka.bootstrapServers(), events, history);
  }

  private static String series(Anomaly anomaly) {
    return series(anomaly.kind(), anomaly.history(), anomaly.level());
  }

  private static String series(AnomalyKind kind, String history, IsolationLevel level) {
    return "isotail_anomalies_total{anomaly=\"%s\",history=\"%s\",level=\"%s\"}"
        .formatted(kind.label(), history, level.label());
  }

  /** Everything on the anomalies topic, once at least so many records are. */
  private List<ConsumerRecord<String, String>> published(int atLeast) throws Exception {
    List<ConsumerRecord<String, String>> found = new ArrayList<>();
    TopicPartition partition = new TopicPartition(anomalies, 0);
    try (KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(
                Map.of(
                    "bootstrap.servers",
                    kafka.bootstrapServers(),
                    "isolation.level",
                    "read_committed"),
                new StringDeserializer(),
                new StringDeserializer());
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (found.size() < atLeast
          || consumer.position(partition)
              < admin
                  .listOffsets(Map.of(partition, OffsetSpec.latest()))
                  .partitionResult(partition)
                  .get()
                  .offset()) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          if (record.value().contains("\"id\"")) { // a cause has none
            found.add(record);
          }
        }
      }
    }
    return found;
  }

  private String timestampType() throws Exception {
    ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, events);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin
          .describeConfigs(List.of(topic))
          .all()
          .get()
          .get(topic)
          .get("message.timestamp.type")
          .value();
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("gave up waiting").isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static HttpResponse<String> get(MonitorService monitor, String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(monitor.address() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }
}

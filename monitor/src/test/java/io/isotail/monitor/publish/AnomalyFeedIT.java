package io.isotail.monitor.publish;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.StoredAnomaly;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class AnomalyFeedIT {
  private static final int KEPT = 4;
  private final AnomalyStore store = new AnomalyStore(KEPT);
  private final FeedProgress progress = new FeedProgress();
  private long nowNs;

  @Test
  void aNewConnectionReadsOnWhereTheOneBeforeEnded() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      kafka.createTopic("anomalies", 1, Map.of());
      KafkaClients clients =
          new KafkaClients(
              MonitorConfig.of(Map.of("kafka.bootstrap", kafka.bootstrapServers())).kafka());
      publish(clients, 0, 2 * KEPT);
      read(clients, metrics);
      assertThat(kept()).containsExactly("a4", "a5", "a6", "a7");
      assertThat(store.seen()).isEqualTo(2 * KEPT);
      store.repeated("a7", 9);

      publish(clients, 8, 1);
      read(clients, metrics);
      assertThat(kept()).containsExactly("a5", "a6", "a7", "a8");
      assertThat(store.seen()).as("each once").isEqualTo(2 * KEPT + 1);
      assertThat(store.find("a7").orElseThrow().occurrences()).isEqualTo(9);

      // A topic that was made anew ends before that.
      progress.next.put(new TopicPartition("anomalies", 0), 1_000L);
      publish(clients, 9, 1);
      read(clients, metrics);
      assertThat(kept()).contains("a9");
    }
  }

  @Test
  void whatThisInstanceHasPublishedCountsHoweverLateItIsSeen() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      kafka.createTopic("anomalies", 1, Map.of("message.timestamp.type", "CreateTime"));
      KafkaClients clients =
          new KafkaClients(
              MonitorConfig.of(Map.of("kafka.bootstrap", kafka.bootstrapServers())).kafka());
      long longAgoMs = System.currentTimeMillis() - 600_000;
      publish(clients, 0, 3, longAgoMs);
      try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
        // By the feed of a connection that has ended.
        feed(consumer, metrics).await("a2");
        AnomalyFeed feed = feed(consumer, metrics);
        while (!feed.isLoaded()) {
          feed.poll(nowNs);
        }
        assertThat(kept()).containsExactly("a0", "a1", "a2");
        assertThat(counted(metrics)).as("a2 alone").isEqualTo(1);
        feed.await("a1");
        feed.await("a1");
        feed.await("a2");
        assertThat(counted(metrics)).as("a2, and now a1").isEqualTo(2);
      }
    }
  }

  @Test
  void oldRecordsOfACauseCountNothingAndOwnOnesDo() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      kafka.createTopic("anomalies", 1, Map.of("message.timestamp.type", "CreateTime"));
      KafkaClients clients =
          new KafkaClients(
              MonitorConfig.of(Map.of("kafka.bootstrap", kafka.bootstrapServers())).kafka());
      long nowMs = System.currentTimeMillis();
      CauseReport cause = SampleAnomalies.cause("shop", "w1");
      try (Producer<byte[], byte[]> producer = clients.writer();
          Consumer<byte[], byte[]> consumer = clients.consumer()) {
        for (long ageMs : new long[] {900_000, 800_000, 700_000}) {
          publish(producer, cause, 5, true, nowMs - ageMs);
        }
        publish(producer, cause, 0, true, nowMs); // announced once more
        publish(producer, cause, 2, false, nowMs); // only its number
        AnomalyFeed feed = feed(consumer, metrics);
        while (!feed.isLoaded()) {
          feed.poll(nowNs);
        }
        metrics.scrape(null);
        assertThat(caused(metrics)).as("of two minutes").isEqualTo("2.0");
        feed.await(new PublishedCause(cause, 4, true));
        publish(producer, cause, 4, true, nowMs - 600_000);
        while (!caused(metrics).equals("6.0")) {
          feed.poll(nowNs);
        }
        assertThat(store.causes().find(cause.id())).isPresent();
      }
    }
  }

  private static void publish(
      Producer<byte[], byte[]> producer,
      CauseReport cause,
      long fresh,
      boolean whole,
      long timestampMs)
      throws Exception {
    ProducerRecord<byte[], byte[]> made =
        AnomalyRecord.of("anomalies", new PublishedCause(cause, fresh, whole));
    producer
        .send(
            new ProducerRecord<>(
                made.topic(), null, timestampMs, made.key(), made.value(), made.headers()))
        .get();
  }

  private static String caused(MonitorMetrics metrics) {
    String series = "isotail_incident_violations_total{history=\"shop\",slot=\"1\"} ";
    return new String(metrics.scrape(null).body(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(series))
        .map(line -> line.substring(series.length()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatThisVersionCannotUseIsSkippedCountedAndLoggedOnceAnHour() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      kafka.createTopic("anomalies", 1, Map.of());
      KafkaClients clients =
          new KafkaClients(
              MonitorConfig.of(Map.of("kafka.bootstrap", kafka.bootstrapServers())).kafka());
      String usual = new String(document("a0"), StandardCharsets.UTF_8);
      String kind = usual.replace("causality-violation", "time-travel");
      assertThat(kind).isNotEqualTo(usual);
      ListAppender<ILoggingEvent> heard = new ListAppender<>();
      heard.start();
      Logger logger = (Logger) LoggerFactory.getLogger(AnomalyFeed.class);
      logger.addAppender(heard);
      try (Producer<byte[], byte[]> producer = clients.writer()) {
        producer.send(record(document("a0"), null)); // as before there were versions
        producer.send(record(document("a1"), "5"));
        producer.send(record(document("a2"), "5"));
        producer.send(record(kind.getBytes(StandardCharsets.UTF_8), "1"));
        producer.send(record(new byte[] {'{'}, "1"));
        producer.send(record(document("a3"), "one"));
        producer.send(record(null, null));
        Finding finding = Finding.of(SampleAnomalies.causality("a4"), 0, 0);
        ProducerRecord<byte[], byte[]> written = AnomalyRecord.of("anomalies", finding);
        assertThat(written.headers().lastHeader("isotail-version").value())
            .asString()
            .isEqualTo("1");
        producer.send(written).get();
        read(clients, metrics);
        assertThat(kept()).containsExactly("a0", "a4");
        assertThat(new String(metrics.scrape(null).body(), StandardCharsets.UTF_8))
            .contains("isotail_bad_records_total{stage=\"anomaly\"} 6.0");
        assertThat(heard.list)
            .extracting(ILoggingEvent::getFormattedMessage)
            .satisfiesExactly(
                m ->
                    assertThat(m)
                        .isEqualTo(
                            "anomalies-0 offset 1: newer (version 5; this instance reads up to 4:"
                                + " upgrade it); skipped, and further ones like it are only"
                                + " counted for an hour"),
                m ->
                    assertThat(m)
                        .startsWith(
                            "anomalies-0 offset 3: unknown (anomaly 'time-travel' is unknown to"
                                + " this instance: upgrade it); skipped"),
                m ->
                    assertThat(m)
                        .startsWith("anomalies-0 offset 4: malformed (not JSON: ")
                        .doesNotContain("\n"));

        nowNs += TimeUnit.HOURS.toNanos(1) - 1;
        producer.send(record(new byte[] {'['}, "1")).get();
        read(clients, metrics);
        assertThat(heard.list).as("within the hour").hasSize(3);
        nowNs++;
        producer.send(record(new byte[] {'['}, "1")).get();
        read(clients, metrics);
        assertThat(heard.list).as("an hour later").hasSize(4);
      } finally {
        logger.detachAppender(heard);
      }
    }
  }

  @Test
  void whatThisInstanceHasPublishedIsNotAwaitedIfItIsOfNoUse() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      kafka.createTopic("anomalies", 1, Map.of());
      KafkaClients clients =
          new KafkaClients(
              MonitorConfig.of(Map.of("kafka.bootstrap", kafka.bootstrapServers())).kafka());
      try (Producer<byte[], byte[]> producer = clients.writer();
          Consumer<byte[], byte[]> consumer = clients.consumer()) {
        producer.send(record(document("a0"), "5"));
        producer.send(record("{\"id\":\"a1\",".getBytes(StandardCharsets.UTF_8), "1")).get();
        AnomalyFeed feed = feed(consumer, metrics);
        feed.await("a0");
        while (!feed.isLoaded()) {
          feed.poll(nowNs);
        }
        assertThat(feed.awaited()).as("read after it").isZero();
        feed.await("a1");
        assertThat(feed.awaited()).as("read before it").isZero();
        feed.await("a2");
        assertThat(feed.awaited()).isEqualTo(1);
      }
    }
  }

  private static ProducerRecord<byte[], byte[]> record(
      byte @Nullable [] document, @Nullable String version) {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("anomalies", document);
    if (version != null) {
      record.headers().add("isotail-version", version.getBytes(StandardCharsets.UTF_8));
    }
    return record;
  }

  private static byte[] document(String id) {
    return AnomalyDocument.bytes(SampleAnomalies.causality(id), 0, 0);
  }

  /** What the counter of all of them says once it was seen at zero. */
  private static double counted(MonitorMetrics metrics) throws Exception {
    for (int scrape = 0; scrape < 2; scrape++) {
      metrics.scrape(null);
    }
    String text = new String(metrics.scrape(null).body(), StandardCharsets.UTF_8);
    return text.lines()
        .filter(line -> line.startsWith("isotail_anomalies_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private AnomalyFeed feed(Consumer<byte[], byte[]> consumer, MonitorMetrics metrics) {
    return new AnomalyFeed(
        consumer, List.of(new TopicPartition("anomalies", 0)), store, metrics, progress);
  }

  private void read(KafkaClients clients, MonitorMetrics metrics) {
    try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
      AnomalyFeed feed = feed(consumer, metrics);
      while (!feed.isLoaded()) {
        feed.poll(nowNs);
      }
    }
  }

  private List<String> kept() {
    return store.all().stream().map(StoredAnomaly::id).toList();
  }

  private static void publish(KafkaClients clients, int first, int count) throws Exception {
    publish(clients, first, count, System.currentTimeMillis());
  }

  private static void publish(KafkaClients clients, int first, int count, long atMs)
      throws Exception {
    try (Producer<byte[], byte[]> producer = clients.writer()) {
      for (int i : IntStream.range(first, first + count).toArray()) {
        producer.send(new ProducerRecord<>("anomalies", 0, atMs, null, document("a" + i))).get();
      }
    }
  }
}

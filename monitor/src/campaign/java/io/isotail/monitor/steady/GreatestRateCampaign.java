package io.isotail.monitor.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.event.TransactionBatch;
import io.isotail.ingest.generate.EndlessHistory;
import io.isotail.ingest.generate.EndlessTraffic;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.monitor.process.MonitorProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast one instance works a log off, with the weak levels and with all of them, beside a plain
 * consumer that only fetches it. Its name keeps it out of ordinary builds; {@code deploy/verify
 * --campaign steady} runs it.
 */
final class GreatestRateCampaign {
  private static final int TRANSACTIONS =
      Integer.getInteger("isotail.rate.transactions", 3_000_000);
  private static final int WINDOW = 100_000;
  private static final String TOPIC = "isotail.events";
  private static final TopicPartition EVENTS = new TopicPartition(TOPIC, 0);

  /** The window is full and the code is compiled when this part of the log is worked off. */
  private static final double WARM = 0.4;

  private static final Duration STALLED = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void aLogIsWorkedOff() throws Exception {
    say(
        "| traffic | fetched only/s | weak levels/s | all levels/s | weak by fetched | all by fetched |");
    say("|---|---|---|---|---|---|");
    EndlessTraffic general = EndlessTraffic.aroundWindow(WINDOW);
    row("mini-transactions", general.ofMiniTransactions());
    row("8 operations", general);
  }

  private void row(String name, EndlessTraffic traffic) throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(folder.resolve("broker " + name))) {
      createTopics(broker);
      double fetched = fetch(broker, fill(broker, traffic));
      double weak = drain(broker, IsolationLevel.CAUSAL);
      double all = drain(broker, IsolationLevel.STRICT_SERIALIZABLE);
      say(
          "| %s | %,.0f | %,.0f | %,.0f | %.2f | %.2f |",
          name, fetched, weak, all, weak / fetched, all / fetched);
    }
  }

  /** The monitor makes the topics as it wants them. */
  private void createTopics(BrokerProcess broker) throws Exception {
    try (MonitorProcess monitor = monitor(broker, "first", IsolationLevel.CAUSAL)) {
      Scrape.awaitReady(monitor.awaitAddress());
    }
  }

  /** As emitters at that rate write it: in full batches. Returns how many there are. */
  private static int fill(BrokerProcess broker, EndlessTraffic traffic) {
    int batches = 0;
    EndlessHistory history =
        new EndlessHistory(traffic, 1, Collections.emptyIterator(), injection -> {});
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      TransactionBatch batch = new TransactionBatch();
      for (int i = 0; i < TRANSACTIONS; i++) {
        TransactionRecord next = history.next();
        while (!batch.offer(next)) {
          send(producer, batch);
          batches++;
        }
      }
      send(producer, batch);
      return batches + 1;
    }
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, TransactionBatch batch) {
    var unused = producer.send(new ProducerRecord<>(TOPIC, EventCodec.key("rate"), batch.take()));
  }

  /** Transactions a second that a consumer fetches and does nothing with. */
  private static double fetch(BrokerProcess broker, int batches) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("max.poll.records", 2_000);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(EVENTS));
      consumer.seekToBeginning(List.of(EVENTS));
      long bytes = 0;
      int seen = 0;
      long warmNs = 0;
      int warm = (int) (WARM * batches);
      while (seen < batches) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          bytes += record.value().length;
          if (++seen == warm) {
            warmNs = System.nanoTime();
          }
        }
      }
      double seconds = (System.nanoTime() - warmNs) / 1e9;
      say("a transaction has %d bytes on average", bytes / TRANSACTIONS);
      return (1 - WARM) * TRANSACTIONS / seconds;
    }
  }

  /** Transactions a second that a monitor checks. */
  private double drain(BrokerProcess broker, IsolationLevel level) throws Exception {
    try (MonitorProcess monitor = monitor(broker, level.label(), level)) {
      URI address = monitor.awaitAddress();
      double warmAt = 0;
      long warmNs = 0;
      double last = 0;
      long movedNs = System.nanoTime();
      while (true) {
        Scrape now = Scrape.of(address);
        long nowNs = System.nanoTime();
        double records = now.sum("isotail_records_total");
        if (records > last) {
          last = records;
          movedNs = nowNs;
        }
        if (warmNs == 0 && records >= WARM * TRANSACTIONS) {
          warmNs = nowNs;
          warmAt = records;
        }
        if (records >= TRANSACTIONS) {
          assertThat(now.sum("isotail_anomalies_total")).as("anomalies").isZero();
          assertThat(now.sum("isotail_reads_decided_total") / now.sum("isotail_reads_total"))
              .as("coverage")
              .isGreaterThan(0.99);
          return (records - warmAt) * 1e9 / (nowNs - warmNs);
        }
        assertThat(nowNs - movedNs).as(monitor.lastWords()).isLessThan(STALLED.toNanos());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  private MonitorProcess monitor(BrokerProcess broker, String group, IsolationLevel level)
      throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", broker.bootstrapServers());
    settings.put("kafka.group", group);
    settings.put("kafka.state-topic", "isotail.state." + group);
    settings.put("http.port", "0");
    settings.put("defaults.level", level.label());
    settings.put("defaults.promise", level.label());
    settings.put("defaults.closed", "true");
    settings.put("defaults.deletes", "false");
    settings.put("defaults.unique-versions", "true");
    settings.put("defaults.window.transactions", Integer.toString(WINDOW));
    return MonitorProcess.large(settings, Files.createTempFile(folder, group, ".log"), 2_048);
  }

  private static void say(String format, Object... arguments) {
    System.out.println("rate: " + String.format(Locale.ROOT, format, arguments));
  }
}

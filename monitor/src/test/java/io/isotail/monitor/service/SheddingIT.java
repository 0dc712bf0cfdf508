package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.store.StoredAnomaly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A monitor that is behind checks fewer levels for a time, and says so in the log. */
final class SheddingIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String HISTORY = "shop";
  private static final int BATCH = 2_000;

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void aMonitorThatIsBehindShedsLevelsAndTakesThemBack() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start();
        EventLog log = new EventLog(kafka.bootstrapServers(), "isotail.events", HISTORY)) {
      MonitorConfig config = config(kafka);
      try (MonitorService first = MonitorService.start(config)) {
        assertThat(first.awaitCaughtUp(LONG)).isTrue();
      }
      try (MonitorService monitor = MonitorService.start(config)) {
        overload(kafka, monitor);
        assertThat(monitor.reports().get(HISTORY).checked()).isEqualTo(IsolationLevel.CAUSAL);
        lostUpdate(log, 1);
        await(monitor, status -> !status.sheds());
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        assertThat(monitor.anomalies()).as("what was shed").isEmpty();
        lostUpdate(log, 11);
        assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
        assertThat(monitor.anomalies())
            .extracting(StoredAnomaly::kind)
            .containsExactly(AnomalyKind.LOST_UPDATE);
      }
      assertThat(controls(kafka))
          .extracting(Control::settings)
          .containsExactly(
              Map.of(Control.LEVEL, "causal"), Map.of(Control.LEVEL, "strict-serializable"));
    }
  }

  /** More than can be checked, until levels are shed. */
  private static void overload(EmbeddedKafka kafka, MonitorService monitor) throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Void> flood =
        CompletableFuture.runAsync(
            () -> {
              try (EventLog log =
                  new EventLog(kafka.bootstrapServers(), "isotail.events", HISTORY)) {
                while (!enough.get()) {
                  log.commitMany(BATCH);
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    try {
      await(monitor, HistoryStatus::sheds);
    } finally {
      enough.set(true);
      flood.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static void lostUpdate(EventLog log, int version) throws Exception {
    log.commit(1, "w x " + version);
    log.commit(2, "r x " + version, "w x " + (version + 1));
    log.commit(3, "r x " + version, "w x " + (version + 2));
  }

  private static void await(MonitorService monitor, Predicate<HistoryStatus> condition)
      throws InterruptedException {
    long deadlineNs = System.nanoTime() + LONG.toNanos();
    while (true) {
      HistoryStatus status = monitor.status().histories().get(HISTORY);
      if (status != null && condition.test(status)) {
        return;
      }
      assertThat(System.nanoTime() - deadlineNs).as("%s", status).isNegative();
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static MonitorConfig config(EmbeddedKafka kafka) {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", kafka.bootstrapServers());
    settings.put("http.port", "0");
    settings.put("histories.shop.promise", "snapshot-isolation");
    settings.put("histories.shop.unique-versions", "true");
    settings.put("histories.shop.shed.to", "causal");
    settings.put("histories.shop.shed.after-ms", "1");
    settings.put("histories.shop.shed.recover-ms", "5000");
    return MonitorConfig.of(settings);
  }

  private static List<Control> controls(EmbeddedKafka kafka) throws Exception {
    List<Control> controls = new ArrayList<>();
    TopicPartition events = new TopicPartition("isotail.events", 0);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(events));
      consumer.seekToBeginning(List.of(events));
      long end = consumer.endOffsets(List.of(events)).get(events);
      while (consumer.position(events) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          for (StreamRecord one : EventCodec.decode(record.value())) {
            if (one instanceof Control control) {
              controls.add(control);
            }
          }
        }
      }
    }
    return controls;
  }
}

package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.store.StoredAnomaly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker loses the end of the log, as by a power cut, and others write in its place: a real one,
 * killed, of whose files the last bytes are cut off.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
final class LostLogIT {
  /** On a busy machine a minute was once not enough for a broker that had lost its log. */
  private static final Duration LONG = Duration.ofSeconds(150);

  /** Of which the broker's answer may take five seconds. */
  private static final Duration LONGER_THAN_A_REQUEST = Duration.ofSeconds(8);

  @TempDir private static Path data;

  private static BrokerProcess broker;
  private MonitorConfig config;

  @BeforeAll
  static void startBroker() {
    broker = BrokerProcess.start(data);
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  /** Each test has its own topics. */
  @BeforeEach
  void nameTopics(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName();
    config =
        MonitorConfig.of(
            Map.of(
                "kafka.bootstrap",
                broker.bootstrapServers(),
                "kafka.events-topic",
                name,
                "kafka.anomalies-topic",
                name + ".anomalies",
                "kafka.state-topic",
                name + ".state",
                "kafka.group",
                name,
                "http.port",
                "0",
                "defaults.unique-versions",
                "true"));
  }

  @Test
  void whileTheMonitorReads() throws Exception {
    try (MonitorService monitor = MonitorService.start(config)) {
      long kept = writeAndKeepTwo(monitor);
      loseAllBut(kept);
      writeInItsPlace();
      requireLoss(monitor);
    }
    requireItIsKnownAfterARestart();
  }

  @Test
  void withWhatTheGroupHasCommitted() throws Exception {
    try (MonitorService monitor = MonitorService.start(config)) {
      long kept = writeAndKeepTwo(monitor);
      broker.kill();
      cut(segment("__consumer_offsets-0"), 0);
      cut(segment(), kept);
      broker.restart();
      writeInItsPlace();
      requireLoss(monitor);
    }
    requireItIsKnownAfterARestart();
  }

  @Test
  void whileTheMonitorIsAwayAndTheLogGrowsFartherThanItWas() throws Exception {
    loseAllButTwoWhileAway();
    writeInItsPlace();
    try (MonitorService monitor = MonitorService.start(config)) {
      requireLoss(monitor);
    }
    requireItIsKnownAfterARestart();
  }

  @Test
  void whileTheMonitorIsAwayAndNobodyWrites() throws Exception {
    loseAllButTwoWhileAway();
    try (MonitorService monitor = MonitorService.start(config)) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.reports().get("shop").lostRecords()).isPositive();
    }
    // Before anything was read.
    requireItIsKnownAfterARestart();
  }

  @Test
  void whoAwaitsTheEndOfTheLogWaitsForABrokerThatIsAway() throws Exception {
    try (MonitorService monitor = MonitorService.start(config)) {
      writeAndKeepTwo(monitor);
      broker.kill();
      CompletableFuture<Boolean> caughtUp = new CompletableFuture<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  caughtUp.complete(monitor.awaitCaughtUp(LONG));
                } catch (InterruptedException | RuntimeException e) {
                  caughtUp.completeExceptionally(e);
                }
              });
      waiting.start();
      waiting.join(LONGER_THAN_A_REQUEST.toMillis());
      assertThat(caughtUp).isNotDone();
      broker.restart();
      assertThat(caughtUp).succeedsWithin(LONG).isEqualTo(true);
    }
  }

  private void loseAllButTwoWhileAway() throws Exception {
    long kept;
    try (MonitorService monitor = MonitorService.start(config)) {
      kept = writeAndKeepTwo(monitor);
    }
    loseAllBut(kept);
  }

  /** Six transactions, all checked; returns how large the log was after two. */
  private long writeAndKeepTwo(MonitorService monitor) throws Exception {
    long kept;
    try (EventLog log = log()) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      log.commit(1, "w x 1");
      log.commit(1, "w x 2");
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      kept = Files.size(segment());
      for (int version = 3; version <= 6; version++) {
        log.commit(1, "w x " + version);
      }
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.reports().get("shop").transactions()).isEqualTo(6);
    }
    return kept;
  }

  private void loseAllBut(long bytes) throws Exception {
    broker.kill();
    cut(segment(), bytes);
    broker.restart();
  }

  private static void cut(Path segment, long bytes) throws IOException {
    try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      assertThat(file.size()).isGreaterThan(bytes);
      file.truncate(bytes);
    }
  }

  /** Nine transactions, four of which violate causal consistency. */
  private void writeInItsPlace() throws Exception {
    try (EventLog log = log()) {
      for (int version = 13; version <= 17; version++) {
        log.commit(7, "w z " + version);
      }
      log.commit(4, "w x 101");
      log.commit(5, "r x 101", "w x 102", "w y 102");
      log.commit(6, "r y 102");
      log.commit(6, "r x 101");
    }
  }

  private static void requireLoss(MonitorService monitor) throws Exception {
    assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
    assertThat(monitor.reports().get("shop").lostRecords()).isPositive();
    assertThat(monitor.anomalies()).extracting(StoredAnomaly::history).containsExactly("shop");
  }

  private void requireItIsKnownAfterARestart() throws Exception {
    try (MonitorService monitor = MonitorService.start(config);
        EventLog log = log()) {
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.reports().get("shop").lostRecords()).isPositive();
      int before = monitor.anomalies().size();
      log.commit(8, "r x 5");
      assertThat(monitor.awaitCaughtUp(LONG)).isTrue();
      assertThat(monitor.anomalies()).as("5 is lost, not made up").hasSize(before);
    }
  }

  private EventLog log() {
    return new EventLog(broker.bootstrapServers(), config.kafka().eventsTopic(), "shop");
  }

  private Path segment() throws IOException {
    return segment(config.kafka().eventsTopic() + "-0");
  }

  private Path segment(String partition) throws IOException {
    Path folder = Path.of(partition);
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.getParent().endsWith(folder) && file.toString().endsWith(".log"))
          .findFirst()
          .orElseThrow();
    }
  }
}

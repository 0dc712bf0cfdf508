package io.isotail.monitor.trial;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.workload.Workload;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.reach.Reachability;
import io.isotail.monitor.service.MonitorService;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that a trial starts, stopped in the opposite order. */
final class TrialStack implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TrialStack.class);
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_MS = 20;

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final String history;
  private final MonitorService monitor;
  private final KafkaEmitter emitter;
  private Supplier<List<CaptureStats>> stats = List::of;
  private final Workload workload;
  private final Disturber disturber;
  private final long startedNs;
  private final TrialDatabase.Running database;
  private final String bootstrap;

  private TrialStack(TrialConfig config, Consumer<Anomaly> onNew) throws Exception {
    requireBroker(config.kafka());
    try {
      CompletableFuture<TrialDatabase.Running> databaseStart =
          CompletableFuture.supplyAsync(() -> startDatabase(config.database()));
      try {
        this.bootstrap = config.kafka() == null ? broker() : config.kafka();
      } finally {
        // Also when the broker fails: what is starting must be stopped again.
        started.push(databaseStart.join());
      }
      this.database = databaseStart.join();
      this.history =
          config.kafka() == null
              ? config.name()
              : config.name() + "-" + UUID.randomUUID().toString().substring(0, 8);
      this.monitor = MonitorService.startUnlogged(monitorConfig(config, bootstrap), onNew);
      started.push(monitor);
      awaitMonitor(bootstrap);
      this.emitter = new KafkaEmitter(EmitterConfig.of(bootstrap, history, config.name(), ""));
      started.push(emitter);
      if (!emitter.awaitReady(READY_TIMEOUT)) {
        throw new TrialException(
            "the broker at %s did not take the first record within %d s"
                .formatted(bootstrap, READY_TIMEOUT.toSeconds()));
      }
      CaptureConfig capture =
          CaptureConfig.of(history, ObservedTables.parse(database.observed()))
              .withService(config.name(), "")
              .withClearNames();
      TrialDatabase.Captured captured = database.capture(capture, emitter, config.levels());
      started.push(captured.part());
      stats = captured.stats();
      database.create();
      this.workload = captured.workload().apply(config.workload());
      started.push(workload);
      workload.setUp();
      this.startedNs = System.nanoTime();
      workload.start();
      this.disturber =
          new Disturber(config.faults(), workload, database.direct(), database.table());
      started.push(disturber);
      disturber.start();
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private static void requireBroker(@Nullable String bootstrap)
      throws TrialException, InterruptedException {
    String silent = bootstrap == null ? null : Reachability.brokers(bootstrap);
    if (silent != null) {
      throw new TrialException(silent);
    }
  }

  /**
   * Starts everything; returns when the workload runs.
   *
   * @throws TrialException saying which part did not start
   */
  static TrialStack start(TrialConfig config, Consumer<Anomaly> onNew)
      throws TrialException, InterruptedException {
    try {
      return new TrialStack(config, onNew);
    } catch (InterruptedException | TrialException e) {
      throw e;
    } catch (SQLException e) {
      throw new TrialException("the database did not take the workload: " + e.getMessage(), e);
    } catch (CompletionException e) {
      throw e.getCause() instanceof TrialException known
          ? known
          : new TrialException("the database did not start: " + e.getCause(), e);
    } catch (Exception e) {
      throw new TrialException(String.valueOf(e.getMessage()), e);
    }
  }

  private static TrialDatabase.Running startDatabase(TrialDatabase database) {
    try {
      return database.start();
    } catch (TrialException e) {
      throw new CompletionException(e);
    }
  }

  private String broker() {
    EmbeddedKafka kafka = EmbeddedKafka.start();
    started.push(kafka);
    return kafka.bootstrapServers();
  }

  private MonitorConfig monitorConfig(TrialConfig config, String bootstrap) {
    Map<String, String> settings = new HashMap<>();
    settings.put(Setting.KAFKA_BOOTSTRAP.key(), bootstrap);
    settings.put(Setting.HTTP_PORT.key(), Integer.toString(config.port()));
    String declared = Setting.HISTORIES + history + ".";
    if (config.levels().mixed()) {
      for (SessionLevels.Level level : config.levels().all()) {
        settings.put(declared + Setting.PROMISES.prefix() + level.told(), level.promise().label());
      }
    } else {
      settings.put(declared + Setting.PROMISE, config.levels().weakest().label());
    }
    database.declared().forEach((setting, value) -> settings.put(declared + setting, value));
    return MonitorConfig.of(settings);
  }

  private void awaitMonitor(String bootstrap) throws InterruptedException, TrialException {
    long deadlineNs = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (!monitor.status().ready()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new TrialException(
            "the monitor could not read from the broker at %s within %d s: %s"
                .formatted(bootstrap, READY_TIMEOUT.toSeconds(), monitor.status().problem()));
      }
      Thread.sleep(POLL_MS);
    }
  }

  String history() {
    return history;
  }

  MonitorService monitor() {
    return monitor;
  }

  KafkaEmitter emitter() {
    return emitter;
  }

  /** What was captured and what could not be, by name, of all drivers or proxies together. */
  Map<String, Long> captured() {
    Map<String, Long> all = new TreeMap<>();
    for (CaptureStats each : stats.get()) {
      each.snapshot().forEach((name, count) -> all.merge(name, count, Long::sum));
    }
    return all;
  }

  TrialDatabase.Running database() {
    return database;
  }

  /** The broker, as {@code host:port}. */
  String bootstrap() {
    return bootstrap;
  }

  Workload workload() {
    return workload;
  }

  /** When the workload began, in ns of {@link System#nanoTime}. */
  long startedNs() {
    return startedNs;
  }

  Disturber disturber() {
    return disturber;
  }

  /** Stops what was started, the last first; what fails to stop does not keep the rest. */
  @Override
  public void close() {
    while (!started.isEmpty()) {
      AutoCloseable part = started.pop();
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn("{} did not stop in good order", part.getClass().getSimpleName(), e);
      }
    }
  }
}

package io.isotail.monitor.demo;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sql.ObservedTables;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.reach.Reachability;
import io.isotail.monitor.service.MonitorService;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything that a demo starts, stopped in the opposite order. */
final class DemoStack implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DemoStack.class);
  private static final Duration READY_TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_MS = 20;

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final String history;
  private final MonitorService monitor;
  private final KafkaEmitter emitter;
  private Supplier<CaptureStats> stats = CaptureStats::new;
  private final RegisterWorkload workload;

  private DemoStack(DemoConfig config, Consumer<Anomaly> onNew) throws Exception {
    requireBroker(config.kafka());
    try {
      CompletableFuture<EmbeddedDatabase> databaseStart =
          CompletableFuture.supplyAsync(DemoStack::startDatabase);
      String bootstrap;
      try {
        bootstrap = config.kafka() == null ? broker() : config.kafka();
      } finally {
        // Also when the broker fails: what is starting must be stopped again.
        started.push(databaseStart.join());
      }
      EmbeddedDatabase database = databaseStart.join();
      this.history =
          config.kafka() == null ? "demo" : "demo-" + UUID.randomUUID().toString().substring(0, 8);
      this.monitor = MonitorService.startUnlogged(monitorConfig(config, bootstrap), onNew);
      started.push(monitor);
      awaitMonitor(bootstrap);
      this.emitter = new KafkaEmitter(EmitterConfig.of(bootstrap, history, "demo", ""));
      started.push(emitter);
      if (!emitter.awaitReady(READY_TIMEOUT)) {
        throw new DemoException(
            "the broker at %s did not take the first record within %d s"
                .formatted(bootstrap, READY_TIMEOUT.toSeconds()));
      }
      CaptureConfig capture =
          CaptureConfig.of(history, ObservedTables.parse(RegisterWorkload.REGISTERS.observed()))
              .withService("demo", "")
              .withClearNames();
      ConnectionSource direct = () -> DriverManager.getConnection(database.jdbcUrl());
      ConnectionSource captured =
          switch (config.through()) {
            case DRIVER -> driver(capture, direct);
            case PROXY -> proxy(capture, database);
          };
      RegisterWorkload.REGISTERS.create(direct);
      this.workload =
          new RegisterWorkload(
              WorkloadConfig.defaults(config.isolation().jdbc(), config.seed())
                  .withSize(config.sessions(), config.keys()),
              RegisterWorkload.REGISTERS,
              captured);
      started.push(workload);
      workload.setUp();
      workload.start();
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  private ConnectionSource driver(CaptureConfig config, ConnectionSource direct) {
    ConnectionWrapper wrapper = IsotailDriver.wrapper(config, emitter, emitter.proxyId());
    stats = wrapper::stats;
    return () -> wrapper.wrap(direct.open());
  }

  private ConnectionSource proxy(CaptureConfig config, EmbeddedDatabase database) {
    Capture capture = new Capture(config, emitter, emitter.proxyId());
    stats = capture::stats;
    ProxyServer proxy =
        ProxyServer.start(
            ProxyConfig.of(
                new ProxyConfig.Address("127.0.0.1", 0),
                new ProxyConfig.Address("127.0.0.1", database.port())),
            CapturedConversations.of(capture));
    started.push(proxy);
    String url = EmbeddedDatabase.jdbcUrl(proxy.port());
    return () -> DriverManager.getConnection(url);
  }

  private static void requireBroker(@Nullable String bootstrap)
      throws DemoException, InterruptedException {
    String silent = bootstrap == null ? null : Reachability.brokers(bootstrap);
    if (silent != null) {
      throw new DemoException(silent);
    }
  }

  /**
   * Starts everything; returns when the workload runs.
   *
   * @throws DemoException saying which part did not start
   */
  static DemoStack start(DemoConfig config, Consumer<Anomaly> onNew)
      throws DemoException, InterruptedException {
    try {
      return new DemoStack(config, onNew);
    } catch (InterruptedException | DemoException e) {
      throw e;
    } catch (SQLException e) {
      throw new DemoException("the database did not take the workload: " + e.getMessage(), e);
    } catch (CompletionException e) {
      throw new DemoException("the database did not start: " + e.getCause(), e);
    } catch (Exception e) {
      throw new DemoException(String.valueOf(e.getMessage()), e);
    }
  }

  private static EmbeddedDatabase startDatabase() {
    try {
      return EmbeddedDatabase.start();
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }

  private String broker() {
    EmbeddedKafka kafka = EmbeddedKafka.start();
    started.push(kafka);
    return kafka.bootstrapServers();
  }

  private MonitorConfig monitorConfig(DemoConfig config, String bootstrap) {
    Map<String, String> settings = new HashMap<>();
    settings.put(Setting.KAFKA_BOOTSTRAP.key(), bootstrap);
    settings.put(Setting.HTTP_PORT.key(), Integer.toString(config.port()));
    String declared = Setting.HISTORIES + history + ".";
    settings.put(declared + Setting.PROMISE, config.promise().label());
    settings.put(declared + Setting.CLOSED, "true");
    settings.put(declared + Setting.DELETES, "false");
    settings.put(declared + Setting.UNIQUE_VERSIONS, "true");
    return MonitorConfig.of(settings);
  }

  private void awaitMonitor(String bootstrap) throws InterruptedException, DemoException {
    long deadlineNs = System.nanoTime() + READY_TIMEOUT.toNanos();
    while (!monitor.status().ready()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new DemoException(
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

  /** What was captured. */
  CaptureStats captured() {
    return stats.get();
  }

  RegisterWorkload workload() {
    return workload;
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

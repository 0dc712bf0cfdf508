package io.isotail.monitor.databases;

import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sql.Identities;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.service.MonitorService;
import io.isotail.monitor.tail.LogPlaces;
import io.isotail.monitor.tail.LogTail;
import io.isotail.monitor.tail.Tail;
import io.isotail.monitor.tail.TailTarget;
import io.isotail.monitor.tail.WalTail;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * A database whose log is followed, a broker and a monitor, for applications that a test brings:
 * they connect through isotail's driver or past it.
 */
final class TailedRun implements AutoCloseable {
  static final String HISTORY = "shop";
  private static final Duration TIMEOUT = Duration.ofSeconds(150);
  private static final long SERVER_ID = 4711;

  private final DatabaseServer server;
  private final EmbeddedKafka broker;
  private final MonitorService monitor;
  private final MonitorConfig config;
  private final Admin admin;
  private @Nullable LogTail tail;
  private @Nullable String tailUser;
  private volatile @Nullable String tailEnded;

  /**
   * Starts all but the tail.
   *
   * @param settings of the history
   */
  TailedRun(DatabaseServer server, Map<String, String> settings) throws Exception {
    this.server = server;
    this.broker = EmbeddedKafka.start();
    Map<String, String> all = new HashMap<>();
    all.put("kafka.bootstrap", broker.bootstrapServers());
    all.put("http.port", "0");
    settings.forEach((name, value) -> all.put("histories." + HISTORY + "." + name, value));
    this.config = MonitorConfig.of(all);
    this.admin = new KafkaClients(config.kafka()).admin();
    this.monitor = MonitorService.start(config);
    await("the monitor to read", () -> monitor.status().ready());
  }

  /** Runs statements past isotail. */
  void execute(String... statements) throws SQLException {
    try (Connection c = DriverManager.getConnection(server.urls().get(0));
        Statement s = c.createStatement()) {
      for (String statement : statements) {
        s.execute(statement);
      }
    }
  }

  /** Follows the log of a MariaDB from now on, as another user of the same password. */
  Tail startTail(String user) throws InterruptedException {
    tailUser = user;
    startTail();
    return (Tail) Objects.requireNonNull(tail);
  }

  /** Follows the log from now on. */
  void startTail() throws InterruptedException {
    KafkaClients clients = new KafkaClients(config.kafka());
    LogTail started =
        directUrl().contains(":postgresql:") ? ofPostgres(clients) : ofMariaDb(clients);
    Thread thread =
        new Thread(
            () -> {
              try {
                started.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (IllegalStateException e) {
                tailEnded = e.getMessage();
              }
            },
            "tail");
    thread.setDaemon(true);
    thread.start();
    tail = started;
    await("the log to be followed", () -> started.follows() && report() != null);
  }

  private LogTail ofMariaDb(KafkaClients clients) {
    List<TailTarget> targets =
        server.urls().stream()
            .map(url -> tailUser == null ? url : url.replace("user=app&", "user=" + tailUser + "&"))
            .flatMap(url -> TailTarget.of(url, new Properties()).stream())
            .toList();
    return new Tail(
        targets,
        target -> DriverManager.getConnection(target.url()),
        clients::streamer,
        config.kafka().eventsTopic(),
        HISTORY,
        Identities.ofHistory(HISTORY),
        SERVER_ID,
        new LogPlaces(admin, "isotail-tail-" + HISTORY));
  }

  private LogTail ofPostgres(KafkaClients clients) {
    return new WalTail(
        "server",
        () -> DriverManager.getConnection(directUrl()),
        () -> DriverManager.getConnection(WalTail.replicating(directUrl())),
        clients::streamer,
        config.kafka().eventsTopic(),
        HISTORY,
        Identities.ofHistory(HISTORY),
        "isotail");
  }

  /** Waits until so many transactions of MariaDB's log are in the stream. */
  void awaitTold(long sequence) throws InterruptedException {
    Tail running = (Tail) Objects.requireNonNull(tail);
    await("transaction %d to be told".formatted(sequence), () -> running.passed() >= sequence);
  }

  /** Waits until the tail has given up, and tells why. */
  String awaitTailsEnd() throws InterruptedException {
    await("the tail to end", () -> tailEnded != null);
    return String.valueOf(tailEnded);
  }

  /** Follows the log no more. */
  void stopTail() {
    LogTail running = tail;
    tail = null;
    if (running != null) {
      running.close();
    }
  }

  /** The database past isotail. */
  String directUrl() {
    return server.urls().get(0);
  }

  /** The database through isotail's driver. */
  String url(String service) {
    return url(directUrl(), service);
  }

  /** All nodes of a cluster through isotail's driver. */
  List<String> urls(String service) {
    return server.urls().stream().map(url -> url(url, service)).toList();
  }

  private String url(String direct, String service) {
    return "jdbc:isotail:%s&isotail.kafka=%s&isotail.history=%s&isotail.service=%s"
        .formatted(direct.substring("jdbc:".length()), broker.bootstrapServers(), HISTORY, service);
  }

  @Nullable CheckerReport report() {
    return monitor.reports().get(HISTORY);
  }

  /** All that was told is checked; the applications have ended. */
  CheckerReport finished() throws InterruptedException {
    IsotailDriver.shutDown();
    awaitCaughtUp();
    awaitReport("nothing to wait", report -> report.pendingTransactions() == 0);
    stopTail();
    awaitCaughtUp();
    return Objects.requireNonNull(report());
  }

  private void awaitCaughtUp() throws InterruptedException {
    if (!monitor.awaitCaughtUp(TIMEOUT)) {
      throw new AssertionError("the monitor has not caught up: " + monitor.status());
    }
  }

  void awaitReport(String what, Predicate<CheckerReport> condition) throws InterruptedException {
    await(
        what,
        () -> {
          CheckerReport report = report();
          return report != null && condition.test(report);
        });
  }

  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("waited in vain for %s: %s".formatted(what, report()));
      }
      Thread.sleep(20);
    }
  }

  MonitorService monitor() {
    return monitor;
  }

  @Override
  public void close() throws IOException {
    IsotailDriver.shutDown();
    stopTail();
    monitor.close();
    admin.close();
    broker.close();
    server.close();
  }
}

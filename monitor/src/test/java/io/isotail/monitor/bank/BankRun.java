package io.isotail.monitor.bank;

import io.isotail.incremental.CheckerReport;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.service.MonitorService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One run: database, broker, monitor, an application through isotail's driver, one in a process of
 * its own, and a client past isotail.
 */
final class BankRun {
  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final int MIN_COMMITTED = 200;
  private static final int MIN_DECIDED = 500;

  private final BankPlan plan;
  private final EmbeddedDatabase database;
  private final EmbeddedKafka broker;
  private final MonitorService monitor;
  private final Path folder;

  private BankRun(
      BankPlan plan,
      EmbeddedDatabase database,
      EmbeddedKafka broker,
      MonitorService monitor,
      Path folder) {
    this.plan = plan;
    this.database = database;
    this.broker = broker;
    this.monitor = monitor;
    this.folder = folder;
  }

  /**
   * Runs a plan.
   *
   * @param folder for the log of the other process
   */
  static BankFigures run(BankPlan plan, Path folder) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start()) {
      Thread cleanUp = new Thread(() -> closeQuietly(database), "bank-clean-up");
      Runtime.getRuntime().addShutdownHook(cleanUp);
      try (EmbeddedKafka broker = EmbeddedKafka.start();
          MonitorService monitor = MonitorService.start(config(plan, broker))) {
        return new BankRun(plan, database, broker, monitor, folder).run();
      } finally {
        Runtime.getRuntime().removeShutdownHook(cleanUp);
      }
    }
  }

  private static void closeQuietly(EmbeddedDatabase database) {
    try {
      database.close();
    } catch (IOException e) {
      // The process is ending; there is nobody to tell.
    }
  }

  private BankFigures run() throws Exception {
    await("the monitor to read", () -> monitor.status().ready());
    PGSimpleDataSource direct = new PGSimpleDataSource();
    direct.setUrl(database.jdbcUrl());
    BankTables.create(direct);
    Bank living = new Bank(isotailUrl("counter"), BankPlan.TELLERS);
    Bank unseen = new Bank(database.jdbcUrl(), BankPlan.UNSEEN_TELLERS);
    try (BankProcess other =
        new BankProcess(isotailUrl("branch"), plan, folder.resolve("branch.log"))) {
      await("the other process to connect", other::ready);
      BankTables.open(living.pool());
      // What is said in the log before the first write is known to every reader of it.
      await("both to be heard of", () -> liveProxies() == 2);
      final long startNs = System.nanoTime();
      BankPlan.Rebooking rebooking = plan.rebooking();
      living.open(plan.levels(), plan.seed(), rebooking.ofLiving());
      unseen.open(plan.levels(), plan.seed() + 2, rebooking.ofUnseen());
      other.open();
      CheckerReport beforeKill = null;
      CheckerReport noticed = null;
      if (plan.ending() == BankPlan.Ending.ALARM) {
        await("an alarm", () -> !report().anomalies().isEmpty());
      } else {
        await(
            "a part of the time",
            () ->
                elapsed(startNs).compareTo(plan.traffic().dividedBy(3)) > 0
                    && other.counts().committed() > MIN_COMMITTED);
        beforeKill = report();
        other.kill();
        await("the silence to be noticed", () -> report().silentProxies() == 1);
        CheckerReport silent = report();
        noticed = silent;
        await(
            "reads to be decided again",
            () -> report().readsDecided() - silent.readsDecided() > MIN_DECIDED);
      }
      await("the time to be over", () -> elapsed(startNs).compareTo(plan.traffic()) > 0);
      final double seconds = elapsed(startNs).toNanos() / 1e9;
      living.close();
      unseen.close();
      IsotailDriver.shutDown();
      other.stop();
      await("the goodbye", () -> liveProxies() == 0);
      await("nothing to wait", () -> report().pendingTransactions() == 0);
      if (!monitor.awaitCaughtUp(TIMEOUT)) {
        throw new AssertionError("the monitor has not caught up: " + monitor.status());
      }
      CheckerReport end = report();
      return new BankFigures(
          living.counts(),
          other.counts(),
          unseen.counts(),
          beforeKill == null ? end : beforeKill,
          noticed == null ? end : noticed,
          end,
          monitor.anomalies(),
          seconds);
    } finally {
      living.close();
      unseen.close();
      IsotailDriver.shutDown();
    }
  }

  private static Duration elapsed(long startNs) {
    return Duration.ofNanos(System.nanoTime() - startNs);
  }

  private static MonitorConfig config(BankPlan plan, EmbeddedKafka broker) {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", broker.bootstrapServers());
    settings.put("http.port", "0");
    plan.settings()
        .forEach(
            (name, value) -> settings.put("histories." + BankPlan.HISTORY + "." + name, value));
    return MonitorConfig.of(settings);
  }

  private String isotailUrl(String service) {
    return "jdbc:isotail:"
        + database.jdbcUrl().substring("jdbc:".length())
        + "&isotail.kafka="
        + broker.bootstrapServers()
        + "&isotail.history="
        + BankPlan.HISTORY
        + "&isotail.service="
        + service
        + (plan.versions() == BankPlan.Versions.KEPT
            ? ""
            : "&isotail.tables=" + BankTables.OBSERVED.replace(" ", "%20"));
  }

  private CheckerReport report() {
    return Objects.requireNonNull(
        monitor.reports().get(BankPlan.HISTORY), "nothing of the history was checked yet");
  }

  private int liveProxies() {
    CheckerReport report = monitor.reports().get(BankPlan.HISTORY);
    return report == null ? 0 : report.liveProxies();
  }

  private void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError(
            "waited in vain for %s: %s".formatted(what, monitor.reports().get(BankPlan.HISTORY)));
      }
      Thread.sleep(20);
    }
  }
}

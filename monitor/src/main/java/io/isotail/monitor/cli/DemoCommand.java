package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.shop.ShopTables;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.trial.DatabaseIsolation;
import io.isotail.monitor.trial.Faults;
import io.isotail.monitor.trial.SandboxDatabase;
import io.isotail.monitor.trial.SessionLevels;
import io.isotail.monitor.trial.Trial;
import io.isotail.monitor.trial.TrialConfig;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail demo}: a real database, broker, workload and monitor in one process. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Runs concurrent transactions on a real PostgreSQL, tails them through a real Kafka, and"
            + " shows where they break the promised isolation level.",
    footerHeading = "%n",
    footer =
        "Exit status: 0 no anomaly, 1 anomalies that break the promise, 2 bad usage or a part did"
            + " not start, 3 no anomaly but less than 99 %% of the reads were decided.")
final class DemoCommand implements Callable<Integer> {
  private static final int SHOP_RATE = 200;

  private static final String NEXT =
      """
      The page was there as long as the demo ran: leave out --duration to look at it. What next?
        deploy/isotail demo --isolation serializable    the same shop where the database forbids it
        deploy/isotail verify-database --url URL        whether a database of yours keeps its level""";

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--workload",
      paramLabel = "NAME",
      description =
          "What runs: shop, three services with one endpoint that loses updates, or registers,"
              + " random transactions on a few rows (default: ${DEFAULT-VALUE}).")
  private String workload = "shop";

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      description =
          "What the database really runs: read-committed, repeatable-read or serializable"
              + " (default: in the shop each endpoint has its own, of registers: read-committed).")
  private @Nullable String isolation;

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      description =
          "What it is held to (default: what PostgreSQL documents for --isolation; without that,"
              + " serializable for the shop and snapshot-isolation for registers).")
  private @Nullable String promise;

  @Option(
      names = "--through",
      paramLabel = "WAY",
      defaultValue = "driver",
      description =
          "What captures the workload: the JDBC driver, or the proxy of PostgreSQL's wire protocol"
              + " (driver, proxy; default: driver).")
  private String through = "driver";

  @Option(names = "--sessions", paramLabel = "N", description = "Concurrent sessions (default: 8).")
  private int sessions = 8;

  @Option(names = "--keys", paramLabel = "N", description = "Registers (default: 16).")
  private @Nullable Integer keys;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Most transactions per second, 0 for as many as there can be (default: 200 in the shop,"
              + " 2000 on registers).")
  private @Nullable Integer rate;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "How long the workload runs, as in 30s or 2m (default: until Ctrl-C).")
  private @Nullable String duration;

  @Option(names = "--seed", paramLabel = "N", description = "Seed of the workload.")
  private @Nullable Long seed;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "A broker that is already running (default: starts one in this process).")
  private @Nullable String kafka;

  @Option(names = "--port", paramLabel = "PORT", description = "Port of the page (default: any).")
  private int port;

  @Option(
      names = "--json",
      description = "Print the summary as one JSON object, and everything else to standard error.")
  private boolean json;

  @Mixin private ColorOption color = new ColorOption();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec().commandLine().getOut();
    PrintWriter err = spec().commandLine().getErr();
    if (TrialRun.isLeftOut("demo", err)) {
      return ExitCode.BAD;
    }
    TrialConfig config = config();
    Paint paint = color.paintUnless(json);
    Trial trial = new Trial(config, StatusLines.of(json, out, err), paint);
    return TrialRun.run(
        "isotail demo",
        trial,
        out,
        err,
        summary -> {
          out.println(json ? summary.json().toString() : summary.text(paint) + NEXT);
          return summary.anomalies() > 0
              ? ExitCode.VIOLATION
              : summary.undecided() ? ExitCode.UNDECIDED : ExitCode.PASSED;
        });
  }

  private TrialConfig config() {
    try {
      SandboxDatabase database =
          new SandboxDatabase(
              SandboxDatabase.Traffic.ofLabel(workload), SandboxDatabase.Through.ofLabel(through));
      long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("--port %d; expected 0 to 65535".formatted(port));
      }
      return new TrialConfig(
          "demo",
          database,
          levels(database.traffic()),
          size(WorkloadConfig.defaults(chosenSeed), database.traffic()),
          duration == null ? null : Durations.parse("--duration", duration),
          Faults.NONE,
          kafka,
          port);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }

  private SessionLevels levels(SandboxDatabase.Traffic traffic) {
    boolean shop = traffic == SandboxDatabase.Traffic.SHOP;
    DatabaseIsolation real =
        isolation != null
            ? DatabaseIsolation.ofLabel(isolation)
            : shop ? DatabaseIsolation.DEFAULT : DatabaseIsolation.READ_COMMITTED;
    IsolationLevel promised =
        promise != null
            ? IsolationLevel.ofLabel(promise)
            : shop || isolation != null
                ? SandboxDatabase.documented(real)
                : IsolationLevel.SNAPSHOT_ISOLATION;
    return SessionLevels.of(real, promised);
  }

  private WorkloadConfig size(WorkloadConfig defaults, SandboxDatabase.Traffic traffic) {
    boolean shop = traffic == SandboxDatabase.Traffic.SHOP;
    if (shop && keys != null) {
      throw new IllegalArgumentException(
          "--keys %d: the shop has %d items; expected it with --workload registers"
              .formatted(keys, ShopTables.ROWS));
    }
    int most = rate != null ? rate : shop ? SHOP_RATE : defaults.maxTransactionsPerSecond();
    return defaults
        .withSize(sessions, keys == null ? defaults.keys() : keys)
        .withPace(most, defaults.thinkTimeMicros());
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}

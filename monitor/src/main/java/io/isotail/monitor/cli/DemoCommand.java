package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
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
  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      defaultValue = "read-committed",
      description =
          "What the database really runs: read-committed, repeatable-read or serializable"
              + " (default: read-committed).")
  private String isolation = "read-committed";

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      defaultValue = "snapshot-isolation",
      description = "What it is declared to give (default: snapshot-isolation).")
  private String promise = "snapshot-isolation";

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
  private int keys = 16;

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
    TrialConfig config = config();
    PrintWriter out = spec().commandLine().getOut();
    PrintWriter err = spec().commandLine().getErr();
    Paint paint = color.paintUnless(json);
    Trial trial = new Trial(config, json ? err : out, paint);
    return TrialRun.run(
        "isotail demo",
        trial,
        out,
        err,
        summary -> {
          out.println(json ? summary.json().toString() : summary.text(paint).stripTrailing());
          return summary.anomalies() > 0
              ? ExitCode.VIOLATION
              : summary.undecided() ? ExitCode.UNDECIDED : ExitCode.PASSED;
        });
  }

  private TrialConfig config() {
    try {
      DatabaseIsolation real = DatabaseIsolation.ofLabel(isolation);
      IsolationLevel promised = IsolationLevel.ofLabel(promise);
      long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("--port %d; expected 0 to 65535".formatted(port));
      }
      return new TrialConfig(
          "demo",
          new SandboxDatabase(SandboxDatabase.Through.ofLabel(through)),
          SessionLevels.of(real, promised),
          WorkloadConfig.defaults(chosenSeed).withSize(sessions, keys),
          duration == null ? null : Durations.parse("--duration", duration),
          Faults.NONE,
          kafka,
          port);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}

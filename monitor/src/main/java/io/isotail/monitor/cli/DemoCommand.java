package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.demo.DatabaseIsolation;
import io.isotail.monitor.demo.Demo;
import io.isotail.monitor.demo.DemoConfig;
import io.isotail.monitor.demo.DemoException;
import io.isotail.monitor.demo.DemoHangsException;
import io.isotail.monitor.demo.DemoSummary;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Paint;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
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
  private static final long CLEAN_UP_SECONDS = 90;
  private static final long END_SECONDS = 20;

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
    DemoConfig config = config();
    PrintWriter out = spec().commandLine().getOut();
    PrintWriter err = spec().commandLine().getErr();
    Paint paint = color.paintUnless(json);
    Demo demo = new Demo(config, json ? err : out, paint);
    CountDownLatch finished = new CountDownLatch(1);
    Thread onInterrupt = new Thread(() -> stopAndWait(demo, finished), "isotail-demo-stop");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      DemoSummary summary = demo.run();
      out.println(json ? summary.json().toString() : summary.text(paint).stripTrailing());
      return summary.anomalies() > 0
          ? ExitCode.VIOLATION
          : summary.undecided() ? ExitCode.UNDECIDED : ExitCode.PASSED;
    } catch (DemoHangsException e) {
      err.println("isotail demo: " + e.getMessage() + "; the demo ends without a summary");
      endAnyway();
      return ExitCode.BAD;
    } catch (DemoException e) {
      err.println("isotail demo: " + e.getMessage());
      return ExitCode.BAD;
    } finally {
      out.flush();
      err.flush();
      finished.countDown();
    }
  }

  /** What hangs may also hang when the process ends in order. */
  private static void endAnyway() {
    Thread end =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(END_SECONDS);
                Runtime.getRuntime().halt(ExitCode.BAD);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "isotail-demo-end");
    end.setDaemon(true);
    end.start();
  }

  /** Ctrl-C ends the demo as its duration would: with a summary, and nothing left behind. */
  private static void stopAndWait(Demo demo, CountDownLatch finished) {
    demo.stop();
    try {
      finished.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private DemoConfig config() {
    try {
      DatabaseIsolation real = DatabaseIsolation.ofLabel(isolation);
      IsolationLevel promised = IsolationLevel.ofLabel(promise);
      long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
      WorkloadConfig.defaults(0, chosenSeed).withSize(sessions, keys);
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("--port %d; expected 0 to 65535".formatted(port));
      }
      return new DemoConfig(
          DemoConfig.Through.ofLabel(through),
          real,
          promised,
          sessions,
          keys,
          duration == null ? null : Durations.parse("--duration", duration),
          chosenSeed,
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

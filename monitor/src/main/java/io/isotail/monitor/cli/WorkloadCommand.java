package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.store.StoreProvider;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.ingest.workload.WorkloadStats;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.reach.DatabaseFailure;
import io.isotail.monitor.reach.Reachability;
import io.isotail.monitor.resolve.Printable;
import io.isotail.monitor.trial.DatabaseIsolation;
import io.isotail.monitor.trial.StoreTraffic;
import io.isotail.monitor.trial.Stores;
import io.isotail.monitor.trial.TrialException;
import io.isotail.monitor.trial.UserStore;
import java.io.Closeable;
import java.io.PrintWriter;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail workload}: random transactions alone, on a database of the operator's. */
@Command(
    name = "workload",
    mixinStandardHelpOptions = true,
    description =
        "Runs random transactions on a database, through isotail's JDBC driver, or on a store without"
            + " SQL.",
    footerHeading = "%n",
    footer =
        "The table 'registers' is made if it is missing. A second workload goes on with the"
            + " registers of the first. In a store each has registers of its own, and removes them."
            + " Exit status: 0 after an orderly stop, 2 bad usage or no database.")
final class WorkloadCommand implements Callable<Integer> {
  private static final long CLEAN_UP_SECONDS = 20;
  private static final int DEFAULT_RATE = 500;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--url",
      required = true,
      paramLabel = "URL",
      description =
          "As in 'jdbc:isotail:postgresql://HOST/DB?user=U&isotail.kafka=HOST:PORT"
              + "&isotail.history=ID&isotail.tables=registers(k;v)', or the URL of a store.")
  private String url = "";

  @Mixin private StoreOptions storeOptions = new StoreOptions();

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      description =
          "read-uncommitted, read-committed, repeatable-read, serializable, or default for what the"
              + " connection has (default: read-committed). A store has none.")
  private @Nullable String isolation;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "How long, as in 30s or 2m (default: until Ctrl-C).")
  private @Nullable String duration;

  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();

  @Override
  public Integer call() throws InterruptedException {
    try {
      return Stores.isStore(url) ? onStore() : onDatabase();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }

  private int onDatabase() throws InterruptedException {
    storeOptions.requireNone();
    long leftMs = durationMs();
    String realUrl = IsotailDriver.realUrl(url);
    String kafka = DriverReview.of(url, Map.of(), System::getProperty, System::getenv).kafka();
    int level = DatabaseIsolation.ofLabel(isolation == null ? "read-committed" : isolation).jdbc();
    WorkloadConfig config = workloadOptions.config(level, DEFAULT_RATE);
    // Applications go on without a broker; this has nothing to do without one.
    String silent = kafka == null ? null : Reachability.brokers(kafka);
    if (silent != null) {
      return bad(silent);
    }
    ConnectionSource direct = () -> DriverManager.getConnection(realUrl);
    RegisterWorkload workload =
        new RegisterWorkload(
            config, RegisterWorkload.REGISTERS, () -> DriverManager.getConnection(url));
    return run(
        workload,
        () -> {
          if (!workload.resume(RegisterWorkload.REGISTERS, direct)) {
            RegisterWorkload.REGISTERS.create(direct);
            workload.setUp();
          }
          workload.start();
        },
        workload::close,
        leftMs,
        realUrl);
  }

  private int onStore() throws InterruptedException {
    StoreProvider provider = storeOptions.provider(url);
    if (isolation != null) {
      throw new IllegalArgumentException("--isolation is of JDBC; expected none with a store");
    }
    long leftMs = durationMs();
    WorkloadConfig config = workloadOptions.config(DatabaseIsolation.DEFAULT.jdbc(), DEFAULT_RATE);
    String kafka = storeOptions.kafka();
    String history = storeOptions.history();
    IsolationLevel promise = storeOptions.promise();
    String silent = Reachability.brokers(kafka);
    if (silent != null) {
      return bad(silent);
    }
    UserStore store;
    try {
      store = UserStore.connect(provider, url, new Properties(), promise);
    } catch (TrialException e) {
      return bad(Printable.escaped(String.valueOf(e.getMessage())));
    }
    StoreTraffic traffic = new StoreTraffic(store, kafka, history, config);
    return run(traffic.workload(), traffic::start, traffic::close, leftMs, url);
  }

  private long durationMs() {
    return duration == null ? Long.MAX_VALUE : Durations.parse("--duration", duration).toMillis();
  }

  /** Lets a workload begin. */
  private interface Beginning {
    void begin() throws Exception;
  }

  /** Runs a workload to its end; what is to be closed is closed then. */
  private int run(
      RegisterWorkload workload,
      Beginning beginning,
      Closeable whole,
      long durationMs,
      String realUrl)
      throws InterruptedException {
    PrintWriter out = spec().commandLine().getOut();
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(stop, stopped), "isotail-stop"));
    try (whole) {
      beginning.begin();
      for (long leftMs = durationMs;
          leftMs > 0 && !stop.await(Math.min(leftMs, 1_000), TimeUnit.MILLISECONDS);
          leftMs -= 1_000) {
        say(out, workload.stats());
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (SQLException e) {
      return bad(Printable.escaped(DatabaseFailure.words(e, realUrl)));
    } catch (Exception e) {
      return bad(Printable.escaped(e.getMessage() == null ? e.toString() : e.getMessage()));
    } finally {
      stopped.countDown();
    }
    say(out, workload.stats());
    return ExitCode.PASSED;
  }

  private int bad(String words) {
    spec().commandLine().getErr().println("isotail workload: " + words);
    return ExitCode.BAD;
  }

  private static void await(CountDownLatch stop, CountDownLatch stopped) {
    stop.countDown();
    try {
      stopped.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void say(PrintWriter out, WorkloadStats stats) {
    out.printf(
        Locale.ROOT,
        "workload: %d committed, %d aborted, %d retried, %d errors, %d conflicting pairs%n",
        stats.committed(),
        stats.aborted(),
        stats.retried(),
        stats.errors(),
        stats.conflicts());
    out.flush();
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}

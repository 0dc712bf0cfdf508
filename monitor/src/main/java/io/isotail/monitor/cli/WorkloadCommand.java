package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.store.StoreProvider;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.JdbcSessions;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.ingest.workload.RegisterWorkload;
import io.isotail.ingest.workload.SessionsInTurn;
import io.isotail.ingest.workload.Workload;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.ingest.workload.WorkloadStats;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.reach.DatabaseFailure;
import io.isotail.monitor.reach.Reachability;
import io.isotail.monitor.terminal.Printable;
import io.isotail.monitor.trial.DatabaseIsolation;
import io.isotail.monitor.trial.RecordedTraffic;
import io.isotail.monitor.trial.SessionLevels;
import io.isotail.monitor.trial.Stores;
import io.isotail.monitor.trial.TrialDatabase;
import io.isotail.monitor.trial.TrialException;
import io.isotail.monitor.trial.UserDatabase;
import io.isotail.monitor.trial.UserDatabase.Connecting;
import io.isotail.monitor.trial.UserStore;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
        "Runs random transactions on a database or on a store without SQL, and records them for a"
            + " monitor.",
    footerHeading = "%n",
    footer =
        "With a URL of isotail's driver the table 'registers' is made if it is missing, and a second"
            + " workload goes on with the registers of the first. With other URLs each has registers"
            + " of its own, and removes them."
            + " Exit status: 0 after --duration, 143 after SIGTERM, 130 after Ctrl-C, 2 bad usage or"
            + " no database.")
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
              + "&isotail.history=ID&isotail.tables=registers(k;v)', or the URL of a database or of a"
              + " store, with --kafka and --history.")
  private String url = "";

  @Mixin private RecordOptions recordOptions = new RecordOptions();

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      description =
          "read-uncommitted, read-committed, repeatable-read, serializable, or default for what the"
              + " connection has; several with commas between for sessions that run at each in turn"
              + " (default: read-committed). A store has none.",
      split = ",")
  private List<String> isolations = List.of();

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "How long, as in 30s or 2m (default: until Ctrl-C).")
  private @Nullable String duration;

  @Mixin private WorkloadOptions workloadOptions = new WorkloadOptions();

  @Override
  public Integer call() throws InterruptedException {
    try {
      return url.startsWith(IsotailDriver.URL_PREFIX) ? throughDriver() : recorded();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
  }

  private int throughDriver() throws InterruptedException {
    recordOptions.requireNone();
    if (workloadOptions.kind().isTold()) {
      throw new IllegalArgumentException(
          "isotail's driver cannot tell what %s reads; expected the database's own URL, with --kafka"
                  .formatted(workloadOptions.kind().label())
              + " and --history");
    }
    long leftMs = durationMs();
    String realUrl = IsotailDriver.realUrl(url);
    String kafka = DriverReview.of(url, Map.of(), System::getProperty, System::getenv).kafka();
    List<DatabaseIsolation> levels = isolations();
    WorkloadConfig config = workloadOptions.config(DEFAULT_RATE);
    // Applications go on without a broker; this has nothing to do without one.
    String silent = kafka == null ? null : Reachability.brokers(kafka);
    if (silent != null) {
      return bad(silent);
    }
    ConnectionSource direct = () -> DriverManager.getConnection(realUrl);
    ConnectionSource observed = () -> DriverManager.getConnection(url);
    boolean inserts = config.transactions().freshRows();
    RegisterTable table = RegisterWorkload.REGISTERS;
    RegisterWorkload workload =
        new RegisterWorkload(
            config,
            new SessionsInTurn(
                levels.stream()
                    .map(level -> new JdbcSessions(table, observed, level.jdbc(), inserts))
                    .toList()));
    return run(
        workload,
        () -> {
          if (!workload.resume(table, direct)) {
            table.create(direct);
            workload.setUp();
          }
          workload.start();
        },
        workload,
        leftMs,
        realUrl);
  }

  private List<DatabaseIsolation> isolations() {
    return (isolations.isEmpty() ? List.of("read-committed") : isolations)
        .stream().map(DatabaseIsolation::ofLabel).toList();
  }

  /** On registers of its own, for a broker that the options name. */
  private int recorded() throws InterruptedException {
    boolean store = Stores.isStore(url);
    StoreProvider provider = store ? Stores.provider(url, recordOptions.connect().jars()) : null;
    if (store && !isolations.isEmpty()) {
      throw new IllegalArgumentException("--isolation is of JDBC; expected none with a store");
    }
    long leftMs = durationMs();
    WorkloadConfig config = workloadOptions.config(DEFAULT_RATE);
    String kafka = recordOptions.kafka();
    String history = recordOptions.history();
    IsolationLevel promise = store ? recordOptions.promise() : recordOptions.noPromise();
    List<DatabaseIsolation> asked = store ? List.of(DatabaseIsolation.DEFAULT) : isolations();
    Connecting connecting =
        store
            ? null
            : Connecting.by(
                List.of(url),
                recordOptions.connect().login(),
                recordOptions.connect().jars(),
                List.of());
    String silent = Reachability.brokers(kafka);
    if (silent != null) {
      return bad(silent);
    }
    TrialDatabase.Running database;
    SessionLevels levels;
    try {
      if (connecting == null) {
        levels = SessionLevels.of(DatabaseIsolation.DEFAULT, promise);
        database =
            UserStore.connect(
                    Objects.requireNonNull(provider), url, recordOptions.connect().login())
                .start();
      } else {
        database = new UserDatabase(url, connecting, workloadOptions.kind()).start();
        levels = named(asked, promise, connecting.direct());
      }
    } catch (TrialException e) {
      return bad(Printable.escaped(String.valueOf(e.getMessage())));
    } catch (SQLException e) {
      return bad(Printable.escaped(DatabaseFailure.words(e, url)));
    }
    RecordedTraffic traffic = new RecordedTraffic(database, levels, kafka, history, config);
    return run(traffic.workload(), traffic::start, traffic, leftMs, url);
  }

  /**
   * The levels by the names that records of them have; what those are worth is told the monitor.
   */
  private static SessionLevels named(
      List<DatabaseIsolation> asked, IsolationLevel promise, ConnectionSource direct)
      throws SQLException {
    List<SessionLevels.Level> levels = new ArrayList<>();
    try (Connection c = direct.open()) {
      for (DatabaseIsolation each : asked) {
        levels.add(SessionLevels.Level.of(c, each, promise));
      }
    }
    return new SessionLevels(levels);
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
      Workload workload, Beginning beginning, AutoCloseable whole, long durationMs, String realUrl)
      throws InterruptedException {
    PrintWriter out = spec().commandLine().getOut();
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> await(stop, stopped), "isotail-stop"));
    try (whole) {
      beginning.begin();
      for (long leftMs = durationMs;
          leftMs > 0
              && !stop.await(Math.min(leftMs, 1_000), TimeUnit.MILLISECONDS)
              && !workload.isDone();
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

package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.store.StoreProvider;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.reach.DatabaseFailure;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Paint;
import io.isotail.monitor.terminal.Printable;
import io.isotail.monitor.trial.DatabaseIsolation;
import io.isotail.monitor.trial.DocumentedLevels;
import io.isotail.monitor.trial.Faults;
import io.isotail.monitor.trial.JunitReport;
import io.isotail.monitor.trial.SessionLevels;
import io.isotail.monitor.trial.Stores;
import io.isotail.monitor.trial.Trial;
import io.isotail.monitor.trial.TrialConfig;
import io.isotail.monitor.trial.TrialDatabase;
import io.isotail.monitor.trial.TrialException;
import io.isotail.monitor.trial.TrialSummary;
import io.isotail.monitor.trial.TrialVerdict;
import io.isotail.monitor.trial.UserDatabase;
import io.isotail.monitor.trial.UserStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail verify-database}: whether a database gives the isolation that it documents. */
@Command(
    name = "verify-database",
    mixinStandardHelpOptions = true,
    description =
        "Runs random transactions on a database of yours, with a broker and a monitor in this"
            + " process, cuts connections meanwhile, and says whether it gave the isolation level"
            + " that it documents.",
    footerHeading = "%n",
    footer =
        "It makes a table of its own and removes it; nothing else in the database is touched. Exit"
            + " status: 0 passed, 1 the promise was broken, 2 bad usage or no database, 3 too"
            + " little was decided, or no two transactions conflicted.")
final class VerifyDatabaseCommand implements Callable<Integer> {
  private static final int DEFAULT_RATE = 2_000;

  private static final Pattern IN_PROCESS =
      Pattern.compile(
          "jdbc:(sqlite:|duckdb:|derby:(?!//)|h2:(?!tcp:|ssl:)|hsqldb:(?!hsqls?:|https?:))");

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--url",
      required = true,
      paramLabel = "URL",
      description =
          "JDBC URL of the database, as in 'jdbc:postgresql://HOST/DB?user=U', or the URL of a store"
              + " without SQL, by its scheme; one of JDBC is given again for each node of a cluster,"
              + " to which the sessions go in turn.")
  private List<String> urls = List.of();

  @Mixin private ConnectOptions connect = new ConnectOptions();

  @Option(
      names = "--on-connect",
      paramLabel = "SQL",
      description =
          "Statement for each new connection, as in 'SET innodb_snapshot_isolation = ON'; may be"
              + " given again.")
  private List<String> onConnect = List.of();

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      description =
          "Level to run at: read-uncommitted, read-committed, repeatable-read, serializable, or"
              + " default for what connections have; several with commas between for sessions that"
              + " run at each in turn (default: default).",
      split = ",")
  private List<String> isolations = List.of("default");

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      description =
          "Level to hold it to; several with commas between for those of --isolation (default: what"
              + " the database documents, where known; needed for a store).",
      split = ",")
  private List<String> promises = List.of();

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      description = "How long the workload runs, as in 30s or 10m (default: ${DEFAULT-VALUE}).")
  private String duration = "30s";

  @Option(
      names = "--no-cuts",
      description =
          "Don't cut the workload's connections, nor have the server end its sessions; neither is"
              + " done to a database in this process.")
  private boolean noCuts;

  @Option(
      names = "--fault-command",
      paramLabel = "COMMAND",
      description = "What the shell runs now and then meanwhile, as to restart the server.")
  private @Nullable String faultCommand;

  @Option(
      names = "--fault-interval",
      paramLabel = "TIME",
      description = "Time between two faults (default: ${DEFAULT-VALUE}).")
  private String faultInterval = "3s";

  @Option(
      names = "--json",
      description = "Print the summary as one JSON object, and everything else to standard error.")
  private boolean json;

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write the verdict as a JUnit report too.")
  private @Nullable Path junit;

  @Mixin private WorkloadOptions workload = new WorkloadOptions();

  @Mixin private ColorOption color = new ColorOption();

  @Override
  public Integer call() throws InterruptedException {
    if (TrialRun.isLeftOut("verify-database", err())) {
      return ExitCode.BAD;
    }
    TrialConfig config;
    try {
      config = config();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    } catch (SQLException e) {
      err().println("isotail verify-database: " + DatabaseFailure.words(e, urls.get(0)));
      return ExitCode.BAD;
    } catch (TrialException e) {
      err()
          .println("isotail verify-database: " + Printable.escaped(String.valueOf(e.getMessage())));
      return ExitCode.BAD;
    }
    PrintWriter out = spec().commandLine().getOut();
    Paint paint = color.paintUnless(json);
    if (json) {
      // Some drivers print there too.
      System.setOut(System.err);
    }
    Trial trial = new Trial(config, StatusLines.of(json, out, err()), paint);
    return TrialRun.run(
        "isotail verify-database", trial, out, err(), summary -> tell(summary, out, paint));
  }

  private int tell(TrialSummary summary, PrintWriter out, Paint paint) {
    out.println(json ? summary.json().toString() : text(summary, paint));
    Path report = junit;
    if (report != null) {
      try {
        JunitReport.write(summary, report);
      } catch (IOException e) {
        err().println("isotail verify-database: --junit %s: %s".formatted(report, e));
        return summary.verdict() == TrialVerdict.FAIL ? ExitCode.VIOLATION : ExitCode.BAD;
      }
    }
    return switch (summary.verdict()) {
      case PASS -> ExitCode.PASSED;
      case FAIL -> ExitCode.VIOLATION;
      case UNDECIDED, NOT_PROVOKED -> ExitCode.UNDECIDED;
    };
  }

  private static String text(TrialSummary summary, Paint paint) {
    String verdict = summary.verdict().label();
    String painted =
        switch (summary.verdict()) {
          case PASS -> paint.good(verdict);
          case FAIL -> paint.bad(verdict);
          case UNDECIDED, NOT_PROVOKED -> paint.doubtful(verdict);
        };
    return summary.text(paint)
        + "%s: %s at %s, held to %s"
            .formatted(
                painted,
                summary.config().database().name(),
                summary.config().levels().isolations(),
                summary.config().levels().promises());
  }

  private TrialConfig config() throws SQLException, TrialException {
    if (promises.size() > 1 && promises.size() != isolations.size()) {
      throw new IllegalArgumentException(
          "--promise names %d levels; expected one, or %d as --isolation does"
              .formatted(promises.size(), isolations.size()));
    }
    if (Stores.isStore(urls.get(0))) {
      return storeConfig();
    }
    UserDatabase.Connecting connecting =
        UserDatabase.Connecting.by(
            List.copyOf(urls), connect.login(), connect.jars(), List.copyOf(onConnect));
    WorkloadConfig transactions = workload.config(DEFAULT_RATE);
    if (transactions.sessions() < isolations.size()) {
      throw new IllegalArgumentException(
          "--isolation names %d levels for --sessions %d; expected a session for each at least"
              .formatted(isolations.size(), transactions.sessions()));
    }
    String name;
    List<SessionLevels.Level> levels = new ArrayList<>();
    try (Connection c = connecting.direct().open()) {
      name =
          c.getMetaData().getDatabaseProductName()
              + " "
              + c.getMetaData().getDatabaseProductVersion();
      for (int i = 0; i < isolations.size(); i++) {
        DatabaseIsolation asked = DatabaseIsolation.ofLabel(isolations.get(i));
        IsolationLevel held = promise(i);
        levels.add(level(c, asked, held == null ? DocumentedLevels.of(c, asked) : held, name));
      }
    }
    // To abort a connection of a database in this process is no fault of a network.
    boolean cuts = !noCuts && !IN_PROCESS.matcher(urls.get(0)).lookingAt();
    UserDatabase database = new UserDatabase(name, connecting, workload.kind());
    return config(database, new SessionLevels(levels), transactions, cuts, cuts);
  }

  /** What the level of that number is to be held to, as far as the options say. */
  private @Nullable IsolationLevel promise(int i) {
    return promises.isEmpty()
        ? null
        : IsolationLevel.ofLabel(promises.get(promises.size() == 1 ? 0 : i));
  }

  private static SessionLevels.Level level(
      Connection c, DatabaseIsolation asked, @Nullable IsolationLevel held, String name)
      throws SQLException {
    if (held == null) {
      throw new IllegalArgumentException(
          "nothing is known of what %s documents for %s; expected --promise LEVEL"
              .formatted(name, asked.label()));
    }
    return SessionLevels.Level.of(c, asked, held);
  }

  /** A store has no levels to ask for, and no known way to end one of its sessions. */
  private TrialConfig storeConfig() throws TrialException {
    String url = urls.get(0);
    StoreProvider provider = Stores.provider(url, connect.jars());
    if (urls.size() > 1) {
      throw new IllegalArgumentException(
          "--url is given %d times; expected one URL for a store".formatted(urls.size()));
    }
    if (!isolations.equals(List.of(DatabaseIsolation.DEFAULT.label())) || !onConnect.isEmpty()) {
      throw new IllegalArgumentException(
          "--isolation and --on-connect are of JDBC; expected neither with a store");
    }
    IsolationLevel held = promise(0);
    if (held == null) {
      throw new IllegalArgumentException(
          "nothing is known of what a %s store documents; expected --promise LEVEL, as in --promise strict-serializable"
              .formatted(provider.scheme()));
    }
    WorkloadConfig transactions = workload.config(DEFAULT_RATE);
    // What else may be wrong with the options is told before anything is connected to.
    Durations.parse("--duration", duration);
    Durations.parse("--fault-interval", faultInterval);
    UserStore store = UserStore.connect(provider, url, connect.login());
    SessionLevels levels = SessionLevels.of(DatabaseIsolation.DEFAULT, held);
    return config(store, levels, transactions, !noCuts, false);
  }

  private TrialConfig config(
      TrialDatabase database,
      SessionLevels levels,
      WorkloadConfig transactions,
      boolean cuts,
      boolean terminates) {
    return new TrialConfig(
        "verify",
        database,
        levels,
        transactions,
        Durations.parse("--duration", duration),
        new Faults(
            cuts, terminates, faultCommand, Durations.parse("--fault-interval", faultInterval)),
        null,
        0);
  }

  private PrintWriter err() {
    return spec().commandLine().getErr();
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}

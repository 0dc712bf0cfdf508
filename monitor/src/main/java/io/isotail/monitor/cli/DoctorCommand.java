package io.isotail.monitor.cli;

import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.ingest.jdbc.DriverSetting;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.doctor.Diagnosis;
import io.isotail.monitor.doctor.Examination;
import io.isotail.monitor.doctor.ProxyExamination;
import io.isotail.monitor.doctor.ProxyTarget;
import io.isotail.monitor.doctor.RealDriver;
import io.isotail.monitor.doctor.StatementExamination;
import io.isotail.monitor.doctor.UnansweredException;
import io.isotail.monitor.offline.DatabaseOptions;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.reach.DatabaseFailure;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.ColorOption;
import io.isotail.monitor.terminal.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code isotail doctor}: whether a database and its settings are ready for the driver, or what a
 * proxy makes of what goes through it.
 */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Tells what the driver will see of a database: which tables it observes, which it does not and"
          + " why, and what is worth mending in settings, database and Kafka.",
      "",
      "It connects as the application does, with the same role, and changes nothing. Settings are"
          + " found where the driver finds them: in the URL, in --config, or as ISOTAIL_KEY,"
          + " ISOTAIL_KAFKA and so on.",
      "",
      "With --proxy it tells whether what goes into a proxy comes out: the same rows and columns, none"
          + " that isotail adds, and, with --metrics, whether it is captured. It only reads, in a"
          + " transaction that it rolls back.",
      "",
      "With --statement it tells what capture makes of a statement, without asking anybody."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  isotail doctor --url jdbc:postgresql://db/shop --user shop --kafka kafka:9092 \\",
      "    --history shop",
      "  isotail doctor --config isotail.properties \\",
      "    --url jdbc:isotail:mariadb://db/shop --driver-jar mariadb-java-client.jar",
      "  isotail doctor --proxy 127.0.0.1:6432 --metrics 127.0.0.1:9618 \\",
      "    --url jdbc:postgresql://db/shop --user shop",
      "  isotail doctor --dialect mysql --statement 'UPDATE `orders` SET n = 1 WHERE id = ?'",
      "",
      "Exit status: 0 all is well, 1 something is worth mending, as a statement that is not recorded,"
          + " 2 bad usage, or the database or the proxy cannot be asked."
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final String ISOTAIL = "jdbc:isotail:";

  @Spec private @Nullable CommandSpec spec;

  @Mixin private DatabaseOptions source = new DatabaseOptions();

  @Option(
      names = {"--config", "--settings"},
      paramLabel = "FILE",
      description = "Properties file with the driver's settings, as isotail.config names it.")
  private @Nullable String config;

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT[,…]",
      description = "Sets isotail.kafka: the bootstrap servers.")
  private @Nullable String kafka;

  @Option(names = "--history", paramLabel = "ID", description = "Sets isotail.history.")
  private @Nullable String history;

  @Option(
      names = "--observed",
      paramLabel = "TABLES",
      description = "Sets isotail.tables, as in 'orders(id;version),stock(warehouse,item;rev)'.")
  private @Nullable String observed;

  @Option(
      names = "--driver-jar",
      paramLabel = "FILE",
      description =
          "Jar of the database's own JDBC driver (default: PostgreSQL's, which is in this program).")
  private @Nullable Path driverJar;

  @Option(
      names = "--kafka-timeout",
      paramLabel = "TIME",
      description = "How long Kafka may take to answer (default: ${DEFAULT-VALUE}).")
  private String kafkaTimeout = "10s";

  @Mixin private DoctorProxyOptions proxy = new DoctorProxyOptions();

  @Mixin private DoctorStatementOptions statement = new DoctorStatementOptions();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private ColorOption color = new ColorOption();

  @Override
  public Integer call() throws InterruptedException {
    String url = source.url();
    requireUsable(url);
    try {
      if (url != null) {
        DatabaseOptions.requireNoKey(url);
      }
      Diagnosis diagnosis = diagnose(url);
      DoctorOutput.print(diagnosis, json, color.paintUnless(json), spec().commandLine().getOut());
      return diagnosis.problems().isEmpty() ? ExitCode.PASSED : ExitCode.TO_MEND;
    } catch (UnansweredException e) {
      return bad(Printable.escaped(String.valueOf(e.getMessage())));
    } catch (ResolveException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return bad(Printable.escaped(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      return bad(Printable.escaped(e.toString()));
    } catch (SQLException e) {
      return bad(Printable.escaped(DatabaseFailure.words(e, real(String.valueOf(url)))));
    }
  }

  private Diagnosis diagnose(@Nullable String url)
      throws ResolveException,
          IOException,
          SQLException,
          InterruptedException,
          UnansweredException {
    if (statement.isGiven()) {
      return examineStatement();
    }
    return proxy.isGiven() ? examineProxy(url) : examine(settings(String.valueOf(url)));
  }

  private Diagnosis examineStatement() {
    String text = statement.text();
    String database = statement.database();
    DriverReview settings = settings("jdbc:" + database + ":");
    return new StatementExamination(
            text,
            database,
            settings.tables().all().isEmpty() ? null : settings.tables(),
            settings.harmlessFunctions(),
            settings.identities())
        .run();
  }

  private static String real(String url) {
    return url.replace(ISOTAIL, "jdbc:");
  }

  private void requireUsable(@Nullable String url) {
    String alone = proxy.withoutProxy();
    if (alone != null) {
      throw new ParameterException(
          spec().commandLine(), "found %s without --proxy; expected both".formatted(alone));
    }
    requireAlone(url);
    if (!proxy.isGiven() && !statement.isGiven() && url == null) {
      throw new ParameterException(
          spec().commandLine(),
          "found no --url; expected the database, or the application's URL; or --proxy, or"
              + " --statement");
    }
    boolean ofDriver =
        config != null || kafka != null || history != null || observed != null || driverJar != null;
    if (proxy.isGiven() && ofDriver) {
      throw new ParameterException(
          spec().commandLine(),
          "found --proxy, and settings of the driver (--config, --kafka, --history, --observed,"
              + " --driver-jar); expected one of both");
    }
  }

  /** A statement is looked at by its text alone. */
  private void requireAlone(@Nullable String url) {
    if (statement.withoutStatement() != null) {
      throw new ParameterException(
          spec().commandLine(),
          "found %s without --statement; expected both".formatted(statement.withoutStatement()));
    }
    boolean asks = url != null || proxy.isGiven() || kafka != null || driverJar != null;
    if (statement.isGiven() && asks) {
      throw new ParameterException(
          spec().commandLine(),
          "found --statement, and somebody to ask (--url, --proxy, --kafka, --driver-jar); expected"
              + " one of both");
    }
  }

  private Diagnosis examineProxy(@Nullable String url)
      throws ResolveException, IOException, InterruptedException, UnansweredException {
    String address = proxy.address();
    String real = url == null ? null : settings(url).realUrl();
    String through = ProxyTarget.through(proxy.direct(real, System.getenv()), address);
    Properties properties = source.properties(through, "isotail doctor");
    properties.setProperty("socketTimeout", Integer.toString(timeoutSeconds()));
    return new ProxyExamination(
            new ProxyTarget(
                address,
                through,
                real,
                properties,
                proxy.metrics(),
                DoctorProxyOptions.authorization(System.getenv())))
        .run();
  }

  private int timeoutSeconds() {
    return (int) Math.max(1, source.statementTimeoutMs() / 1_000);
  }

  private DriverReview settings(String url) {
    Map<String, String> options = new HashMap<>();
    set(options, DriverSetting.CONFIG, config);
    set(options, DriverSetting.KAFKA, kafka);
    set(options, DriverSetting.HISTORY, history);
    set(options, DriverSetting.TABLES, observed);
    return DriverReview.of(url, options, System::getProperty, System::getenv);
  }

  private static void set(
      Map<String, String> options, DriverSetting setting, @Nullable String value) {
    if (value != null) {
      options.put(setting.key(), value);
    }
  }

  private Diagnosis examine(DriverReview settings)
      throws ResolveException, IOException, SQLException, InterruptedException {
    String realUrl = settings.realUrl();
    try (Connection real =
        RealDriver.connect(realUrl, source.properties(realUrl, "isotail doctor"), driverJar)) {
      real.setReadOnly(true);
      real.setNetworkTimeout(Runnable::run, timeoutSeconds() * 1_000);
      return new Examination(settings).run(real, Durations.parse("--kafka-timeout", kafkaTimeout));
    }
  }

  private int bad(String message) {
    spec().commandLine().getErr().println("isotail doctor: " + message);
    return ExitCode.BAD;
  }

  private CommandSpec spec() {
    return Objects.requireNonNull(spec);
  }
}

package io.isotail.monitor.cli;

import io.isotail.ingest.jdbc.DriverReview;
import io.isotail.ingest.jdbc.DriverSetting;
import io.isotail.monitor.config.Durations;
import io.isotail.monitor.doctor.Diagnosis;
import io.isotail.monitor.doctor.Examination;
import io.isotail.monitor.doctor.RealDriver;
import io.isotail.monitor.offline.DatabaseOptions;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.reach.DatabaseFailure;
import io.isotail.monitor.resolve.Printable;
import io.isotail.monitor.resolve.ResolveException;
import io.isotail.monitor.terminal.ColorOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code isotail doctor}: whether a database and its settings are ready for the driver. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Tells what the driver will see of a database: which tables it observes, which it does not and"
          + " why, and what is worth mending in settings, database and Kafka.",
      "",
      "It connects as the application does, with the same role, and changes nothing. Settings are"
          + " found where the driver finds them: in the URL, in --config, or as ISOTAIL_KEY,"
          + " ISOTAIL_KAFKA and so on."
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  isotail doctor --url jdbc:postgresql://db/shop --user shop --kafka kafka:9092 \\",
      "    --history shop",
      "  isotail doctor --config isotail.properties \\",
      "    --url jdbc:isotail:mariadb://db/shop --driver-jar mariadb-java-client.jar",
      "",
      "Exit status: 0 all is well, 1 something is worth mending, 2 bad usage, or the database cannot"
          + " be asked."
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

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private ColorOption color = new ColorOption();

  @Override
  public Integer call() throws InterruptedException {
    String url = source.url();
    if (url == null) {
      throw new ParameterException(
          spec().commandLine(), "found no --url; expected the database, or the application's URL");
    }
    try {
      DatabaseOptions.requireNoKey(url);
      DriverReview settings = settings(url);
      Diagnosis diagnosis = examine(settings);
      DoctorOutput.print(diagnosis, json, color.paintUnless(json), spec().commandLine().getOut());
      return diagnosis.problems().isEmpty() ? ExitCode.PASSED : ExitCode.TO_MEND;
    } catch (ResolveException e) {
      return bad(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | UncheckedIOException e) {
      return bad(Printable.escaped(String.valueOf(e.getMessage())));
    } catch (IOException e) {
      return bad(Printable.escaped(e.toString()));
    } catch (SQLException e) {
      return bad(Printable.escaped(DatabaseFailure.words(e, url.replace(ISOTAIL, "jdbc:"))));
    }
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
    int timeoutSeconds = (int) Math.max(1, source.statementTimeoutMs() / 1_000);
    try (Connection real =
        RealDriver.connect(realUrl, source.properties(realUrl, "isotail doctor"), driverJar)) {
      real.setReadOnly(true);
      real.setNetworkTimeout(Runnable::run, timeoutSeconds * 1_000);
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

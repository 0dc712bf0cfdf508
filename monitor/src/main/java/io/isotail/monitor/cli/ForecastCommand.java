package io.isotail.monitor.cli;

import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.forecast.ForecastJson;
import io.isotail.monitor.forecast.ForecastMarkdown;
import io.isotail.monitor.forecast.ForecastText;
import io.isotail.monitor.forecast.Foreseen;
import io.isotail.monitor.forecast.Traffic;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.offline.LevelNames;
import io.isotail.monitor.terminal.ColorOption;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code isotail forecast}: what transactions that ran can do to a promise beside each other. */
@Command(
    name = "forecast",
    mixinStandardHelpOptions = true,
    description =
        "Says which transactions that ran, perhaps one at a time, can break the promised isolation"
            + " level if they run beside each other. Nothing of it has happened.",
    footerHeading = "%n",
    footer =
        "The transactions come from history files with statements, such as isotail's extension for"
            + " JUnit writes, or from the log of a history. It is supposed that a transaction sends"
            + " the same statements whatever it reads, and gives up where a condition that it"
            + " checks again hits no row. Advisory locks and triggers are not in the traffic."
            + " Exit status: 0 no forecast, 1 forecasts, 2 bad usage or bad input, 3 none of the"
            + " transactions could be looked at, 4 internal error.")
final class ForecastCommand implements Callable<Integer> {
  /** How forecasts are printed. */
  enum Form {
    /** For a terminal. */
    TEXT,
    /** For a comment on a change. */
    MARKDOWN,
    /** One object. */
    JSON,
    /** SARIF 2.1.0. */
    SARIF;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--promise",
      paramLabel = "LEVEL",
      defaultValue = "serializable",
      completionCandidates = LevelNames.class,
      description =
          "The level that the application relies on: ${COMPLETION-CANDIDATES} (default:"
              + " serializable).")
  private String promise = "serializable";

  @Option(
      names = "--diff",
      paramLabel = "BASE",
      description =
          "History file of another run, such as one of the main branch: tells what is not in it.")
  private @Nullable Path base;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (default: text).")
  private Form form = Form.TEXT;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file of the monitor, for how to reach Kafka.")
  private @Nullable Path config;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Sets kafka.bootstrap.")
  private @Nullable String kafka;

  @Option(
      names = "--history",
      paramLabel = "ID",
      description = "Reads this history from the log, from its beginning to where it ends now.")
  private @Nullable String history;

  @Mixin private ColorOption color = new ColorOption();

  @Parameters(arity = "0..*", paramLabel = "PATH", description = "History files.")
  private List<Path> paths = List.of();

  @Override
  public Integer call() {
    CommandSpec here = Objects.requireNonNull(spec);
    if (paths.isEmpty() == (history == null)) {
      throw new ParameterException(
          here.commandLine(), "expected history files, or --history; not both");
    }
    try {
      Foreseen foreseen = foreseen();
      if (base != null) {
        Templates before = Foreseen.templates();
        Traffic.ofFile(base, before);
        foreseen = foreseen.without(Foreseen.each(before, foreseen.promise()));
      }
      foreseen = foreseen.merged();
      print(foreseen);
      boolean nothing = foreseen.kinds() == 0;
      return nothing
          ? ExitCode.UNDECIDED
          : foreseen.forecasts().isEmpty() ? ExitCode.PASSED : ExitCode.VIOLATION;
    } catch (NoSuchFileException e) {
      return bad(e.getFile() + ": found nothing there; expected a history file");
    } catch (IOException | HistoryFormatException | ConfigException | KafkaException e) {
      return bad(String.valueOf(e.getMessage()));
    }
  }

  private Foreseen foreseen() throws IOException, HistoryFormatException {
    Templates templates = Foreseen.templates();
    String asked = history;
    if (asked == null) {
      for (Path path : paths) {
        Traffic.ofFile(path, templates);
      }
    } else {
      fromLog(asked, templates);
    }
    return Foreseen.each(templates, level());
  }

  private void fromLog(String asked, Templates templates) {
    Map<String, String> flags = new LinkedHashMap<>();
    if (kafka != null) {
      flags.put(Setting.KAFKA_BOOTSTRAP.key(), kafka);
    }
    MonitorConfig loaded = MonitorConfig.load(config, System.getenv(), flags);
    try (Consumer<byte[], byte[]> consumer = new KafkaClients(loaded.kafka()).consumer()) {
      long bad = Traffic.ofLog(consumer, loaded.kafka().eventsTopic(), asked, templates);
      if (bad > 0) {
        err("%,d records could not be read, and were skipped".formatted(bad));
      }
    }
    if (templates.seen().committed() == 0) {
      err("history %s: found no transaction in the log".formatted(asked));
    }
  }

  private IsolationLevel level() {
    try {
      return IsolationLevel.ofLabel(promise.trim());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), "--promise: " + e.getMessage(), e);
    }
  }

  private void print(Foreseen foreseen) {
    CommandSpec here = Objects.requireNonNull(spec);
    String text =
        switch (form) {
          case TEXT -> ForecastText.of(foreseen, color.paint());
          case MARKDOWN -> ForecastMarkdown.of(foreseen);
          case JSON -> ForecastJson.of(foreseen) + System.lineSeparator();
          case SARIF -> ForecastJson.sarif(foreseen) + System.lineSeparator();
        };
    here.commandLine().getOut().print(text);
    here.commandLine().getOut().flush();
  }

  private int bad(String message) {
    err(message);
    return ExitCode.BAD;
  }

  private void err(String message) {
    Objects.requireNonNull(spec).commandLine().getErr().println("isotail forecast: " + message);
  }
}

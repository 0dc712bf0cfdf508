package io.isotail.monitor.cli;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Control;
import io.isotail.incremental.verdict.Marker;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.service.HistoryControl;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code isotail control}: tells the instance that checks a history to do so otherwise, or what has
 * changed there, through its log.
 */
@Command(
    name = "control",
    mixinStandardHelpOptions = true,
    description =
        "Writes a control record into the log of a history: from there on it is checked up to"
            + " another level, or with another window. With --note it marks what has changed, such as"
            + " a deploy, on the time axes of the page.",
    footer = {
      "",
      "Exit status: 0 when it is written, 2 bad usage, or no broker or topic of this name."
    })
final class ControlCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "YAML file of the monitor, for how to reach Kafka.")
  private @Nullable Path file;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Sets kafka.bootstrap.")
  private @Nullable String kafka;

  @Option(names = "--history", required = true, paramLabel = "ID", description = "The history.")
  private String history = "";

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "Strongest level to check, causal or stronger; at most what the monitor is configured"
              + " for, so strict-serializable takes everything back.")
  private @Nullable String level;

  @Option(
      names = "--window",
      paramLabel = "N",
      description = "Delivered transactions kept in the window, at least 2.")
  private @Nullable Integer window;

  @Option(
      names = "--note",
      paramLabel = "TEXT",
      description = "Marks this on the page's time axes, for instance 'shop 1.42'.")
  private @Nullable String note;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    CommandSpec here = Objects.requireNonNull(spec);
    Control control = new Control(settings(here));
    Map<String, String> flags = new LinkedHashMap<>();
    if (kafka != null) {
      flags.put(Setting.KAFKA_BOOTSTRAP.key(), kafka);
    }
    try {
      MonitorConfig config = MonitorConfig.load(file, System.getenv(), flags);
      long offset = HistoryControl.write(config, history, control);
      here.commandLine()
          .getOut()
          .printf(
              "history %s: %s from offset %d of %s on%n",
              history, new TreeMap<>(control.settings()), offset, config.kafka().eventsTopic());
      here.commandLine().getOut().flush();
      return ExitCode.PASSED;
    } catch (ConfigException | KafkaException e) {
      here.commandLine().getErr().println("isotail control: " + e.getMessage());
      return ExitCode.BAD;
    }
  }

  private Map<String, String> settings(CommandSpec here) {
    Map<String, String> settings = new TreeMap<>();
    if (level != null) {
      settings.put(Control.LEVEL, level(here, level).label());
    }
    if (window != null) {
      if (window < 2) {
        throw new ParameterException(
            here.commandLine(), "--window %d; expected at least 2".formatted(window));
      }
      settings.put(Control.WINDOW, Integer.toString(window));
    }
    if (note != null) {
      if (note.isBlank() || note.length() > Marker.MAX_CHARS) {
        throw new ParameterException(
            here.commandLine(),
            "--note has %d characters; expected some words, of at most %d"
                .formatted(note.strip().length(), Marker.MAX_CHARS));
      }
      settings.put(Control.NOTE, note.strip());
    }
    if (settings.isEmpty()) {
      throw new ParameterException(here.commandLine(), "expected --level, --window or --note");
    }
    if (history.isBlank()) {
      throw new ParameterException(here.commandLine(), "--history is empty; expected an id");
    }
    return settings;
  }

  private static IsolationLevel level(CommandSpec here, String text) {
    IsolationLevel found;
    try {
      found = IsolationLevel.ofLabel(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(here.commandLine(), "--level: " + e.getMessage(), e);
    }
    if (!found.atLeast(IsolationLevel.strongestWeak())) {
      throw new ParameterException(
          here.commandLine(),
          "--level %s; expected %s or stronger: weaker ones are always checked"
              .formatted(text, IsolationLevel.strongestWeak()));
    }
    return found;
  }
}

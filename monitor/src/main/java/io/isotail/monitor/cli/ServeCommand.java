package io.isotail.monitor.cli;

import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.FileWatch;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.service.MonitorService;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code isotail serve}: the monitor, until it is told to stop. */
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Consumes events from Kafka, checks them, and serves the page, API and metrics.",
    footer = {
      "",
      "Verdicts are of reads of rows by their key. Phantoms, queries by another condition that miss"
          + " a row, are not seen.",
      "Settings come from the file, then ISOTAIL_… variables, then options; the last one wins.",
      "SIGTERM stops in order.",
      "Exit status: 143 after SIGTERM, 130 after Ctrl-C, 2 when the configuration or a topic cannot"
          + " be used."
    })
public final class ServeCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);
  private static final Duration RELOAD = Duration.ofSeconds(2);

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "YAML file with the settings; monitor/README.md lists them. What it says of histories is"
              + " taken over while the monitor runs.")
  private @Nullable Path file;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Sets kafka.bootstrap.")
  private @Nullable String kafka;

  @Option(names = "--host", paramLabel = "ADDRESS", description = "Sets http.host.")
  private @Nullable String host;

  @Option(names = "--port", paramLabel = "PORT", description = "Sets http.port; 0 for any.")
  private @Nullable String port;

  @Option(names = "--promise", paramLabel = "LEVEL", description = "Sets defaults.promise.")
  private @Nullable String promise;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Sets any setting, for instance histories.shop.window.transactions=50000.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--print-config", description = "Prints what would be used, and ends.")
  private boolean printConfig;

  @Spec private @Nullable CommandSpec spec;

  private volatile @Nullable MonitorService started;

  @Override
  public Integer call() throws InterruptedException {
    MonitorConfig config;
    FileWatch watch = file == null ? null : new FileWatch(file, this::reload);
    try {
      if (printConfig) {
        MonitorConfig.lines(file, System.getenv(), flags()).forEach(out()::println);
        out().flush();
        return ExitCode.PASSED;
      }
      config = MonitorConfig.load(file, System.getenv(), flags());
    } catch (ConfigException e) {
      err().println("isotail serve: " + e.getMessage());
      return ExitCode.BAD;
    }
    MonitorService service;
    try {
      service = MonitorService.start(config);
      started = service;
    } catch (IllegalStateException e) {
      err().println("isotail serve: " + e.getMessage());
      return ExitCode.BAD;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(service::close, "isotail-shutdown"));
    if (watch != null) {
      watch.start(RELOAD);
    }
    out().printf("isotail: %s reads %s%n", service.address(), config.kafka().bootstrap());
    out().flush();
    String why = service.awaitStopped();
    if (service.closed()) {
      return ExitCode.PASSED;
    }
    err().println("isotail serve: " + why);
    return ExitCode.BAD;
  }

  /** The configuration file has changed. */
  private void reload() {
    MonitorService service = Objects.requireNonNull(started);
    try {
      service.reload(MonitorConfig.load(file, System.getenv(), flags()));
      log.info("{} has changed and is taken over", file);
    } catch (ConfigException e) {
      service.reloadFailed();
      log.error("{} has changed and is not taken over: {}", file, e.getMessage());
    }
  }

  private Map<String, String> flags() {
    Map<String, String> flags = new LinkedHashMap<>(settings);
    putIfSet(flags, Setting.KAFKA_BOOTSTRAP.key(), kafka);
    putIfSet(flags, Setting.HTTP_HOST.key(), host);
    putIfSet(flags, Setting.HTTP_PORT.key(), port);
    putIfSet(flags, Setting.DEFAULTS + Setting.PROMISE, promise);
    return flags;
  }

  private static void putIfSet(Map<String, String> flags, String name, @Nullable String value) {
    if (value != null) {
      flags.put(name, value);
    }
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }
}

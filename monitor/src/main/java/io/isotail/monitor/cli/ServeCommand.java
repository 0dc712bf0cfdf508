package io.isotail.monitor.cli;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.FileWatch;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.service.MonitorService;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
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
      "Exit status: 0 after an orderly stop, 2 when the configuration or a topic cannot be used."
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
      config = MonitorConfig.load(file, System.getenv(), flags());
    } catch (ConfigException e) {
      err().println("isotail serve: " + e.getMessage());
      return ExitCode.BAD;
    }
    if (printConfig) {
      print(config);
      return ExitCode.PASSED;
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
    putIfSet(flags, "kafka.bootstrap", kafka);
    putIfSet(flags, "http.host", host);
    putIfSet(flags, "http.port", port);
    putIfSet(flags, "defaults.promise", promise);
    return flags;
  }

  private static void putIfSet(Map<String, String> flags, String name, @Nullable String value) {
    if (value != null) {
      flags.put(name, value);
    }
  }

  private void print(MonitorConfig config) {
    var out = out();
    out.printf("kafka.bootstrap: %s%n", config.kafka().bootstrap());
    out.printf("kafka.events-topic: %s%n", config.kafka().eventsTopic());
    out.printf("kafka.anomalies-topic: %s%n", config.kafka().anomaliesTopic());
    out.printf("kafka.state-topic: %s%n", config.kafka().stateTopic());
    out.printf("kafka.status-topic: %s%n", config.kafka().statusTopic());
    out.printf("kafka.group: %s%n", config.kafka().group());
    String instance = config.kafka().instanceId();
    out.printf("kafka.instance-id: %s%n", instance == null ? "" : instance);
    out.printf("checkpoint.interval-ms: %d%n", config.kafka().checkpointMs());
    out.printf("kafka.create-topics: %s%n", config.kafka().createTopics());
    out.printf("kafka.partitions: %d%n", config.kafka().partitions());
    // Only the names: the values may be credentials.
    new TreeMap<>(config.kafka().properties())
        .keySet()
        .forEach(name -> out.printf("kafka.properties.%s: (set)%n", name));
    out.printf("http.host: %s%n", config.http().host());
    out.printf("http.port: %d%n", config.http().port());
    String publicUrl = config.http().publicUrl();
    out.printf("http.public-url: %s%n", publicUrl == null ? "" : publicUrl);
    MonitorConfig.Login login = config.http().login();
    out.printf("http.user: %s%n", login == null ? "" : login.user());
    out.printf("http.password: %s%n", login == null ? "" : "(set)");
    MonitorConfig.Tls tls = config.http().tls();
    out.printf("http.tls.certificate: %s%n", tls == null ? "" : tls.certificate());
    out.printf("http.tls.key: %s%n", tls == null ? "" : tls.key());
    out.printf("anomalies.retained: %d%n", config.retainedAnomalies());
    out.printf("max-histories: %d%n", config.maxHistories());
    out.printf("shutdown-ms: %d%n", config.shutdownMs());
    print("defaults.", config.defaults());
    new TreeMap<>(config.histories()).forEach((id, h) -> print("histories." + id + ".", h));
    out.flush();
  }

  private void print(String prefix, HistoryConfig history) {
    var out = out();
    var level = history.promise();
    out.printf("%spromise: %s%n", prefix, level == null ? "" : level.label());
    out.printf("%slevel: %s%n", prefix, history.strongest().label());
    out.printf("%sclosed: %s%n", prefix, history.closed());
    out.printf("%sunique-versions: %s%n", prefix, history.uniqueVersions());
    out.printf(
        "%scounting-tables: %s%n",
        prefix, String.join(", ", new TreeSet<>(history.countingTables())));
    out.printf("%sdeletes: %s%n", prefix, history.deletes());
    out.printf("%swindow.transactions: %d%n", prefix, history.windowTransactions());
    out.printf("%swindow.retired-versions: %d%n", prefix, history.retiredVersions());
    out.printf("%spending.transactions: %d%n", prefix, history.pendingTransactions());
    out.printf("%stransaction.operations: %d%n", prefix, history.transactionOperations());
    long clocksNs = history.clockUncertaintyNs();
    boolean compared = clocksNs != CheckerConfig.NEVER_COMPARED;
    // PT0.01S as 0.01s, which the setting takes.
    String clocks =
        compared ? Duration.ofNanos(clocksNs).toString().substring(2).toLowerCase(Locale.ROOT) : "";
    out.printf("%sclock-uncertainty: %s%n", prefix, clocks);
    out.printf("%sproxy.silent-after-ms: %d%n", prefix, history.silentAfterMs());
    var shedTo = history.shedding().to();
    out.printf("%sshed.to: %s%n", prefix, shedTo == null ? "" : shedTo.label());
    out.printf("%sshed.after-ms: %d%n", prefix, history.shedding().afterMs());
    out.printf("%sshed.recover-ms: %d%n", prefix, history.shedding().recoverMs());
    out.printf("%sshed.obey: %s%n", prefix, history.shedding().obey());
    new TreeMap<>(history.promises())
        .forEach((ranAt, to) -> out.printf("%spromises.%s: %s%n", prefix, ranAt, to.label()));
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }
}

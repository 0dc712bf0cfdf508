package io.isotail.monitor.cli;

import io.isotail.ingest.capture.KafkaSinks;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.monitor.config.ConfigException;
import io.isotail.monitor.config.ProxySettings;
import io.isotail.monitor.config.Setting;
import io.isotail.monitor.offline.ExitCode;
import io.isotail.monitor.service.ProxyService;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code isotail proxy}: stands before a PostgreSQL server, until it is told to stop. */
@Command(
    name = "proxy",
    mixinStandardHelpOptions = true,
    description = "Stands between clients and PostgreSQL, and passes on what they say.",
    footer = {
      "",
      "Settings come from the file, then ISOTAIL_… variables, then options; the last one wins."
          + " ingest/guide/proxy.md explains them.",
      "SIGTERM stops in order: no new connections, then each session ends when it is idle.",
      "Exit status: 143 after SIGTERM, 130 after Ctrl-C, 2 when the configuration or an address"
          + " cannot be used."
    })
public final class ProxyCommand implements Callable<Integer> {
  @Option(names = "--config", paramLabel = "FILE", description = "YAML file with the settings.")
  private @Nullable Path file;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Sets listen; port 0 for any.")
  private @Nullable String listen;

  @Option(names = "--upstream", paramLabel = "HOST:PORT", description = "Sets upstream.")
  private @Nullable String upstream;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Sets kafka.")
  private @Nullable String kafka;

  @Option(names = "--history", paramLabel = "ID", description = "Sets history.")
  private @Nullable String history;

  @Option(names = "--service", paramLabel = "NAME", description = "Sets service.")
  private @Nullable String service;

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "Sets tls.certificate.")
  private @Nullable String tlsCertificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Sets tls.key.")
  private @Nullable String tlsKey;

  @Option(
      names = "--upstream-tls",
      paramLabel = "MODE",
      description = "Sets upstream-tls.mode: disable, prefer, require, verify-ca, verify-full.")
  private @Nullable String upstreamTls;

  @Option(names = "--upstream-ca", paramLabel = "FILE", description = "Sets upstream-tls.ca.")
  private @Nullable String upstreamCa;

  @Option(names = "--secrets", paramLabel = "FILE", description = "Sets secrets.")
  private @Nullable String secrets;

  @Option(
      names = "--drain",
      paramLabel = "SECONDS",
      description =
          "Sets drain-ms, in seconds: longest time that sessions may go on after SIGTERM.")
  private @Nullable Integer drainSeconds;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "Sets http.port, of metrics and health; 0 for any.")
  private @Nullable String httpPort;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Sets any setting, for instance queue-records=50000.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--print-config", description = "Prints what would be used, and ends.")
  private boolean printConfig;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    ProxySettings found;
    try {
      if (printConfig) {
        ProxySettings.lines(file, System.getenv(), flags()).forEach(out()::println);
        out().flush();
        return ExitCode.PASSED;
      }
      found = ProxySettings.load(file, System.getenv(), flags());
    } catch (ConfigException e) {
      err().println("isotail proxy: " + e.getMessage());
      return ExitCode.BAD;
    }
    ProxyService started;
    try {
      started = ProxyService.start(found, conversations(found));
    } catch (IllegalStateException | IllegalArgumentException e) {
      err().println("isotail proxy: " + e.getMessage());
      return ExitCode.BAD;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(started::close, "isotail-shutdown"));
    out()
        .printf(
            "isotail proxy: %s:%d passes on to %s%s; metrics at port %d%n",
            found.proxy().listen().host(),
            started.port(),
            found.proxy().upstream(),
            found.captures() ? "" : ", and captures nothing",
            started.httpPort());
    out().flush();
    started.awaitStopped();
    return ExitCode.PASSED;
  }

  /** Each connection is captured, all to one stream, or none is. */
  private static CapturedConversations conversations(ProxySettings settings) {
    return settings.captures()
        ? CapturedConversations.of(
            settings.capture(),
            new KafkaSinks(),
            TimeUnit.MILLISECONDS.toNanos(settings.startWaitMs()))
        : CapturedConversations.none();
  }

  private Map<String, String> flags() {
    Map<String, String> flags = new LinkedHashMap<>(settings);
    putIfSet(flags, Setting.LISTEN, listen);
    putIfSet(flags, Setting.UPSTREAM, upstream);
    putIfSet(flags, Setting.CAPTURE_KAFKA, kafka);
    putIfSet(flags, Setting.CAPTURE_HISTORY, history);
    putIfSet(flags, Setting.CAPTURE_SERVICE, service);
    putIfSet(flags, Setting.TLS_CERTIFICATE, tlsCertificate);
    putIfSet(flags, Setting.TLS_KEY, tlsKey);
    putIfSet(flags, Setting.UPSTREAM_TLS_MODE, upstreamTls);
    putIfSet(flags, Setting.UPSTREAM_TLS_CA, upstreamCa);
    putIfSet(flags, Setting.SECRETS, secrets);
    if (drainSeconds != null) {
      flags.put(Setting.DRAIN_MS.key(), Long.toString(drainSeconds * 1_000L));
    }
    putIfSet(flags, Setting.PROXY_HTTP_PORT, httpPort);
    return flags;
  }

  private static void putIfSet(Map<String, String> flags, Setting setting, @Nullable String value) {
    if (value != null) {
      flags.put(setting.key(), value);
    }
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }
}

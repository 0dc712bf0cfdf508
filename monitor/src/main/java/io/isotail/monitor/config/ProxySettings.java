package io.isotail.monitor.config;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureSetting;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a proxy, found by the rules of {@link MonitorConfig}.
 *
 * @param proxy where it listens, and what is behind it
 * @param captures whether anything is recorded
 * @param capture what is observed
 * @param startWaitMs how long commits may wait for the stream to begin, in ms; 0 for not at all
 * @param drainMs how long sessions may go on when it stops, in ms
 * @param http where it answers
 */
public record ProxySettings(
    ProxyConfig proxy,
    boolean captures,
    CaptureConfig capture,
    int startWaitMs,
    int drainMs,
    MonitorConfig.Http http) {

  /**
   * Reads the configuration.
   *
   * @param file YAML file, or null for none
   * @param environment environment variables; those named {@code ISOTAIL_…} count
   * @param flags values by setting name; they win over the environment, which wins over the file
   * @throws ConfigException with every mistake that was found
   */
  public static ProxySettings load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return new Loader(file, environment, flags).settings;
  }

  /**
   * What {@link #load} would give, as lines of {@code NAME: VALUE} without passwords.
   *
   * @throws ConfigException with every mistake that was found
   */
  public static List<String> lines(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return new Loader(file, environment, flags).lines();
  }

  /** Reads, and collects mistakes. */
  private static final class Loader {
    private static final Address NOWHERE = new Address("127.0.0.1", 0);

    private final Mistakes mistakes = new Mistakes();
    private final SettingReader reader;
    private final Map<String, String> kafkaProperties;
    private final ProxySettings settings;

    Loader(@Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
      RawSettings raw = RawSettings.read(Scope.PROXY, file, environment, flags, mistakes);
      reader = new SettingReader(raw, mistakes, "");
      kafkaProperties = reader.below(Setting.CAPTURE_KAFKA_PROPERTIES.prefix());
      boolean captures = reader.bool(Setting.CAPTURE);
      ProxyConfig proxy = proxy(captures);
      settings =
          new ProxySettings(
              proxy,
              captures,
              capture(captures),
              reader.number(Setting.CAPTURE_START_WAIT_MS),
              reader.number(Setting.DRAIN_MS),
              HttpSettings.read(reader, Setting.PROXY_HTTP_PORT));
      if (mistakes.size() > 0) {
        throw new ConfigException(mistakes.all());
      }
    }

    private ProxyConfig proxy(boolean captures) {
      MonitorConfig.Tls tls = PemFiles.read(reader, Setting.TLS_CERTIFICATE, Setting.TLS_KEY);
      UpstreamTls mode = UpstreamTls.ofLabel(reader.allowedText(Setting.UPSTREAM_TLS_MODE));
      String ca = reader.text(Setting.UPSTREAM_TLS_CA);
      boolean verifies = mode == UpstreamTls.VERIFY_CA || mode == UpstreamTls.VERIFY_FULL;
      if (verifies && ca.isEmpty()) {
        reader.wrong(
            Setting.UPSTREAM_TLS_MODE,
            mode.label(),
            "set alone; expected %s too".formatted(Setting.UPSTREAM_TLS_CA));
        mode = UpstreamTls.REQUIRE;
      }
      String secrets = reader.text(Setting.SECRETS);
      int loops = reader.number(Setting.EVENT_LOOPS);
      return new ProxyConfig(
          address(Setting.LISTEN),
          address(Setting.UPSTREAM),
          tls == null ? null : new ProxyConfig.Certificate(tls.certificate(), tls.key()),
          mode,
          ca.isEmpty() ? null : Path.of(ca),
          secrets.isEmpty() ? null : Path.of(secrets),
          reader.number(Setting.MAX_CONNECTIONS),
          reader.number(Setting.START_UP_MS),
          ProxyConfig.DEFAULT_WAITING_BYTES,
          ProxyConfig.DEFAULT_WORKERS,
          loops == 0 ? ProxyConfig.defaultEventLoops(captures) : loops);
    }

    private Address address(Setting setting) {
      String text = required(setting, "db:5432");
      return text.isEmpty() ? NOWHERE : Address.parse(text);
    }

    /** The value, which must be set; empty if it is not, or not allowed. */
    private String required(Setting setting, String example) {
      int before = mistakes.size();
      String text = reader.allowedText(setting);
      if (text.isEmpty() && mistakes.size() == before) {
        mistakes.add("%1$s: not set; expected for instance %1$s: %2$s".formatted(setting, example));
      }
      return text;
    }

    private CaptureConfig capture(boolean captures) {
      if (captures) {
        required(Setting.CAPTURE_HISTORY, "orders-db");
        required(Setting.CAPTURE_KAFKA, "kafka:9092");
      }
      try {
        return CaptureSetting.config(this::value, kafkaProperties);
      } catch (IllegalArgumentException e) {
        Setting tables = Setting.CAPTURE_TABLES;
        reader.wrong(tables, reader.text(tables), String.valueOf(e.getMessage()));
        return CaptureSetting.config(s -> null, Map.of());
      }
    }

    /** The value of a setting that is set and allowed. */
    private @Nullable String value(CaptureSetting shared) {
      Setting setting = Setting.of(shared);
      String text =
          shared.kind() == CaptureSetting.Kind.SECRET
              ? reader.verbatim(setting)
              : reader.allowedText(setting);
      return text.isEmpty()
          ? null
          : shared.kind() == CaptureSetting.Kind.NUMBER
              ? Integer.toString(Allowed.integer(text))
              : text;
    }

    List<String> lines() {
      List<String> lines = new ArrayList<>();
      for (Setting setting : Setting.PROXY) {
        if (setting == Setting.CAPTURE_KAFKA_PROPERTIES) {
          // Only the names: the values may be credentials.
          new TreeMap<>(kafkaProperties)
              .keySet()
              .forEach(name -> lines.add(setting.prefix() + name + ": (set)"));
        } else if (setting == Setting.HTTP_PASSWORD) {
          lines.add(setting + ": " + (settings.http().login() == null ? "" : "(set)"));
        } else if (setting != Setting.HTTP_PASSWORD_FILE) {
          lines.add(setting + ": " + reader.shown(setting));
        }
      }
      return lines;
    }
  }
}

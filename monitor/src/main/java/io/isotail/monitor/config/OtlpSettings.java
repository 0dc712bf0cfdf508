package io.isotail.monitor.config;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings of events for OpenTelemetry. */
final class OtlpSettings {
  private static final String NOT_SHOWN = "(not shown)";
  private static final String LOGS = "/v1/logs";
  private static final String TOKEN = "[A-Za-z0-9!#$&'*+.^_`|~-]+";

  /** Headers that belong to the protocol, or to the client that speaks HTTP. */
  private static final Set<String> OWNED =
      Set.of("connection", "content-length", "content-type", "expect", "host", "upgrade");

  private final SettingReader settings;

  private OtlpSettings(SettingReader settings) {
    this.settings = settings;
  }

  /** Reads them; null if nobody is sent events. */
  static MonitorConfig.@Nullable Otlp read(SettingReader settings) {
    OtlpSettings otlp = new OtlpSettings(settings);
    Map<String, String> headers = otlp.headers();
    int timeoutMs = settings.number(Setting.OTLP_TIMEOUT_MS);
    String endpoint = settings.address(Setting.OTLP_ENDPOINT).replaceAll("/+$", "");
    if (endpoint.endsWith(LOGS)) {
      settings.wrong(
          Setting.OTLP_ENDPOINT,
          endpoint,
          "expected it without %s, which is added".formatted(LOGS));
    }
    if (endpoint.isEmpty() && !headers.isEmpty()) {
      settings.wrong(
          Setting.OTLP_HEADERS,
          NOT_SHOWN,
          "set alone; expected %s too".formatted(Setting.OTLP_ENDPOINT));
    }
    return endpoint.isEmpty()
        ? null
        : new MonitorConfig.Otlp(URI.create(endpoint + LOGS), headers, timeoutMs);
  }

  private Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>();
    for (String header : settings.text(Setting.OTLP_HEADERS).split(",", -1)) {
      String name = header.substring(0, Math.max(0, header.indexOf('='))).trim();
      String value = decoded(header.substring(header.indexOf('=') + 1).trim());
      if (header.isBlank()) {
        continue;
      }
      if (!name.matches(TOKEN) || value == null || !value.matches("[\\x20-\\x7e]*")) {
        wrongHeaders("expected NAME=VALUE[,NAME=VALUE…], values in printable ASCII");
      } else if (OWNED.contains(name.toLowerCase(Locale.ROOT))) {
        wrongHeaders("'%s' is the monitor's own; expected it to be left out".formatted(name));
      } else {
        headers.put(name, value);
      }
    }
    return headers;
  }

  private void wrongHeaders(String expected) {
    settings.wrong(Setting.OTLP_HEADERS, NOT_SHOWN, expected);
  }

  /** A value with {@code %2C} and the like as characters; null if it has a % of its own. */
  private static @Nullable String decoded(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}

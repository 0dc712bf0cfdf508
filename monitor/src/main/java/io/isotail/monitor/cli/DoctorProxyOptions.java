package io.isotail.monitor.cli;

import io.isotail.ingest.proxy.ProxyConfig;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of {@code doctor} that name a proxy to look at. */
final class DoctorProxyOptions {
  private static final String METRICS_PATH = "/metrics";

  @Option(
      names = "--proxy",
      paramLabel = "HOST:PORT",
      description = {
        "Looks at a proxy in place of the driver: whether what goes in comes out. It says the same"
            + " through the proxy and, with --url, past it."
      })
  private @Nullable String proxy;

  @Option(
      names = "--database",
      paramLabel = "NAME",
      description =
          "With --proxy and without --url: the database (default: PGDATABASE, else the user).")
  private @Nullable String database;

  @Option(
      names = "--metrics",
      paramLabel = "HOST:PORT",
      description =
          "With --proxy: its http.port, or https://HOST:PORT, which tells whether statements are"
              + " captured. ISOTAIL_HTTP_USER and ISOTAIL_HTTP_PASSWORD are the proxy's http.user and"
              + " its password.")
  private @Nullable String metrics;

  /** Whether a proxy is to be looked at. */
  boolean isGiven() {
    return proxy != null;
  }

  /** Which of these options needs {@code --proxy} and does not have it; null if none does. */
  @Nullable String withoutProxy() {
    return proxy != null
        ? null
        : metrics != null ? "--metrics" : database == null ? null : "--database";
  }

  /** Host and port of the proxy. */
  String address() {
    try {
      return ProxyConfig.Address.parse(String.valueOf(proxy)).toString();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--proxy %s: %s".formatted(proxy, e.getMessage()), e);
    }
  }

  /**
   * The database past the proxy, as a URL would name it if there were one.
   *
   * @param url the one that is given, null for none
   */
  String direct(@Nullable String url, Map<String, String> environment) {
    if (url != null) {
      if (database != null) {
        throw new IllegalArgumentException("found --database and --url; expected one of them");
      }
      return url;
    }
    String name = database == null ? environment.getOrDefault("PGDATABASE", "") : database;
    if (name.matches(".*[/?#&\\s].*")) {
      throw new IllegalArgumentException(
          "--database %s cannot stand in an address; give it in --url".formatted(name));
    }
    return "jdbc:postgresql:///" + name;
  }

  /** Where the metrics are; null if they are not to be asked for. */
  @Nullable URI metrics() {
    String given = metrics;
    if (given == null) {
      return null;
    }
    try {
      URI uri = URI.create(given.contains("://") ? given : "http://" + given);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (web && uri.getHost() != null && uri.getUserInfo() == null) {
        boolean bare = uri.getPath() == null || uri.getPath().matches("/?");
        return bare ? uri.resolve(METRICS_PATH) : uri;
      }
    } catch (IllegalArgumentException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "--metrics %s: expected HOST:PORT, or https://HOST:PORT".formatted(given));
  }

  /** The header that says who asks for the metrics; null for nobody. */
  static @Nullable String authorization(Map<String, String> environment) {
    String user = environment.get("ISOTAIL_HTTP_USER");
    String password = environment.get("ISOTAIL_HTTP_PASSWORD");
    if (user == null || password == null) {
      return null;
    }
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both);
  }
}

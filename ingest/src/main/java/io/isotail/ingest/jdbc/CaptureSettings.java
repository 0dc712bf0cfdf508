package io.isotail.ingest.jdbc;

import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * isotail's own settings, taken out of a JDBC URL and its properties.
 *
 * <p>A setting is looked for in this order: URL, connection properties, the file that {@code
 * isotail.config} names, system properties, environment ({@code ISOTAIL_TABLES} for {@code
 * isotail.tables}).
 *
 * @param realUrl the URL for the real driver, without any setting of isotail
 * @param realProperties the properties for the real driver, without any setting of isotail
 * @param config the configuration; null when nothing is to be observed
 */
record CaptureSettings(String realUrl, Properties realProperties, @Nullable CaptureConfig config) {

  static final String URL_PREFIX = "jdbc:isotail:";
  private static final String PREFIX = "isotail.";
  private static final String KAFKA_PREFIX = "isotail.kafka.";
  private static final Set<String> KNOWN =
      Set.of(
          "isotail.kafka",
          "isotail.history",
          "isotail.tables",
          "isotail.config",
          "isotail.service",
          "isotail.instance",
          "isotail.key",
          "isotail.clear-names",
          "isotail.harmless-functions",
          "isotail.chunk-operations",
          "isotail.queue-records",
          "isotail.enabled");

  /**
   * Takes the settings apart.
   *
   * @throws IllegalArgumentException saying which setting is wrong and what was expected
   */
  static CaptureSettings of(String url, Properties properties) {
    return of(url, properties, System::getProperty, System::getenv);
  }

  static CaptureSettings of(
      String url,
      Properties properties,
      UnaryOperator<@Nullable String> systemProperty,
      UnaryOperator<@Nullable String> environment) {
    Map<String, String> settings = new HashMap<>();
    Properties realProperties = new Properties();
    for (String name : properties.stringPropertyNames()) {
      String value = properties.getProperty(name);
      if (name.startsWith(PREFIX)) {
        settings.put(name, value);
      } else {
        realProperties.setProperty(name, value);
      }
    }
    properties.forEach(
        (name, value) -> {
          if (!(name instanceof String) || !(value instanceof String)) {
            realProperties.put(name, value);
          }
        });
    String realUrl = stripUrl(url, settings);
    Settings lookup = new Settings(settings, systemProperty, environment);
    return new CaptureSettings(realUrl, realProperties, config(lookup));
  }

  /** Moves isotail's parameters from the URL to {@code settings}. */
  private static String stripUrl(String url, Map<String, String> settings) {
    String rest = "jdbc:" + url.substring(URL_PREFIX.length());
    int question = rest.indexOf('?');
    if (question < 0) {
      return rest;
    }
    List<String> kept = new ArrayList<>();
    for (String parameter : rest.substring(question + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      if (name.startsWith(PREFIX)) {
        String value = equals < 0 ? "true" : parameter.substring(equals + 1);
        settings.put(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
      } else {
        kept.add(parameter);
      }
    }
    String base = rest.substring(0, question);
    return kept.isEmpty() ? base : base + "?" + String.join("&", kept);
  }

  private static @Nullable CaptureConfig config(Settings settings) {
    if (!Boolean.parseBoolean(settings.get("isotail.enabled", "true"))) {
      return null;
    }
    String tables = settings.required("isotail.tables", "reg(k;v)");
    String history = settings.required("isotail.history", "orders-db");
    return new CaptureConfig(
        history,
        settings.get("isotail.service", "application"),
        settings.get("isotail.instance", ManagementFactory.getRuntimeMXBean().getName()),
        ObservedTables.parse(tables),
        settings.find("isotail.key"),
        Boolean.parseBoolean(settings.get("isotail.clear-names", "false")),
        words(settings.get("isotail.harmless-functions", "")),
        settings.number("isotail.chunk-operations", CaptureConfig.DEFAULT_CHUNK_OPERATIONS),
        settings.number("isotail.queue-records", CaptureConfig.DEFAULT_QUEUE_RECORDS),
        settings.required("isotail.kafka", "kafka:9092"),
        settings.withPrefix(KAFKA_PREFIX));
  }

  private static Set<String> words(String list) {
    Set<String> words = new TreeSet<>();
    for (String word : list.split(",", -1)) {
      if (!word.isBlank()) {
        words.add(word.strip().toLowerCase(Locale.ROOT));
      }
    }
    return words;
  }

  /** Settings from all sources. */
  private static final class Settings {
    private final Map<String, String> given;
    private final UnaryOperator<@Nullable String> systemProperty;
    private final UnaryOperator<@Nullable String> environment;

    Settings(
        Map<String, String> given,
        UnaryOperator<@Nullable String> systemProperty,
        UnaryOperator<@Nullable String> environment) {
      this.given = new HashMap<>(given);
      this.systemProperty = systemProperty;
      this.environment = environment;
      String file = find("isotail.config");
      if (file != null) {
        load(Path.of(file)).forEach(this.given::putIfAbsent);
      }
      for (String name : this.given.keySet()) {
        if (!KNOWN.contains(name) && !name.startsWith(KAFKA_PREFIX)) {
          throw new IllegalArgumentException(
              "unknown setting " + name + "; known are " + new TreeSet<>(KNOWN));
        }
      }
    }

    private static Map<String, String> load(Path file) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(file)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException("isotail.config=" + file + " cannot be read", e);
      }
      Map<String, String> settings = new HashMap<>();
      properties.stringPropertyNames().forEach(n -> settings.put(n, properties.getProperty(n)));
      return settings;
    }

    @Nullable String find(String name) {
      String value = given.get(name);
      if (value == null) {
        value = systemProperty.apply(name);
      }
      if (value == null) {
        value =
            environment.apply(name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT));
      }
      return value;
    }

    String get(String name, String fallback) {
      String value = find(name);
      return value == null ? fallback : value;
    }

    String required(String name, String example) {
      String value = find(name);
      if (value == null || value.isBlank()) {
        throw new IllegalArgumentException(
            "setting "
                + name
                + " is missing; expected for instance "
                + name
                + "="
                + example
                + " in the URL, in isotail.config, or as a system property");
      }
      return value;
    }

    int number(String name, int fallback) {
      String value = find(name);
      try {
        return value == null ? fallback : Integer.parseInt(value.strip());
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(name + "=" + value + "; expected a whole number", e);
      }
    }

    Map<String, String> withPrefix(String prefix) {
      Map<String, String> found = new HashMap<>();
      given.forEach(
          (name, value) -> {
            if (name.startsWith(prefix)) {
              found.put(name.substring(prefix.length()), value);
            }
          });
      return found;
    }
  }
}

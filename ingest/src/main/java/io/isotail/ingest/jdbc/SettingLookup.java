package io.isotail.ingest.jdbc;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Looks settings up where they may stand: those given with the connection, then the file that
 * {@code isotail.config} names, then system properties, then the environment ({@code
 * ISOTAIL_TABLES} for {@code isotail.tables}).
 */
final class SettingLookup {
  static final String KAFKA_PREFIX = "isotail.kafka.";
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

  private final Map<String, String> given;
  private final UnaryOperator<@Nullable String> systemProperty;
  private final UnaryOperator<@Nullable String> environment;

  /**
   * A lookup.
   *
   * @param given settings given with the connection
   * @throws IllegalArgumentException when one is unknown
   * @throws UncheckedIOException when the file cannot be read
   */
  SettingLookup(
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
      value = environment.apply(name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT));
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

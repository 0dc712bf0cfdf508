package io.isotail.ingest.jdbc;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks settings up where they may stand: those given with the connection, then the file that
 * {@code isotail.config} names, then system properties, then the environment ({@code
 * ISOTAIL_TABLES} for {@code isotail.tables}).
 */
final class SettingLookup {
  private static final Logger LOG = LoggerFactory.getLogger(SettingLookup.class);
  static final String KAFKA_PREFIX = DriverSetting.KAFKA.key() + ".";
  private static final Set<String> KNOWN =
      Arrays.stream(DriverSetting.values())
          .map(DriverSetting::key)
          .collect(Collectors.toCollection(TreeSet::new));

  /** Properties that are read elsewhere: by the command line, and by the JUnit module. */
  private static final Pattern OF_OTHERS =
      Pattern.compile("isotail\\.(terminal.*|reports|(check|forecast|junit)(\\..+)?)");

  /**
   * System properties that were warned of: they are of the process, and may be meant for others.
   */
  private static final Set<String> IGNORED = ConcurrentHashMap.newKeySet();

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
    String file = find(DriverSetting.CONFIG);
    if (file != null) {
      load(Path.of(file)).forEach(this.given::putIfAbsent);
    }
    for (String name : this.given.keySet()) {
      if (!isKnown(name)) {
        throw new IllegalArgumentException("unknown setting " + name + "; known are " + KNOWN);
      }
    }
  }

  /** Warns once of each system property that looks like a setting and is none. */
  static void warnOfUnknownProperties() {
    for (String name : System.getProperties().stringPropertyNames()) {
      boolean meant = name.startsWith(DriverSetting.PREFIX) && !OF_OTHERS.matcher(name).matches();
      if (meant && !isKnown(name) && IGNORED.add(name)) {
        LOG.warn("the system property {} is no setting of isotail; known are {}", name, KNOWN);
      }
    }
  }

  private static boolean isKnown(String name) {
    return KNOWN.contains(name) || name.startsWith(KAFKA_PREFIX);
  }

  private static Map<String, String> load(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(
          DriverSetting.CONFIG.key() + "=" + file + " cannot be read", e);
    }
    Map<String, String> settings = new HashMap<>();
    properties.stringPropertyNames().forEach(n -> settings.put(n, properties.getProperty(n)));
    return settings;
  }

  @Nullable String find(DriverSetting setting) {
    String value = given.get(setting.key());
    if (value == null) {
      value = systemProperty.apply(setting.key());
    }
    return value == null ? environment.apply(setting.variable()) : value;
  }

  /** The value, or the default. */
  String get(DriverSetting setting) {
    String value = find(setting);
    return value == null ? setting.fallback() : value;
  }

  String required(DriverSetting setting, String example) {
    String value = find(setting);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(
          "setting %1$s is missing; expected for instance %1$s=%2$s in the URL, in %3$s, or as a system property"
              .formatted(setting.key(), example, DriverSetting.CONFIG.key()));
    }
    return value;
  }

  boolean bool(DriverSetting setting) {
    return setting.bool(get(setting));
  }

  int number(DriverSetting setting) {
    return setting.number(get(setting));
  }

  /** The settings of a prefix, without it: those given, and of the others those of the system. */
  Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new HashMap<>();
    for (String name : System.getProperties().stringPropertyNames()) {
      String value = name.startsWith(prefix) ? systemProperty.apply(name) : null;
      if (value != null) {
        found.put(name.substring(prefix.length()), value);
      }
    }
    given.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }
}

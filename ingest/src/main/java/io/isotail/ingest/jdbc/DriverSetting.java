package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.CaptureSetting;
import java.util.Locale;

/**
 * The settings of the driver, most of which it shares with whoever else captures: the one table of
 * names, defaults and bounds that look-ups, messages and the README's table come from. A setting
 * without a default is not set unless somebody sets it. Numbers are whole and have a least value.
 */
public enum DriverSetting {
  TABLES(CaptureSetting.TABLES),
  HISTORY(CaptureSetting.HISTORY),
  KAFKA(CaptureSetting.KAFKA),
  SERVICE(CaptureSetting.SERVICE),
  INSTANCE(CaptureSetting.INSTANCE),
  VERSION(CaptureSetting.VERSION),
  KEY(CaptureSetting.KEY),
  CLEAR_NAMES(CaptureSetting.CLEAR_NAMES),
  HARMLESS_FUNCTIONS(CaptureSetting.HARMLESS_FUNCTIONS),
  REWRITE(CaptureSetting.REWRITE),
  CHUNK_OPERATIONS(CaptureSetting.CHUNK_OPERATIONS),
  QUEUE_RECORDS(CaptureSetting.QUEUE_RECORDS),
  START_WAIT_MS(CaptureSetting.START_WAIT_MS),
  CONFIG("config", "", "a properties file with these settings"),
  ENABLED("enabled", true, "`false` returns the real driver's connections");

  /** What every name of a setting begins with. */
  static final String PREFIX = Names.PREFIX;

  /** Has what the constants need before the class itself has anything. */
  private static final class Names {
    static final String PREFIX = "isotail.";
  }

  private final String key;
  private final String fallback;
  private final String doc;

  /** Least value of a number; of no meaning for the other settings. */
  private final int least;

  DriverSetting(CaptureSetting shared) {
    this(shared.label(), shared.fallback(), shared.least(), shared.doc(Names.PREFIX));
  }

  DriverSetting(String name, Object fallback, String doc) {
    this(name, fallback, 0, doc);
  }

  DriverSetting(String name, Object fallback, int least, String doc) {
    this.key = PREFIX + name;
    this.fallback = String.valueOf(fallback);
    this.least = least;
    this.doc = doc;
  }

  /** Name in URLs, properties and files: {@code isotail.tables}. */
  public String key() {
    return key;
  }

  /** Name of the environment variable: {@code ISOTAIL_TABLES}. */
  public String variable() {
    return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Value when nothing sets it; empty for none. */
  String fallback() {
    return fallback;
  }

  /** The one that the driver shares with whoever else captures. */
  static DriverSetting of(CaptureSetting shared) {
    return valueOf(shared.name());
  }

  /**
   * A number that the setting was given.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  int number(String value) {
    int number;
    try {
      number = Integer.parseInt(value.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key + "=" + value + "; expected a whole number", e);
    }
    if (number < least) {
      throw new IllegalArgumentException(key + "=" + number + "; expected at least " + least);
    }
    return number;
  }

  /**
   * Whether the setting was given {@code true}.
   *
   * @throws IllegalArgumentException if it is neither that nor {@code false}
   */
  boolean bool(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException(key + "=" + value + "; expected true or false");
    };
  }

  /** The line of the README's table. */
  String row() {
    return "| `%s` |%s | %s |".formatted(key, fallback.isEmpty() ? "" : " `" + fallback + "`", doc);
  }
}

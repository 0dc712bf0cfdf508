package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.EmitterConfig;
import java.util.Locale;

/**
 * The settings of the driver: the one table of names, defaults and bounds that look-ups, messages
 * and the README's table come from. A setting without a default is not set unless somebody sets it.
 * Numbers are whole and have a least value.
 */
public enum DriverSetting {
  TABLES(
      "tables",
      "",
      "observed tables: `name(key columns; version column)` in schema `public`, or `schema.name(…)`;"
          + " a column may be followed by its type; on PostgreSQL, if it is not set, every table of"
          + " the search path that has a key, with `xmin` as its version"),
  HISTORY("history", "", "id of the history, the same for every application on one database"),
  KAFKA("kafka", "", "bootstrap servers; `isotail.kafka.X=Y` passes a producer setting on"),
  SERVICE("service", CaptureConfig.DEFAULT_SERVICE, "name of the application, for people"),
  INSTANCE("instance", "", "which instance of it, for people; else the name of the process"),
  KEY("key", "", "secret of the hashes, the same for every application of the history"),
  CLEAR_NAMES("clear-names", false, "`true` records keys and versions in clear"),
  HARMLESS_FUNCTIONS(
      "harmless-functions",
      "",
      "functions of your own, those of triggers too, that write no observed table: `a, b`"),
  REWRITE(
      "rewrite",
      true,
      "`false` sends every statement as it is; then only what it returns anyway is recorded"),
  CHUNK_OPERATIONS(
      "chunk-operations",
      CaptureConfig.DEFAULT_CHUNK_OPERATIONS,
      1,
      "operations after which a long transaction is handed over in chunks"),
  QUEUE_RECORDS(
      "queue-records",
      EmitterConfig.DEFAULT_QUEUE_RECORDS,
      1,
      "transactions that wait for the stream at most; what comes beyond is a gap"),
  START_WAIT_MS(
      "start-wait-ms",
      2_000,
      0,
      "how long the first connections of a process wait, at most and in all, until Kafka has the"
          + " record that announces it; what it commits before that looks like a stranger's; `0` does"
          + " not wait"),
  CONFIG("config", "", "a properties file with these settings"),
  ENABLED("enabled", true, "`false` returns the real driver's connections");

  /** What every name of a setting begins with. */
  static final String PREFIX = "isotail.";

  private final String key;
  private final String fallback;
  private final String doc;

  /** Least value of a number; of no meaning for the other settings. */
  private final int least;

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

  /** The line of the README's table. */
  String row() {
    return "| `%s` |%s | %s |".formatted(key, fallback.isEmpty() ? "" : " `" + fallback + "`", doc);
  }
}

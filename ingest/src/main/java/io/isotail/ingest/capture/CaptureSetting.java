package io.isotail.ingest.capture;

import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.sql.ObservedTables;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of whoever captures, driver or proxy: the one table of their names, defaults, bounds
 * and words. A setting without a default is not set unless somebody sets it.
 */
public enum CaptureSetting {
  TABLES(
      "tables",
      Kind.TEXT,
      "",
      "observed tables: `name(key columns; version column)` in schema `public`, or `schema.name(…)`;"
          + " a column may be followed by its type; on PostgreSQL, if it is not set, every table of"
          + " the search path that has a key, with `xmin` as its version, and on MariaDB every table"
          + " of the database that has a primary key, with the contents of its rows"),
  HISTORY(
      "history",
      Kind.TEXT,
      "",
      "id of the history, the same for every application on one database"),
  KAFKA(
      "kafka",
      Kind.TEXT,
      "",
      "bootstrap servers; `{prefix}kafka.X=Y` passes a producer setting on"),
  SERVICE(
      "service", Kind.TEXT, CaptureConfig.DEFAULT_SERVICE, "name of the application, for people"),
  INSTANCE(
      "instance", Kind.TEXT, "", "which instance of it, for people; else the name of the process"),
  VERSION(
      "version",
      Kind.TEXT,
      "",
      "version of it, such as `1.42`: incidents tell which one is guilty, and another one is marked on"
          + " their charts"),
  KEY(
      "key",
      Kind.SECRET,
      "",
      "secret of the hashes, the same for every application of the history"),
  CLEAR_NAMES("clear-names", Kind.BOOLEAN, false, "`true` records keys and versions in clear"),
  HARMLESS_FUNCTIONS(
      "harmless-functions",
      Kind.TEXT,
      "",
      "functions of your own, those of triggers too, that write no observed table: `a, shop.b`;"
          + " without a schema, those of that name in all of them"),
  REWRITE(
      "rewrite",
      Kind.BOOLEAN,
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
      "how long the first commits of a process wait for Kafka, at most and from its first"
          + " connection on, until that has the record that announces the process; what is committed"
          + " before looks like a stranger's; `0` does not wait");

  /** What a setting says. */
  public enum Kind {
    TEXT,

    /** Text that no output shows. */
    SECRET,

    /** {@code true} or {@code false}. */
    BOOLEAN,

    /** A whole number. */
    NUMBER
  }

  private final String label;
  private final Kind kind;
  private final String fallback;
  private final int least;
  private final String doc;

  CaptureSetting(String label, Kind kind, Object fallback, String doc) {
    this(label, kind, fallback, 0, doc);
  }

  CaptureSetting(String label, int fallback, int least, String doc) {
    this(label, Kind.NUMBER, fallback, least, doc);
  }

  CaptureSetting(String label, Kind kind, Object fallback, int least, String doc) {
    this.label = label;
    this.kind = kind;
    this.fallback = String.valueOf(fallback);
    this.least = least;
    this.doc = doc;
  }

  /** Its name, without what the carrier's settings begin with: {@code queue-records}. */
  public String label() {
    return label;
  }

  /** What it says. */
  public Kind kind() {
    return kind;
  }

  /** Value when nothing sets it; empty for none. */
  public String fallback() {
    return fallback;
  }

  /** Least value of a number; of no meaning for the others. */
  public int least() {
    return least;
  }

  /**
   * What it is, in Markdown.
   *
   * @param prefix what the carrier's settings begin with
   */
  public String doc(String prefix) {
    return doc.replace("{prefix}", prefix);
  }

  /**
   * What is observed, as settings say it.
   *
   * @param values the value of each setting, null if nothing sets it
   * @param kafkaProperties further settings of Kafka's producer, without their prefix
   * @throws IllegalArgumentException saying what is wrong with the tables, or with a number
   */
  public static CaptureConfig config(
      Function<CaptureSetting, @Nullable String> values, Map<String, String> kafkaProperties) {
    String instance = values.apply(INSTANCE);
    return new CaptureConfig(
        HISTORY.in(values),
        SERVICE.in(values),
        instance == null || instance.isEmpty()
            ? ManagementFactory.getRuntimeMXBean().getName()
            : instance,
        values.apply(VERSION),
        ObservedTables.parse(TABLES.in(values)),
        values.apply(KEY),
        Boolean.parseBoolean(CLEAR_NAMES.in(values).strip()),
        words(HARMLESS_FUNCTIONS.in(values)),
        Boolean.parseBoolean(REWRITE.in(values).strip()),
        Integer.parseInt(CHUNK_OPERATIONS.in(values).strip()),
        Integer.parseInt(QUEUE_RECORDS.in(values).strip()),
        values.apply(KAFKA),
        kafkaProperties);
  }

  private String in(Function<CaptureSetting, @Nullable String> values) {
    String value = values.apply(this);
    return value == null ? fallback : value;
  }

  /** The words of a list that commas separate, in lower case. */
  public static Set<String> words(String list) {
    Set<String> words = new TreeSet<>();
    for (String word : list.split(",", -1)) {
      if (!word.isBlank()) {
        words.add(word.strip().toLowerCase(Locale.ROOT));
      }
    }
    return words;
  }
}

package io.isotail.monitor.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An anomaly that was published, and how often it was observed. Immutable. */
public final class StoredAnomaly {
  /** Characters of an unknown name that are shown. */
  private static final int MOST_SHOWN = 40;

  /** As a time: it is not known. */
  public static final long NO_TIME_MS = Long.MIN_VALUE;

  /** Begin of the year 10,000: what no clock tells. */
  private static final long LAST_MS = 253_402_300_800_000L;

  private static final String CAPSULE = "capsule";

  /** As it stands on the anomalies topic: a tree of it would take several times as much. */
  private final JsonFields document;

  private final String id;
  private final String history;
  private final IsolationLevel level;
  private final AnomalyKind kind;
  private final long atMs;
  private final long occurrences;

  private StoredAnomaly(
      JsonFields document,
      String id,
      String history,
      IsolationLevel level,
      AnomalyKind kind,
      long atMs,
      long occurrences) {
    this.document = document;
    this.id = id;
    this.history = history;
    this.level = level;
    this.kind = kind;
    this.atMs = atMs;
    this.occurrences = occurrences;
  }

  /**
   * An anomaly that was observed once. Its document is parsed here, and never again.
   *
   * @param document JSON in UTF-8; belongs to this
   * @throws UnknownNameException if the level or the anomaly has a name that is not known here
   * @throws IllegalArgumentException if the document is not one of an anomaly
   */
  public static StoredAnomaly of(byte[] document) {
    JsonFields fields;
    try {
      fields = JsonFields.of(document, CAPSULE);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
    return new StoredAnomaly(
        fields,
        required(fields, "id"),
        required(fields, "history"),
        known("level", required(fields, "level"), IsolationLevel.values(), IsolationLevel::label),
        known("anomaly", required(fields, "anomaly"), AnomalyKind.values(), AnomalyKind::label),
        time(fields),
        1);
  }

  /**
   * The id in a document that may be of no other use, whatever follows it; null if it has none.
   *
   * @param document any bytes
   */
  public static @Nullable String idOf(byte[] document) {
    return JsonFields.firstText(document, "id");
  }

  static <T> T known(String field, String name, T[] all, Function<T, String> label) {
    return Stream.of(all)
        .filter(one -> label.apply(one).equals(name))
        .findFirst()
        .orElseThrow(() -> new UnknownNameException("%s '%s'".formatted(field, inALine(name))));
  }

  /** The beginning of a text that may hold anything, without line breaks. */
  private static String inALine(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line;
  }

  /** Its id. */
  public String id() {
    return id;
  }

  /** Its history. */
  public String history() {
    return history;
  }

  /** The weakest level that it violates. */
  public IsolationLevel level() {
    return level;
  }

  /** Its name. */
  public AnomalyKind kind() {
    return kind;
  }

  /**
   * When the record that completed it was appended to the log, in ms since 1970; where the log has
   * no times, when its last transaction ended by the client's clock; else {@link #NO_TIME_MS}.
   */
  public long atMs() {
    return atMs;
  }

  /** How often it was observed, at least 1. */
  public long occurrences() {
    return occurrences;
  }

  /** Bytes that it takes. */
  int size() {
    return document.size();
  }

  /**
   * The document, with the number of occurrences, to be printed; the caller's own. Values are raw,
   * as they stand in the document: they have no tree.
   *
   * @param without fields to leave out
   */
  public ObjectNode json(Collection<String> without) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    document.forEach(
        (field, value) -> {
          if (!without.contains(field)) {
            json.putRawValue(field, new RawValue(value));
          }
        });
    return json.put("occurrences", occurrences);
  }

  /** The transactions that prove it, each as a line of the {@code jsonl} format without its end. */
  public List<String> capsule() {
    return document.elements();
  }

  /** The table that it is about, or empty. */
  public String table() {
    return text("table");
  }

  /** The id of its cause, or empty. */
  public String cause() {
    return text("cause");
  }

  /** What happened, in sentences. */
  public String explanation() {
    return text("explanation");
  }

  /** Its drawing for Graphviz; empty if it is too large for one. */
  public String dot() {
    return text("dot");
  }

  private String text(String field) {
    return Objects.requireNonNullElse(document.text(field), "");
  }

  /** This anomaly, observed so often. */
  StoredAnomaly observed(long times) {
    return new StoredAnomaly(document, id, history, level, kind, atMs, times);
  }

  private static long time(JsonFields fields) {
    for (String field : List.of("foundAt", "committedAt")) {
      try {
        long ms = Instant.parse(Objects.requireNonNullElse(fields.text(field), "")).toEpochMilli();
        if (ms >= 0 && ms < LAST_MS) {
          return ms;
        }
      } catch (DateTimeParseException | ArithmeticException e) {
        // Missing or senseless: the anomaly counts without its time.
      }
    }
    return NO_TIME_MS;
  }

  private static String required(JsonFields fields, String field) {
    String text = fields.text(field);
    if (text == null) {
      throw new IllegalArgumentException("field '%s' is missing".formatted(field));
    }
    return text;
  }

  /** A level or an anomaly that this version of the program does not know. */
  public static final class UnknownNameException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private UnknownNameException(String name) {
      super(name + " is unknown");
    }
  }
}

package io.isotail.monitor.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What somebody has decided about a cause. Immutable.
 *
 * @param cause id of the cause
 * @param history its history
 * @param state what was decided
 * @param untilMs until when it holds, in ms since 1970; {@link #NO_END} for ever
 * @param note why, in the words of who has decided; may be empty
 * @param link where it is dealt with, an address of the web; may be empty
 * @param by who has decided
 * @param atMs when, in ms since 1970
 */
public record Decision(
    String cause,
    String history,
    State state,
    long untilMs,
    String note,
    String link,
    String by,
    long atMs) {
  /** As an end: there is none. */
  public static final long NO_END = Long.MAX_VALUE;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What may be decided. */
  public enum State {
    /** Somebody sees to it. It goes on paging. */
    ACKNOWLEDGED("acknowledged"),

    /** It is counted, and does not page. */
    MUTED("muted");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /** Its name in JSON. */
    public String label() {
      return label;
    }

    /** The one of this name. */
    public static Optional<State> of(String label) {
      return Stream.of(values()).filter(state -> state.label.equals(label)).findFirst();
    }
  }

  /**
   * Reads a document.
   *
   * @param document JSON in UTF-8
   * @throws IllegalArgumentException if it is none of a decision; the message says why
   */
  public static Decision of(byte[] document) {
    JsonNode json;
    try {
      json = JSON.readTree(document);
    } catch (IOException e) {
      throw new IllegalArgumentException("not JSON: " + e.getMessage(), e);
    }
    return new Decision(
        text(json, "cause"),
        text(json, "history"),
        State.of(text(json, "state"))
            .orElseThrow(
                () -> new IllegalArgumentException("state '%s'".formatted(text(json, "state")))),
        json.path("until").isNull() ? NO_END : time(json, "until"),
        text(json, "note"),
        text(json, "link"),
        text(json, "by"),
        time(json, "at"));
  }

  private static String text(JsonNode json, String field) {
    if (!json.path(field).isTextual()) {
      throw new IllegalArgumentException("field '%s' is missing".formatted(field));
    }
    return json.path(field).asText();
  }

  private static long time(JsonNode json, String field) {
    try {
      return Instant.parse(text(json, field)).toEpochMilli();
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException("field '%s' is no time".formatted(field), e);
    }
  }

  /** Whether it still holds. */
  public boolean holds(long nowMs) {
    return nowMs < untilMs;
  }

  /** As JSON; {@code until} is null if it has no end. */
  public ObjectNode json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("cause", cause)
        .put("history", history)
        .put("state", state.label())
        .put("until", untilMs == NO_END ? null : Instant.ofEpochMilli(untilMs).toString())
        .put("note", note)
        .put("link", link)
        .put("by", by)
        .put("at", Instant.ofEpochMilli(atMs).toString());
  }
}

package io.isotail.ingest.capture;

import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what was recorded and what could not be. Thread-safe. */
public final class CaptureStats {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureStats.class);

  /** What is counted beside statements that are not interpreted. */
  public enum Event {
    /** Transaction records handed to the sink. */
    RECORDS,
    /** Operations in them. */
    OPERATIONS,
    /** A failure inside isotail; its transaction became an opaque write. */
    INTERNAL_FAILURE,
    /** A row was read from a result whose transaction had ended or was handed over. */
    LATE_ROW,
    /** A statement was sent before the one before it was answered: their order is not known. */
    OVERTAKEN_STATEMENTS,
    /** A row was read whose key or version is not among the result's columns. */
    ROW_WITHOUT_KEY_OR_VERSION,
    /** A key or version value has no identity: NULL, an expression, an unsupported type. */
    VALUE_WITHOUT_IDENTITY,
    /** More operations than may be held back for a savepoint. */
    TOO_MANY_OPERATIONS,
    /** The server refused a statement to which columns were added. */
    REWRITING_REFUSED,
    /** A transaction had begun out of sight, as through an unwrapped connection. */
    HIDDEN_STATEMENTS
  }

  private final ThreadCounts events = new ThreadCounts(Event.values().length);
  private final ThreadCounts uninterpreted = new ThreadCounts(Uninterpreted.values().length);
  private final ThreadCounts outcomes = new ThreadCounts(Outcome.values().length);

  void count(Event event) {
    events.add(event.ordinal(), 1);
  }

  void add(Event event, long n) {
    events.add(event.ordinal(), n);
  }

  /** A transaction is recorded, and how it ended. */
  void count(Outcome outcome) {
    outcomes.add(outcome.ordinal(), 1);
  }

  void count(Uninterpreted reason) {
    if (of(reason) == 0) {
      LOG.info("Some statements on observed tables are not interpreted: {}", reason);
    }
    uninterpreted.add(reason.ordinal(), 1);
  }

  /** Something failed inside isotail, unless it is that the server was lost. */
  void internalFailure(Throwable failure) {
    if (failure instanceof ServerLostException) {
      return;
    }
    if (of(Event.INTERNAL_FAILURE) == 0) {
      LOG.warn(
          "Recording a transaction failed inside isotail; the application is not affected, the"
              + " transaction counts as an opaque write. Further failures are only counted.",
          LoggedFailure.of(failure));
    }
    count(Event.INTERNAL_FAILURE);
  }

  /** How often {@code event} happened. */
  public long of(Event event) {
    return events.sum(event.ordinal());
  }

  /** How many recorded transactions ended so; of {@link Outcome#OPEN} none. */
  public long of(Outcome outcome) {
    return outcomes.sum(outcome.ordinal());
  }

  /** How many statements were not interpreted for {@code reason}. */
  public long of(Uninterpreted reason) {
    return uninterpreted.sum(reason.ordinal());
  }

  /** All counts that are not 0, by name. */
  public Map<String, Long> snapshot() {
    Map<String, Long> counts = new TreeMap<>();
    for (Event event : Event.values()) {
      counts.put(name(event), of(event));
    }
    for (Uninterpreted reason : Uninterpreted.values()) {
      counts.put("uninterpreted-" + name(reason), of(reason));
    }
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  /** A constant as it is named in counts: {@code late-row}. */
  static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

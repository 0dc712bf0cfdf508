package io.isotail.ingest.capture;

import io.isotail.incremental.record.Outcome;
import io.isotail.ingest.sql.Uninterpreted;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
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

  private final LongAdder[] events = adders(Event.values().length);
  private final LongAdder[] uninterpreted = adders(Uninterpreted.values().length);
  private final LongAdder[] outcomes = adders(Outcome.values().length);

  private static LongAdder[] adders(int length) {
    LongAdder[] adders = new LongAdder[length];
    for (int i = 0; i < length; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  void count(Event event) {
    events[event.ordinal()].increment();
  }

  void add(Event event, long n) {
    events[event.ordinal()].add(n);
  }

  /** A transaction is recorded, and how it ended. */
  void count(Outcome outcome) {
    outcomes[outcome.ordinal()].increment();
  }

  void count(Uninterpreted reason) {
    LongAdder adder = uninterpreted[reason.ordinal()];
    if (adder.sum() == 0) {
      LOG.info("Some statements on observed tables are not interpreted: {}", reason);
    }
    adder.increment();
  }

  /** Something failed inside isotail, unless it is that the server was lost. */
  void internalFailure(Throwable failure) {
    if (failure instanceof ServerLostException) {
      return;
    }
    LongAdder adder = events[Event.INTERNAL_FAILURE.ordinal()];
    if (adder.sum() == 0) {
      LOG.warn(
          "Recording a transaction failed inside isotail; the application is not affected, the"
              + " transaction counts as an opaque write. Further failures are only counted.",
          failure);
    }
    adder.increment();
  }

  /** How often {@code event} happened. */
  public long of(Event event) {
    return events[event.ordinal()].sum();
  }

  /** How many recorded transactions ended so; of {@link Outcome#OPEN} none. */
  public long of(Outcome outcome) {
    return outcomes[outcome.ordinal()].sum();
  }

  /** How many statements were not interpreted for {@code reason}. */
  public long of(Uninterpreted reason) {
    return uninterpreted[reason.ordinal()].sum();
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

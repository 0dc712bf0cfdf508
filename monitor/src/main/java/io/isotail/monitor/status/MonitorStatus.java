package io.isotail.monitor.status;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the pipeline stands.
 *
 * @param phase what it is doing
 * @param phaseSinceMs when it began to, in ms since 1970; 0 where nobody has taken note
 * @param problem why it is not doing more, null when all is well
 * @param positions next offset to read, by partition of the events topic
 * @param lag how far checking is behind the log, null while that is unknown
 * @param badRecords records that could not be decoded
 * @param kafkaErrors failed requests to the broker
 * @param busySeconds time spent in decoding and checking
 * @param unpublished anomalies that are not on the anomalies topic yet
 * @param histories those that this instance checks, by id
 * @param fleet the other instances
 */
public record MonitorStatus(
    Phase phase,
    long phaseSinceMs,
    @Nullable String problem,
    Map<Integer, Long> positions,
    @Nullable Lag lag,
    long badRecords,
    long kafkaErrors,
    double busySeconds,
    long unpublished,
    SortedMap<String, HistoryStatus> histories,
    Fleet fleet) {

  /** Before anything has happened. */
  public static final MonitorStatus INITIAL =
      new MonitorStatus(
          Phase.CONNECTING,
          0,
          "the broker has not answered yet",
          Map.of(),
          null,
          0,
          0,
          0,
          0,
          new TreeMap<>(),
          Fleet.NONE);

  /** What a pipeline is doing. */
  public enum Phase {
    /** Looks for the broker and the topics. */
    CONNECTING,
    /** Reads and checks. */
    RUNNING,
    /** Is about to end, or has. */
    STOPPED
  }

  /** Copies the maps. */
  public MonitorStatus {
    positions = Map.copyOf(positions);
    histories = Collections.unmodifiableSortedMap(new TreeMap<>(histories));
  }

  /** This status, when nothing is read any more. */
  public MonitorStatus stopped(String why) {
    return new MonitorStatus(
        Phase.STOPPED,
        0,
        why,
        positions,
        lag,
        badRecords,
        kafkaErrors,
        busySeconds,
        unpublished,
        histories,
        fleet);
  }

  /** This status, with another lag, and another beginning of its phase. */
  MonitorStatus with(@Nullable Lag measured, long sinceMs) {
    return new MonitorStatus(
        phase,
        sinceMs,
        problem,
        positions,
        measured,
        badRecords,
        kafkaErrors,
        busySeconds,
        unpublished,
        histories,
        fleet);
  }

  /** Whether records are read as they come. */
  public boolean ready() {
    return phase == Phase.RUNNING && problem == null;
  }
}

package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.verdict.Moment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A cause, and how often it has brought about an anomaly. Times are those of the log.
 *
 * @param id deterministic: a hash of history, kind and parts, as 16 hexadecimal digits
 * @param history id of the history
 * @param incident id of the incident that it belongs to; it never changes
 * @param slot that of its incident, 0 while it has none
 * @param level the weakest level that any of its anomalies violates
 * @param kind the name of its anomalies
 * @param parts the statements that bring it about, each with its table, service and endpoint
 * @param ranAt levels that the transactions of its proofs ran at, as recorded
 * @param fault who did what was not promised, by all proofs so far
 * @param first when its first anomaly was found
 * @param last when its latest anomaly was found
 * @param occurrences transactions that were left out because of it; what one of them broke on many
 *     keys is one occurrence
 * @param violations left-out things: each would be an anomaly if it were proven
 * @param proven anomalies with a proof among them, which were published
 * @param simplest id of the proven anomaly with the fewest transactions, the earliest of these
 * @param simplestTransactions how many transactions its capsule has; 0 for a thin-air read
 * @param latest id of the anomaly that was proven last
 * @param timeline counts over time
 */
public record CauseReport(
    String id,
    String history,
    String incident,
    int slot,
    IsolationLevel level,
    AnomalyKind kind,
    List<CausePart> parts,
    List<String> ranAt,
    Fault fault,
    Moment first,
    Moment last,
    long occurrences,
    long violations,
    long proven,
    String simplest,
    int simplestTransactions,
    String latest,
    Timeline timeline)
    implements Grouping {

  /** Copies the list. */
  public CauseReport {
    parts = List.copyOf(parts);
    ranAt = List.copyOf(ranAt);
  }

  /**
   * Left-out things in each step of time.
   *
   * @param beginMs when the first step begins, in ms of log append time
   * @param stepMs length of a step, in ms
   * @param counts up to the last step with any
   */
  public record Timeline(long beginMs, long stepMs, List<Long> counts) {
    /** Copies the list. */
    public Timeline {
      counts = List.copyOf(counts);
    }
  }

  /** The tables that it is about, in order. */
  public List<String> tables() {
    return distinct(parts.stream().map(CausePart::table));
  }

  /** The applications that bring it about, in order. */
  public List<String> services() {
    return distinct(parts.stream().map(CausePart::service));
  }

  /** The routes and actions that bring it about, in order. */
  public List<String> endpoints() {
    return distinct(parts.stream().map(CausePart::endpoint));
  }

  private static List<String> distinct(Stream<String> names) {
    return names.filter(Objects::nonNull).distinct().sorted().toList();
  }
}

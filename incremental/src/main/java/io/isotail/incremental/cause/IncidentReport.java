package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.verdict.Moment;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An incident, and what it has done. Times are those of the log.
 *
 * @param id deterministic: a hash of history, root and the canonical culprit of its first cause, as
 *     16 hexadecimal digits
 * @param history id of the history
 * @param slot from 1 to {@link IncidentLedger#SLOTS}, held by no other incident at the same time; 0
 *     while it has none. For those who cannot keep a name for each incident ever seen
 * @param root what its causes have in common
 * @param culprits the code that has a part in it, in order
 * @param first when its first violation was found
 * @param last when its latest violation was found
 * @param violations left-out things of all of its causes
 * @param kinds how many of them by the kind of their cause
 * @param causes ids of its causes, the first that are told, in the order in which they were found
 * @param causeCount how many causes it has
 * @param radius what is hurt
 * @param wave how often it has become worse
 * @param end null as long as it goes on
 * @param mergedWith ids of other incidents that have shown to have the same root and a common cause
 * @param differences values that are over-represented among its transactions, the most telling
 *     first
 * @param timeline counts over time
 */
public record IncidentReport(
    String id,
    String history,
    int slot,
    Root root,
    List<Culprit> culprits,
    Moment first,
    Moment last,
    long violations,
    Map<AnomalyKind, Long> kinds,
    List<String> causes,
    int causeCount,
    Radius radius,
    Wave wave,
    @Nullable End end,
    List<String> mergedWith,
    List<Difference> differences,
    CauseReport.Timeline timeline)
    implements Grouping {

  /** Copies the lists. */
  public IncidentReport {
    culprits = List.copyOf(culprits);
    kinds = kinds.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(kinds));
    causes = List.copyOf(causes);
    mergedWith = List.copyOf(mergedWith);
    differences = List.copyOf(differences);
  }

  /**
   * What is hurt.
   *
   * @param rows distinct rows, at least
   * @param moreRows whether there are more
   * @param tables by table how many of these rows are in it
   * @param most the rows with the most violations
   * @param transactions transactions that were left out because of it
   * @param delivered transactions with the same promise that were checked since it began
   */
  public record Radius(
      int rows,
      boolean moreRows,
      Map<String, Integer> tables,
      List<StruckRow> most,
      long transactions,
      long delivered) {
    /** Copies the list. */
    public Radius {
      tables = Map.copyOf(tables);
      most = List.copyOf(most);
    }
  }

  /**
   * A row, and how many violations are about it.
   *
   * @param row the row
   * @param violations how many
   */
  public record StruckRow(HurtRow row, long violations) {}

  /**
   * How often an incident has become worse: each time is a page of its own.
   *
   * @param number from 1 on
   * @param reason why the latest one began; empty for the first
   * @param since when the latest one began
   */
  public record Wave(int number, String reason, Moment since) {}

  /**
   * Why an incident is over.
   *
   * @param reason in words
   * @param at when
   */
  public record End(String reason, Moment at) {}

  /** This incident, over. */
  public IncidentReport ended(End how) {
    return new IncidentReport(
        id,
        history,
        slot,
        root,
        culprits,
        first,
        last,
        violations,
        kinds,
        causes,
        causeCount,
        radius,
        wave,
        how,
        mergedWith,
        differences,
        timeline);
  }
}

package io.isotail.incremental.witness;

import static io.isotail.incremental.anomaly.EdgeKind.RT;
import static io.isotail.incremental.anomaly.EdgeKind.RW;
import static io.isotail.incremental.anomaly.EdgeKind.SO;
import static io.isotail.incremental.anomaly.EdgeKind.WR;
import static io.isotail.incremental.anomaly.EdgeKind.WW;

import io.isotail.incremental.anomaly.AnomalyKind;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Names a cycle by its shape: the names of [1] Table I and those that engineers use where it has
 * none, and the phenomena of [2] as [3] counts them.
 *
 * <p>[1] Wei et al., Boosting End-to-End Database Isolation Checking via Mini-Transactions. [2]
 * Adya, Liskov, O'Neil, Generalized Isolation Level Definitions, 2000. [3] Alvaro, Kingsbury, Elle:
 * Inferring Isolation Anomalies from Experimental Observations, VLDB 2020: G-nonadjacent, and the
 * variants of sessions ({@code -process} there) and of real time.
 */
final class CycleNames {

  /** A name, and the shapes that have it unless an earlier rule takes them. */
  private record Rule(AnomalyKind kind, Predicate<CycleShape> holds) {}

  private static final List<Rule> RULES =
      List.of(
          // Lists alone: they fit no order of the versions.
          rule(AnomalyKind.INCOMPATIBLE_ORDER, CycleNames::isOfLists),
          // Without rw: what was done depends on itself.
          rule(AnomalyKind.CAUSALITY_CYCLE, s -> s.count(RW) == 0 && s.count(WR) > 0),
          rule(AnomalyKind.DIRTY_WRITE, s -> s.count(RW) == 0 && s.count(WW) > 0),
          // One rw: a transaction missed what comes before it.
          rule(AnomalyKind.STALE_READ, s -> s.count(RW) == 1 && s.count(RT) > 0),
          rule(
              AnomalyKind.NON_REPEATABLE_READS,
              s -> isSeenInPart(s) && s.keys() == 1 && !s.newFirst()),
          rule(AnomalyKind.NON_MONOTONIC_READ, s -> isSeenInPart(s) && s.newFirst()),
          rule(AnomalyKind.FRACTURED_READ, s -> isSeenInPart(s)),
          rule(
              AnomalyKind.SESSION_GUARANTEE_VIOLATION,
              s -> s.count(RW) == 1 && s.count(SO) == s.size() - 1),
          rule(AnomalyKind.CAUSALITY_VIOLATION, s -> s.count(RW) == 1 && s.count(WW) == 0),
          rule(AnomalyKind.LOST_UPDATE, s -> s.count(RW) == 1 && s.bothUpdated()),
          rule(AnomalyKind.BLIND_LOST_UPDATE, s -> s.count(RW) == 1 && s.comesBefore(WW)),
          rule(AnomalyKind.READ_SKEW, s -> s.count(RW) == 1),
          // Several rw: what each missed can be put in no order.
          rule(AnomalyKind.WRITE_SKEW, s -> s.count(RW) == 2 && s.size() == 2 && s.keys() == 2),
          rule(AnomalyKind.READ_ONLY_ANOMALY, s -> s.adjacent() && s.readOnly()),
          rule(AnomalyKind.DANGEROUS_STRUCTURE, s -> s.adjacent()),
          rule(
              AnomalyKind.LONG_FORK, s -> s.count(RW) == 2 && !s.adjacent() && !s.comesBefore(WW)));

  private CycleNames() {}

  private static Rule rule(AnomalyKind kind, Predicate<CycleShape> holds) {
    return new Rule(kind, holds);
  }

  /** A reader saw one write of a transaction and missed another. */
  private static boolean isSeenInPart(CycleShape shape) {
    return shape.size() == 2 && shape.count(RW) == 1 && shape.count(WR) == 1;
  }

  /** What lists of one key show contradicts itself, or the order of a session. */
  private static boolean isOfLists(CycleShape shape) {
    return shape.listed()
        && shape.keys() == 1
        && shape.count(WW) > 0
        && shape.count(WW) + shape.count(SO) == shape.size();
  }

  /** The anomaly's name. */
  static AnomalyKind kind(CycleShape shape) {
    for (Rule rule : RULES) {
      if (rule.holds.test(shape)) {
        return rule.kind;
      }
    }
    return AnomalyKind.COMMIT_ORDER_CYCLE;
  }

  /**
   * Adya's name for a cycle, or null where it rests on no version at all. He gives each object one
   * order of versions, so he has none for lists that show several.
   */
  static @Nullable String adya(CycleShape shape) {
    String phenomenon = isOfLists(shape) ? null : phenomenon(shape);
    if (phenomenon == null) {
      return null;
    }
    return phenomenon + (shape.count(RT) > 0 ? "-realtime" : shape.count(SO) > 0 ? "-session" : "");
  }

  private static @Nullable String phenomenon(CycleShape shape) {
    int antiDependencies = shape.count(RW);
    if (antiDependencies == 1) {
      return "G-single";
    }
    if (antiDependencies > 1) {
      return shape.adjacent() ? "G2-item" : "G-nonadjacent";
    }
    return shape.count(WR) > 0 ? "G1c" : shape.count(WW) > 0 ? "G0" : null;
  }

  /** Adya's name for a read that is bad in itself, or null where it has none. */
  static @Nullable String adya(AnomalyKind badRead) {
    return switch (badRead) {
      case ABORTED_READ -> "G1a";
      case INTERMEDIATE_READ -> "G1b";
      default -> null;
    };
  }
}

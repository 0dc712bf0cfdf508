package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;

/**
 * Why a transaction cannot be added to a level's graph.
 *
 * @param cycles cycles of which one is left whatever the order of the versions, none of which can
 *     be spared; empty if the budget was spent before that was known
 */
public record Conflict(List<List<Dependency>> cycles) {

  /** Whether it is not known that the level is violated. */
  public boolean undecided() {
    return cycles.isEmpty();
  }

  /**
   * Whether all of it contradicts a weaker level too. If not, others may: that takes a search.
   *
   * @param level from {@code prefix} on
   */
  public boolean contradicts(IsolationLevel level) {
    return !undecided() && cycles.stream().allMatch(cycle -> isCycle(cycle, level));
  }

  /** Whether each dependency holds at the level, and leaves no earlier than the one before came. */
  private static boolean isCycle(List<Dependency> cycle, IsolationLevel level) {
    for (int i = 0; i < cycle.size(); i++) {
      EdgeKind kind = cycle.get(i).kind;
      EdgeKind next = cycle.get((i + 1) % cycle.size()).kind;
      boolean broken = kind.leadsToCommit(level) && next.leavesBegin(level);
      if (broken || !kind.countsAt(level)) {
        return false;
      }
    }
    return true;
  }
}

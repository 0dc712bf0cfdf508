package io.isotail.incremental.events;

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
}

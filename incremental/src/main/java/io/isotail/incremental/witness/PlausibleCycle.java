package io.isotail.incremental.witness;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.window.Transaction;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * Of the cycles of a conflict the one that most likely happened: the shortest that supposes no
 * writer before one that ended earlier. The others only refute other orders of the versions.
 *
 * <p>A transaction may show in which order versions were written that nobody had read before. Then
 * the conflict is found at its delivery, though it has done nothing wrong and is on none but those
 * other cycles.
 */
final class PlausibleCycle {
  private PlausibleCycle() {}

  /**
   * The transaction on that cycle which was delivered last, where the newest one is on a longer
   * cycle only; the newest one else, or where that one was not promised the level.
   */
  static Transaction culprit(Conflict conflict, Transaction newest, IsolationLevel level) {
    List<Dependency> cycle = of(conflict, newest);
    Transaction last = newest;
    for (Dependency edge : cycle) {
      Transaction first = edge.first();
      last = last == newest || first.deliveredAt > last.deliveredAt ? first : last;
    }
    boolean mayBeTold = last.state == Transaction.State.DELIVERED && last.promise.atLeast(level);
    return !isOn(cycle, newest) && mayBeTold ? last : newest;
  }

  private static List<Dependency> of(Conflict conflict, Transaction newest) {
    return conflict.cycles().stream()
        .filter(cycle -> cycle.stream().allMatch(PlausibleCycle::isPlausible))
        .min(
            Comparator.<List<Dependency>>comparingInt(List::size)
                .thenComparing(cycle -> !isOn(cycle, newest)))
        .orElse(List.of());
  }

  private static boolean isOn(List<Dependency> cycle, Transaction t) {
    return cycle.stream().anyMatch(edge -> edge.first() == t);
  }

  private static boolean isPlausible(Dependency edge) {
    return !edge.isAssumed() || endsBefore(edge.earlierWriter(), edge.later());
  }

  /** By the clock that both ends are told by, else in their places in the log. */
  static boolean endsBefore(Transaction a, Transaction b) {
    boolean comparable =
        a.times.hasEnd() && b.times.hasEnd() && Objects.equals(a.times.clock(), b.times.clock());
    return comparable ? a.times.endNs() < b.times.endNs() : a.comesBefore(b);
  }
}

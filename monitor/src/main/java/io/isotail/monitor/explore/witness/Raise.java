package io.isotail.monitor.explore.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What raising one transaction of the code does, while the others stay.
 *
 * @param group its executions
 * @param enough the weakest level of them at which no history of the program violates the level
 *     that the anomaly violated, as far as is known; null if none is known
 * @param allowed the strongest level of them that allows such a history; null if none does
 * @param commits an order of the commits that explains the history of the witness at {@code
 *     allowed}: places in the program; empty if another history is allowed there
 * @param found the anomaly of that other history; null if there is none
 * @param open whether a limit was reached, so that a weaker level than {@code enough} may do
 */
public record Raise(
    CodeGroup group,
    @Nullable IsolationLevel enough,
    @Nullable IsolationLevel allowed,
    List<Integer> commits,
    @Nullable Found found,
    boolean open) {
  /** Copies the list. */
  public Raise {
    commits = List.copyOf(commits);
  }

  /**
   * An anomaly of a history other than that of the witness.
   *
   * @param level the weakest level that it violates
   */
  public record Found(AnomalyKind kind, IsolationLevel level) {}
}

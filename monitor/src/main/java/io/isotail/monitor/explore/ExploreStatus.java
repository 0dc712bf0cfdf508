package io.isotail.monitor.explore;

import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.Raising;
import io.isotail.monitor.offline.ExitCode;
import java.util.List;

/** The exit status that tells what an exploration found. */
final class ExploreStatus {
  private ExploreStatus() {}

  /** Whether all assertions hold at every level. */
  static int ofAll(List<AssertionVerdict> levels) {
    return levels.stream().anyMatch(AssertionVerdict::fail)
        ? ExitCode.VIOLATION
        : levels.stream().allMatch(AssertionVerdict::exhausted)
            ? ExitCode.PASSED
            : ExitCode.UNDECIDED;
  }

  /**
   * Whether the weakest level at which all assertions hold is among those.
   *
   * @param levels from the weakest on; none but the last one holds
   */
  static int ofWeakest(List<AssertionVerdict> levels) {
    AssertionVerdict last = levels.get(levels.size() - 1);
    boolean othersFail =
        levels.subList(0, levels.size() - 1).stream().allMatch(AssertionVerdict::fail);
    return last.fail()
        ? ExitCode.VIOLATION
        : last.hold() && othersFail ? ExitCode.PASSED : ExitCode.UNDECIDED;
  }

  /** Whether it is enough to raise one transaction, or none. */
  static int of(Raising raising) {
    boolean enough =
        raising.base().hold()
            || raising.needs().stream().anyMatch(need -> need.enough().isPresent());
    boolean exact = raising.needs().stream().allMatch(Raising.Need::exact);
    return enough
        ? ExitCode.PASSED
        : exact && raising.base().fail() ? ExitCode.VIOLATION : ExitCode.UNDECIDED;
  }
}

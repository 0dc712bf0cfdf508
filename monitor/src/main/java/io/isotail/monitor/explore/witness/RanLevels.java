package io.isotail.monitor.explore.witness;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.explore.ExploredHistory;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.witness.LevelAnswers.Ran;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The levels at which the transactions of a witness ran. Where one is not known, the strongest is
 * taken with which all of them together allow the history of the witness.
 *
 * @param levels of each transaction, in the order of the program
 * @param allow whether they allow the history of the witness
 * @param snapshotsAllow whether they do where serializable is snapshot isolation unless all are
 *     serializable, as PostgreSQL documents
 */
record RanLevels(List<Ran> levels, boolean allow, boolean snapshotsAllow) {
  static final RanLevels NONE = new RanLevels(List.of(), false, false);

  /**
   * Finds them.
   *
   * @param possible levels that allow the history if all transactions run at them, weakest first;
   *     at least one
   * @throws io.isotail.incremental.explore.SearchLimitException if that takes too long
   */
  static RanLevels of(WitnessProgram witness, List<IsolationLevel> possible) {
    List<RanLevels> tried = new ArrayList<>();
    for (int i = possible.size() - 1; i >= 0; i--) {
      List<Ran> levels = assuming(witness, possible.get(i));
      boolean allow = commits(witness, declared(witness, levels)) != null;
      boolean snapshots = allow || commits(witness, declared(witness, weaker(levels))) != null;
      RanLevels ran = new RanLevels(levels, allow, snapshots);
      if (allow || levels.stream().noneMatch(Ran::assumed)) {
        return ran;
      }
      tried.add(ran);
    }
    return tried.stream().filter(RanLevels::snapshotsAllow).findFirst().orElse(tried.get(0));
  }

  private static List<Ran> assuming(WitnessProgram witness, IsolationLevel assumed) {
    CheckerConfig config = CheckerConfig.forLive("explore");
    return witness.parts().stream()
        .map(part -> config.givenBy(part.of().ranAt()))
        .map(
            given ->
                given == null
                    ? new Ran(assumed, true)
                    : new Ran(given.weakerOf(IsolationLevel.SERIALIZABLE), false))
        .toList();
  }

  private static List<Ran> weaker(List<Ran> levels) {
    return levels.stream().map(Ran::level).distinct().count() == 1
        ? levels
        : levels.stream()
            .map(
                ran ->
                    new Ran(ran.level().weakerOf(IsolationLevel.SNAPSHOT_ISOLATION), ran.assumed()))
            .toList();
  }

  /** The weakest level of executions. */
  IsolationLevel weakest(CodeGroup group) {
    return group.parts().stream()
        .map(part -> levels.get(part).level())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** The program with each transaction at its level. */
  Program program(WitnessProgram witness) {
    return declared(witness, levels);
  }

  private static Program declared(WitnessProgram witness, List<Ran> levels) {
    Program declared = witness.program();
    for (int i = 0; i < levels.size(); i++) {
      declared = declared.withLevel(witness.parts().get(i).kind(), levels.get(i).level());
    }
    return declared;
  }

  /**
   * An order of the commits that explains the history of the witness: places in the program; null
   * if there is none.
   *
   * @param declared the program, of which every transaction declares a level, so that none runs at
   *     the one that is asked for
   */
  static @Nullable List<Integer> commits(WitnessProgram witness, Program declared) {
    Optional<ExploredHistory> history = witness.history(declared);
    int @Nullable [] order =
        history.isEmpty() ? null : history.get().order(IsolationLevel.weakest());
    return order == null
        ? null
        : Arrays.stream(order).filter(event -> event < 0).map(event -> -event - 1).boxed().toList();
  }
}

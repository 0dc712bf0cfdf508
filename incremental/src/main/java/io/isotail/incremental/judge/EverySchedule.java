package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tries every schedule of a few transactions on the idealised database of {@link Schedule}, and
 * remembers from which states none leads to the end.
 */
final class EverySchedule {
  private final Facts facts;
  private final IsolationLevel level;
  private final int all;
  private final List<Long> keys;

  /** For each transaction those that must have committed before it begins, as bits. */
  private final int[] before;

  /** For each transaction those that write a key that it writes too, as bits. */
  private final int[] conflicting;

  private final Set<State> deadEnds = new HashSet<>();

  /** Who has begun, who has committed, and who wrote each key last. */
  private record State(int begun, int committed, List<Integer> latest) {}

  EverySchedule(Facts facts, IsolationLevel level) {
    this.facts = facts;
    this.level = level;
    this.keys = new ArrayList<>(facts.keys.keySet());
    this.before = new int[facts.n];
    this.conflicting = new int[facts.n];
    int committed = 0;
    for (int t = 0; t < facts.n; t++) {
      committed |= facts.isCommitted(t) ? 1 << t : 0;
      for (int s = 0; s < facts.n; s++) {
        boolean first =
            facts.sessionOrder(s, t)
                || (level == IsolationLevel.STRICT_SERIALIZABLE && facts.realTime(s, t));
        before[t] |= first ? 1 << s : 0;
        conflicting[t] |= s != t && !facts.commonKeys(s, t).isEmpty() ? 1 << s : 0;
      }
    }
    this.all = committed;
  }

  /** Whether some schedule of all committed transactions runs. */
  boolean anyRuns() {
    Integer[] latest = new Integer[keys.size()];
    Arrays.fill(latest, Proof.INITIAL);
    return leadsToTheEnd(new State(0, 0, List.of(latest)));
  }

  private boolean leadsToTheEnd(State state) {
    if (state.committed == all) {
      return true;
    }
    if (!deadEnds.add(state)) {
      return false;
    }
    for (int t = 0; t < facts.n; t++) {
      int bit = 1 << t;
      if ((all & bit) == 0 || (state.committed & bit) != 0) {
        continue;
      }
      boolean begun = (state.begun & bit) != 0;
      if (!begun && !mayBegin(t, state)) {
        continue;
      }
      boolean commits = begun || !Events.areTwo(level);
      if (commits && !mayCommit(t, state)) {
        continue;
      }
      State next =
          commits
              ? new State(state.begun | bit, state.committed | bit, latest(t, state))
              : new State(state.begun | bit, state.committed, state.latest);
      if (leadsToTheEnd(next)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBegin(int t, State state) {
    if ((before[t] & ~state.committed) != 0) {
      return false;
    }
    int underWay = state.begun & ~state.committed;
    if (level == IsolationLevel.SNAPSHOT_ISOLATION && (underWay & conflicting[t]) != 0) {
      return false;
    }
    for (Facts.Read read : facts.reads.get(t)) {
      if (state.latest.get(keys.indexOf(read.key())) != read.writer()) {
        return false;
      }
    }
    return true;
  }

  /** A version stands right behind another if and only if no list shows otherwise. */
  private boolean mayCommit(int t, State state) {
    for (Facts.Shown shown : facts.shown) {
      boolean overwrites =
          facts.writes(t, shown.key())
              && state.latest.get(keys.indexOf(shown.key())) == shown.earlier();
      if (overwrites != (shown.later() == t)) {
        return false;
      }
    }
    return true;
  }

  private List<Integer> latest(int t, State state) {
    List<Integer> latest = new ArrayList<>(state.latest);
    for (long key : facts.written(t)) {
      latest.set(keys.indexOf(key), t);
    }
    return latest;
  }
}

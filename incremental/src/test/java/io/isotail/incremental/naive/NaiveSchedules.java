package io.isotail.incremental.naive;

import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides prefix, snapshot isolation and serializable for a small history by trying every schedule
 * of an idealised database.
 *
 * <p>A transaction begins, which is when it reads all that it reads from others, and commits, which
 * is when its writes appear; its session's next one begins after that. Every read returns what the
 * last commit left. Under snapshot isolation no two transactions that write the same key are under
 * way at the same time; if serializable, a transaction commits as it begins.
 */
final class NaiveSchedules {
  private final IsolationLevel level;
  private final List<Map<Long, Integer>> reads = new ArrayList<>();
  private final List<Set<Long>> writes = new ArrayList<>();
  private final List<Integer> before = new ArrayList<>();
  private final List<Set<Integer>> observed = new ArrayList<>();
  private final int all;
  private final boolean[][] realTime;
  private final Set<Shown> shown;
  private final Set<State> deadEnds = new HashSet<>();

  /** A list shows that a transaction's version of a key directly succeeds another's, or -1's. */
  record Shown(long key, int earlier, int later) {}

  /** Who has begun, who has committed, and who wrote what is read now. */
  private record State(int begun, int committed, Map<Long, Integer> latest) {}

  /**
   * For the committed transactions, numbered from 0.
   *
   * @param reads for each, the writer of every key that it read from another, -1 for the initial
   *     one
   * @param writes the keys that each wrote
   * @param before the transaction before it in its session, or -1
   * @param observed the transactions whose appends each saw in lists
   * @param shown what list reads show
   * @param realTime whether the first ended before the second began; counts only if strict
   */
  NaiveSchedules(
      IsolationLevel level,
      List<Map<Long, Integer>> reads,
      List<Set<Long>> writes,
      List<Integer> before,
      List<Set<Integer>> observed,
      Set<Shown> shown,
      boolean[][] realTime) {
    this.level = level;
    this.reads.addAll(reads);
    this.writes.addAll(writes);
    this.before.addAll(before);
    this.observed.addAll(observed);
    this.all = (1 << reads.size()) - 1;
    this.shown = Set.copyOf(shown);
    this.realTime = realTime;
  }

  boolean exist() {
    return leadsToTheEnd(new State(0, 0, Map.of()));
  }

  private boolean leadsToTheEnd(State state) {
    if (state.committed == all) {
      return true;
    }
    if (!deadEnds.add(state)) {
      return false;
    }
    for (int t = 0; t < reads.size(); t++) {
      boolean begun = (state.begun & 1 << t) != 0;
      boolean committed = (state.committed & 1 << t) != 0;
      if (!begun && mayBegin(t, state)) {
        State next = new State(state.begun | 1 << t, state.committed, state.latest);
        boolean atOnce = level.atLeast(IsolationLevel.SERIALIZABLE);
        if ((!atOnce || mayCommit(t, next)) && leadsToTheEnd(atOnce ? commit(t, next) : next)) {
          return true;
        }
      }
      if (begun && !committed && mayCommit(t, state) && leadsToTheEnd(commit(t, state))) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBegin(int t, State state) {
    int previous = before.get(t);
    if (previous >= 0 && (state.committed & 1 << previous) == 0) {
      return false;
    }
    for (int writer : observed.get(t)) {
      if ((state.committed & 1 << writer) == 0) {
        return false;
      }
    }
    for (Map.Entry<Long, Integer> read : reads.get(t).entrySet()) {
      if (!state.latest.getOrDefault(read.getKey(), -1).equals(read.getValue())) {
        return false;
      }
    }
    for (int other = 0; other < reads.size(); other++) {
      boolean underWay = (state.begun & ~state.committed & 1 << other) != 0;
      if (underWay && level == IsolationLevel.SNAPSHOT_ISOLATION && conflict(t, other)) {
        return false;
      }
      boolean waits = (state.committed & 1 << other) == 0 && other != t;
      if (waits && level == IsolationLevel.STRICT_SERIALIZABLE && realTime[other][t]) {
        return false;
      }
    }
    return true;
  }

  /** Whether its versions succeed what they are shown to succeed, and nothing else stands there. */
  private boolean mayCommit(int t, State state) {
    for (Shown each : shown) {
      boolean overwrites =
          writes.get(t).contains(each.key)
              && state.latest.getOrDefault(each.key, -1) == each.earlier;
      if (overwrites != (each.later == t)) {
        return false;
      }
    }
    return true;
  }

  private boolean conflict(int t, int other) {
    Set<Long> common = new HashSet<>(writes.get(t));
    common.retainAll(writes.get(other));
    return !common.isEmpty();
  }

  private State commit(int t, State state) {
    Map<Long, Integer> latest = new HashMap<>(state.latest);
    for (long key : writes.get(t)) {
      latest.put(key, t);
    }
    return new State(state.begun, state.committed | 1 << t, latest);
  }
}

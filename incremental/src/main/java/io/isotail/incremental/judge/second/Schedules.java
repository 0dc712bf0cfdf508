package io.isotail.incremental.judge.second;

import io.isotail.incremental.judge.second.ListNeighbours.Neighbours;
import io.isotail.incremental.judge.second.SourcesOfReads.Source;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The levels from {@code prefix} on: there must be a schedule of the begins and commits. A
 * transaction reads as it begins what the last commits left, and its writes appear all at once as
 * it commits. Under snapshot isolation no two that write a common key are under way together; from
 * serializable on each commits as it begins. Every schedule is tried; states from which none leads
 * to the end are remembered.
 */
final class Schedules {
  private final HistoryReading history;
  private final SourcesOfReads sources;
  private final ListNeighbours lists;
  private final IsolationLevel level;
  private final Set<State> deadEnds = new HashSet<>();

  /** How far a schedule has come: who is under way, who has not begun, and who wrote a key last. */
  private record State(Set<Integer> underWay, Set<Integer> left, Map<Long, Integer> latest) {}

  Schedules(
      HistoryReading history, SourcesOfReads sources, ListNeighbours lists, IsolationLevel level) {
    this.history = history;
    this.sources = sources;
    this.lists = lists;
    this.level = level;
  }

  /** Whether some schedule of all committed transactions runs. */
  boolean anyRuns() {
    Set<Integer> all = new HashSet<>();
    for (int t = 0; t < history.size(); t++) {
      if (history.committed(t)) {
        all.add(t);
      }
    }
    return leadsToTheEnd(new State(Set.of(), all, Map.of()));
  }

  private boolean leadsToTheEnd(State state) {
    if (state.left.isEmpty() && state.underWay.isEmpty()) {
      return true;
    }
    if (!deadEnds.add(state)) {
      return false;
    }
    for (State next : nextStates(state)) {
      if (leadsToTheEnd(next)) {
        return true;
      }
    }
    return false;
  }

  private List<State> nextStates(State state) {
    boolean atOnce = level.atLeast(IsolationLevel.SERIALIZABLE);
    List<State> next = new ArrayList<>();
    for (int t : state.left) {
      if (mayBegin(t, state)) {
        State begun = new State(with(state.underWay, t), without(state.left, t), state.latest);
        if (!atOnce) {
          next.add(begun);
        } else if (mayCommit(t, begun)) {
          next.add(committed(t, begun));
        }
      }
    }
    for (int t : state.underWay) {
      if (mayCommit(t, state)) {
        next.add(committed(t, state));
      }
    }
    return next;
  }

  private State committed(int t, State state) {
    Map<Long, Integer> latest = new HashMap<>(state.latest);
    history.written(t).forEach(key -> latest.put(key, t));
    return new State(without(state.underWay, t), state.left, latest);
  }

  private boolean mayBegin(int t, State state) {
    for (int other : with(state.underWay, state.left)) {
      if (mustEndBefore(other, t)) {
        return false;
      }
    }
    for (int other : state.underWay) {
      if (level == IsolationLevel.SNAPSHOT_ISOLATION
          && !Collections.disjoint(history.written(other), history.written(t))) {
        return false;
      }
    }
    for (Source source : sources.fromOthers(t)) {
      boolean there =
          source.ofVersion()
              ? lastWriter(source.read().key(), state) == source.writer()
              : !with(state.underWay, state.left).contains(source.writer());
      if (!there) {
        return false;
      }
    }
    return true;
  }

  private boolean mustEndBefore(int other, int t) {
    return history.earlierInSession(other, t)
        || (level == IsolationLevel.STRICT_SERIALIZABLE && history.endedBefore(other, t));
  }

  /** Whether its versions come right behind those that lists show them to, and no other does. */
  private boolean mayCommit(int t, State state) {
    for (Neighbours shown : lists.all()) {
      boolean comesBehind =
          history.written(t).contains(shown.key())
              && lastWriter(shown.key(), state) == shown.earlier();
      if (comesBehind != (t == shown.later())) {
        return false;
      }
    }
    return true;
  }

  private static int lastWriter(long key, State state) {
    return state.latest.getOrDefault(key, SourcesOfReads.INITIAL);
  }

  private static Set<Integer> with(Set<Integer> some, int one) {
    return with(some, Set.of(one));
  }

  private static Set<Integer> with(Set<Integer> some, Set<Integer> others) {
    Set<Integer> all = new HashSet<>(some);
    all.addAll(others);
    return all;
  }

  private static Set<Integer> without(Set<Integer> some, int one) {
    Set<Integer> others = new HashSet<>(some);
    others.remove(one);
    return others;
  }
}

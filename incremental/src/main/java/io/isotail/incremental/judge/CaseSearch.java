package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Searches, for a level from {@code prefix} on, a proof that a capsule violates it, or a schedule
 * that satisfies it, by cases: which of two writers of a key is first. What it finds is believed
 * only once it has been checked.
 *
 * <p>A case ends where what it assumes closes a cycle in the level's graph. A pair of which one
 * order would close a cycle at once is no case of its own. Where nothing is forced the pairs left
 * are ordered as they may be; if that fails, a pair on the cycle that results is split. An
 * assumption that a contradiction does not rest on is not split at all.
 */
final class CaseSearch {
  private final Facts facts;
  private final IsolationLevel level;
  private final EventGraph graph;
  private final int n;

  /** Pairs of writers of a common key, not ordered by what is known; the smaller first. */
  private final List<Pair> pairs = new ArrayList<>();

  /** For each pair of transactions whether the first is known, or assumed, to be the earlier. */
  private final BitSet ordered = new BitSet();

  private long stepsLeft;
  private int leavesLeft = Judge.MOST_LEAVES;
  private int @Nullable [] schedule;

  /** Two writers of a common key. */
  private record Pair(int a, int b, long key) {}

  /** A proof in the case under way, and what it assumes of it: numbers of ordered pairs. */
  private record Refutation(Proof proof, BitSet assumed) {}

  CaseSearch(Facts facts, IsolationLevel level, long steps) {
    this.facts = facts;
    this.level = level;
    this.n = facts.n;
    this.stepsLeft = steps;
    this.graph = new EventGraph(level, n);
  }

  /** A schedule that satisfies the level; null if {@link #refute} has found none. */
  int @Nullable [] schedule() {
    return schedule;
  }

  /** A proof that the level is violated; null if there is a schedule, or if the search gave up. */
  @Nullable Proof refute() {
    Refutation refutation = addKnown();
    refutation = refutation == null ? solve(0) : refutation;
    return refutation == null ? null : refutation.proof;
  }

  /** Adds all edges that rest on no assumption, reads first: of two reasons they say more. */
  private @Nullable Refutation addKnown() {
    List<Edge> known = new ArrayList<>();
    for (Map.Entry<Long, Facts.KeyFacts> entry : facts.keys.entrySet()) {
      Facts.KeyFacts key = entry.getValue();
      for (Facts.Read read : key.reads) {
        if (read.writer() >= 0) {
          known.add(Edge.read(read.writer(), read.reader(), read.key(), read.operation()));
        }
      }
      for (Facts.Shown shown : key.shown) {
        if (shown.earlier() >= 0) {
          known.add(listed(shown));
        }
      }
      for (int writer : key.writers) {
        addBehind(Proof.INITIAL, writer, entry.getKey(), List.of(), known);
      }
    }
    for (int t = 0; t < n; t++) {
      for (int s = 0; s < n; s++) {
        if (facts.sessionOrder(s, t)) {
          known.add(Edge.plain(s, t, EdgeKind.SO));
        } else if (level == IsolationLevel.STRICT_SERIALIZABLE && facts.realTime(s, t)) {
          known.add(Edge.plain(s, t, EdgeKind.RT));
        }
      }
    }
    addBehindOutsiders(known);
    addPairs(known);
    for (Edge edge : known) {
      if (graph.closesCycle(edge)) {
        return leaf(edge);
      }
      graph.add(edge);
    }
    return null;
  }

  /** From {@code serializable} on: two read a version by an outsider, and one overwrote it. */
  private void addBehindOutsiders(List<Edge> known) {
    for (Facts.Read read : facts.ofOutsiders) {
      for (int t = 0; t < n && level.atLeast(IsolationLevel.SERIALIZABLE); t++) {
        if (facts.overwritesOutsider(t, read)) {
          known.add(
              new Edge(
                  read.reader(),
                  t,
                  EdgeKind.RW,
                  read.key(),
                  read.reader(),
                  read.operation(),
                  Proof.NONE,
                  List.of()));
        }
      }
    }
  }

  /** The pairs of writers, with what follows where one of the two is known to be first. */
  private void addPairs(List<Edge> known) {
    BitSet seen = new BitSet();
    for (Map.Entry<Long, Facts.KeyFacts> entry : facts.keys.entrySet()) {
      List<Integer> writers = entry.getValue().writers;
      for (int i = 0; i < writers.size(); i++) {
        for (int j = i + 1; j < writers.size(); j++) {
          Pair pair = new Pair(writers.get(i), writers.get(j), entry.getKey());
          if (seen.get(number(pair.a, pair.b))) {
            continue;
          }
          seen.set(number(pair.a, pair.b));
          Edge reason = knownOrder(pair.a, pair.b);
          boolean first = reason != null;
          reason = first ? reason : knownOrder(pair.b, pair.a);
          if (reason == null) {
            pairs.add(pair);
          } else {
            addFollowing(first ? pair.a : pair.b, first ? pair.b : pair.a, reason, known);
          }
        }
      }
    }
  }

  /** Why one transaction is known to commit before another that wrote the same key, or null. */
  private @Nullable Edge knownOrder(int a, int b) {
    if (facts.sessionOrder(a, b)) {
      return Edge.plain(a, b, EdgeKind.SO);
    }
    for (Facts.Read read : facts.reads.get(b)) {
      if (read.writer() == a) {
        return Edge.read(a, b, read.key(), read.operation());
      }
    }
    for (Facts.Shown shown : facts.shown) {
      if (shown.earlier() == a && shown.later() == b) {
        return listed(shown);
      }
    }
    return null;
  }

  static Edge listed(Facts.Shown shown) {
    return new Edge(
        shown.earlier(),
        shown.later(),
        EdgeKind.WW,
        shown.key(),
        shown.reader(),
        shown.operation(),
        Proof.NONE,
        List.of());
  }

  /** What follows for all keys that both wrote from the order of two writers. */
  private void addFollowing(int a, int b, Edge reason, List<Edge> edges) {
    for (long key : facts.commonKeys(a, b)) {
      addBehind(a, b, key, List.of(reason), edges);
    }
  }

  /**
   * Who read the version by {@code a}, and what a list shows right behind it, precedes {@code b}.
   */
  private void addBehind(int a, int b, long key, List<Edge> because, List<Edge> edges) {
    Facts.KeyFacts known = facts.keys.get(key);
    if (known == null) {
      return;
    }
    for (Facts.Read read : known.reads) {
      if (read.ofVersion()
          && read.writer() == a
          && read.reader() != b
          && facts.precedesOverwriter(read, b, level)) {
        edges.add(
            new Edge(
                read.reader(), b, EdgeKind.RW, key, read.reader(), read.operation(), a, because));
      }
    }
    for (Facts.Shown shown : known.shown) {
      if (shown.earlier() == a && shown.later() != b) {
        edges.add(
            new Edge(
                shown.later(), b, EdgeKind.WW, key, shown.reader(), shown.operation(), a, because));
      }
    }
  }

  /** What follows if {@code a} is assumed to be first; that they are so ordered is the first. */
  private List<Edge> following(int a, int b, long key) {
    List<Edge> edges = new ArrayList<>();
    Edge assumed = Edge.assumed(a, b, key);
    edges.add(assumed);
    addFollowing(a, b, assumed, edges);
    return edges;
  }

  /** The first of these that would close a cycle, or null. */
  private @Nullable Edge closing(List<Edge> edges) {
    stepsLeft -= edges.size();
    for (Edge edge : edges) {
      if (graph.closesCycle(edge)) {
        return edge;
      }
    }
    return null;
  }

  /** Adds what is assumed of a pair; says why that cannot be. */
  private @Nullable Refutation assume(int a, int b, long key) {
    ordered.set(number(a, b));
    for (Edge edge : following(a, b, key)) {
      stepsLeft--;
      if (graph.closesCycle(edge)) {
        return leaf(edge);
      }
      graph.add(edge);
    }
    return null;
  }

  private Refutation leaf(Edge closing) {
    leavesLeft--;
    List<Edge> cycle = graph.cycle(closing);
    BitSet assumed = new BitSet();
    cycle.forEach(edge -> note(edge, assumed));
    return new Refutation(new Proof.Cycle(cycle), assumed);
  }

  private void note(Edge edge, BitSet assumed) {
    if (edge.isAssumed()) {
      assumed.set(number(edge.from(), edge.to()));
    }
    edge.because().forEach(each -> note(each, assumed));
  }

  private boolean gaveUp() {
    return stepsLeft < 0 || leavesLeft < 0;
  }

  /** Refutes the case under way; null if it holds a schedule, or if the search gave up. */
  private @Nullable Refutation solve(int depth) {
    if (gaveUp() || depth > Judge.MOST_SPLITS_DEEP) {
      stepsLeft = -1;
      return null;
    }
    BitSet orderedBefore = (BitSet) ordered.clone();
    Refutation found = null;
    // Orders that cannot be otherwise: who is first, and why the other cannot be.
    List<Pair> forced = new ArrayList<>();
    List<Refutation> otherwise = new ArrayList<>();
    for (boolean grown = true; grown && found == null && !gaveUp(); ) {
      grown = false;
      for (int i = 0; i < pairs.size() && found == null; i++) {
        Pair pair = pairs.get(i);
        if (isOrdered(pair)) {
          continue;
        }
        Edge impossible = closing(following(pair.a, pair.b, pair.key));
        boolean firstIsB = impossible != null;
        impossible = firstIsB ? impossible : closing(following(pair.b, pair.a, pair.key));
        if (impossible != null) {
          Pair order = firstIsB ? new Pair(pair.b, pair.a, pair.key) : pair;
          forced.add(order);
          otherwise.add(leaf(impossible));
          found = assume(order.a, order.b, order.key);
          grown = true;
        }
      }
    }
    found = found == null && !gaveUp() ? split(depth) : found;
    ordered.clear();
    ordered.or(orderedBefore);
    for (int i = forced.size() - 1; i >= 0 && found != null; i--) {
      found = joined(forced.get(i), found, otherwise.get(i));
    }
    return found;
  }

  /** Nothing is forced: orders what is left as it may be, or splits what does not fit. */
  private @Nullable Refutation split(int depth) {
    EventGraph.State state = graph.state();
    BitSet orderedBefore = (BitSet) ordered.clone();
    Refutation contradiction = completed();
    graph.restore(state);
    ordered.clear();
    ordered.or(orderedBefore);
    if (contradiction == null) {
      return null;
    }
    Pair pair = firstOpen(contradiction);
    if (pair == null) {
      return contradiction;
    }
    Refutation first = inCase(pair.a, pair.b, pair.key, depth);
    graph.restore(state);
    if (first == null || !first.assumed.get(number(pair.a, pair.b))) {
      return first;
    }
    Refutation second = inCase(pair.b, pair.a, pair.key, depth);
    graph.restore(state);
    return second == null ? null : joined(pair, first, second);
  }

  private @Nullable Refutation inCase(int a, int b, long key, int depth) {
    Refutation refutation = assume(a, b, key);
    refutation = refutation == null ? solve(depth + 1) : refutation;
    ordered.clear(number(a, b));
    return refutation;
  }

  /** Orders the open pairs as the events may be ordered; says where that fails. */
  private @Nullable Refutation completed() {
    List<Integer> order = graph.order();
    int[] place = new int[order.size()];
    for (int i = 0; i < place.length; i++) {
      place[order.get(i)] = i;
    }
    int width = place.length / Math.max(1, n);
    for (Pair pair : pairs) {
      if (isOrdered(pair)) {
        continue;
      }
      boolean first = place[width * pair.a + width - 1] < place[width * pair.b + width - 1];
      boolean isFirst =
          graph.commitsBefore(pair.a, pair.b) || (first && !graph.commitsBefore(pair.b, pair.a));
      Refutation contradiction =
          isFirst ? assume(pair.a, pair.b, pair.key) : assume(pair.b, pair.a, pair.key);
      if (contradiction != null || gaveUp()) {
        return contradiction;
      }
    }
    schedule = graph.schedule(facts);
    return null;
  }

  /** A pair that is not ordered yet and on whose order a contradiction rests, or null. */
  private @Nullable Pair firstOpen(Refutation contradiction) {
    for (Pair pair : pairs) {
      boolean rests =
          contradiction.assumed.get(number(pair.a, pair.b))
              || contradiction.assumed.get(number(pair.b, pair.a));
      if (rests && !isOrdered(pair)) {
        return pair;
      }
    }
    return null;
  }

  /** One contradiction out of those in both cases, or the one that rests on neither. */
  private Refutation joined(Pair pair, Refutation first, Refutation second) {
    int ifFirst = number(pair.a, pair.b);
    int ifSecond = number(pair.b, pair.a);
    if (!first.assumed.get(ifFirst)) {
      return first;
    }
    if (!second.assumed.get(ifSecond)) {
      return second;
    }
    BitSet assumed = (BitSet) first.assumed.clone();
    assumed.clear(ifFirst);
    BitSet others = (BitSet) second.assumed.clone();
    others.clear(ifSecond);
    assumed.or(others);
    return new Refutation(
        new Proof.Split(pair.a, pair.b, pair.key, first.proof, second.proof), assumed);
  }

  private boolean isOrdered(Pair pair) {
    return ordered.get(number(pair.a, pair.b)) || ordered.get(number(pair.b, pair.a));
  }

  private int number(int earlier, int later) {
    return earlier * n + later;
  }
}

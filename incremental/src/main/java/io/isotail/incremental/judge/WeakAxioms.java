package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The levels up to {@code causal} by their definitions (Def. 2.4 to 2.8 of [1]): the union of so,
 * wr and the commit orders that the level's axiom asks for must have no cycle. Computed by
 * transitive closure, so that the answer is final whatever the size.
 *
 * <p>Nodes are numbered from 1, as the transactions from 0; node 0 is the initial transaction.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class WeakAxioms {
  /** An inferred edge counts as much as so many others: cycles with few of them are simpler. */
  private static final int INFERRED = 1_000;

  /** What a list shows is simpler than that, but needs more than a read. */
  private static final int LISTED = 10;

  private static final int FAR = Integer.MAX_VALUE / 4;

  private final Facts facts;
  private final IsolationLevel level;
  private final int nodes;

  /** so and wr. */
  private final BitSet[] direct;

  private final BitSet[] happensBefore;

  /** The reads that imply the inferred edges, by both ends. */
  private final Facts.@Nullable Read[][] implying;

  WeakAxioms(Facts facts, IsolationLevel level) {
    this.facts = facts;
    this.level = level;
    this.nodes = facts.n + 1;
    this.direct = relation();
    this.happensBefore = relation();
    this.implying = new Facts.Read[nodes][nodes];
  }

  /** The simplest cycle, or null if there is none. */
  Proof.@Nullable Cycle cycle() {
    for (int t = 0; t < facts.n; t++) {
      if (facts.isCommitted(t)) {
        direct[0].set(t + 1);
      }
      for (Facts.Read read : facts.reads.get(t)) {
        if (read.writer() >= 0) {
          direct[read.writer() + 1].set(t + 1);
        }
      }
      for (int s = 0; s < facts.n; s++) {
        if (facts.sessionOrder(s, t)) {
          direct[s + 1].set(t + 1);
        }
      }
    }
    for (int i = 0; i < nodes; i++) {
      happensBefore[i].or(direct[i]);
    }
    close(happensBefore);
    BitSet[] commitOrder = relation();
    for (int i = 0; i < nodes; i++) {
      commitOrder[i].or(direct[i]);
    }
    infer(commitOrder);
    addShown(commitOrder);
    BitSet[] closed = relation();
    for (int i = 0; i < nodes; i++) {
      closed[i].or(commitOrder[i]);
    }
    close(closed);
    return simplestCycle(commitOrder, closed);
  }

  /** t3 reads a key from t1; if it has observed t2, which wrote the key too, t2 precedes t1. */
  private void infer(BitSet[] commitOrder) {
    for (int t3 = 0; t3 < facts.n; t3++) {
      for (Facts.Read read : facts.reads.get(t3)) {
        Facts.KeyFacts key = facts.keys.get(read.key());
        if (key == null || !read.ofVersion()) {
          continue;
        }
        for (int t2 : key.writers) {
          if (t2 != read.writer() && t2 != t3 && isObserved(t2, read)) {
            commitOrder[t2 + 1].set(read.writer() + 1);
            Facts.Read known = implying[t2 + 1][read.writer() + 1];
            if (known == null || strength(t2, read) < strength(t2, known)) {
              implying[t2 + 1][read.writer() + 1] = read;
            }
          }
        }
      }
    }
  }

  /**
   * Whoever reads a list has observed all who wrote in it, and so, from {@code read-atomic} on,
   * each of the versions that it went through came last in its time.
   */
  private void addShown(BitSet[] commitOrder) {
    for (Facts.Shown each : facts.listed) {
      if (isOrdered(each)) {
        commitOrder[each.earlier() + 1].set(each.later() + 1);
      }
    }
  }

  private boolean isOrdered(Facts.Shown shown) {
    return facts.observesAt(shown.reader(), level).atLeast(IsolationLevel.READ_ATOMIC);
  }

  private Facts.@Nullable Shown shown(int from, int to) {
    for (Facts.Shown each : facts.listed) {
      if (each.earlier() == from - 1 && each.later() == to - 1 && isOrdered(each)) {
        return each;
      }
    }
    return null;
  }

  private boolean isObserved(int t2, Facts.Read read) {
    return switch (facts.observesAt(read.reader(), level)) {
      case READ_COMMITTED -> readBefore(t2, read) != null;
      case READ_ATOMIC -> direct[t2 + 1].get(read.reader() + 1);
      case CAUSAL -> happensBefore[t2 + 1].get(read.reader() + 1);
      default -> throw new IllegalStateException(level + " has no axiom here");
    };
  }

  /** How much it takes to have observed t2: 0 for the weakest level. */
  private int strength(int t2, Facts.Read read) {
    return readBefore(t2, read) != null ? 0 : direct[t2 + 1].get(read.reader() + 1) ? 1 : 2;
  }

  /** The reader's first read from t2, if that came before. */
  private Facts.@Nullable Read readBefore(int t2, Facts.Read read) {
    for (Facts.Read earlier : facts.reads.get(read.reader())) {
      if (earlier.operation() >= read.begin()) {
        return null; // The elements of a list are read at once.
      }
      if (earlier.writer() == t2) {
        return earlier;
      }
    }
    return null;
  }

  private Proof.@Nullable Cycle simplestCycle(BitSet[] commitOrder, BitSet[] closed) {
    List<Integer> best = List.of();
    int least = FAR;
    for (int start = 0; start < nodes; start++) {
      if (!closed[start].get(start)) {
        continue;
      }
      int[] distance = new int[nodes];
      int[] via = new int[nodes];
      walk(start, commitOrder, closed, distance, via);
      if (distance[start] < least) {
        least = distance[start];
        List<Integer> cycle = new ArrayList<>();
        int at = start;
        do {
          at = via[at];
          cycle.add(0, at);
        } while (at != start);
        best = cycle;
      }
    }
    if (best.isEmpty()) {
      return null;
    }
    List<Edge> edges = new ArrayList<>();
    for (int i = 0; i < best.size(); i++) {
      edges.add(edge(best.get(i), best.get((i + 1) % best.size())));
    }
    return new Proof.Cycle(edges);
  }

  /** Least distances from a node to all, and back to itself (Dijkstra). */
  private void walk(int start, BitSet[] commitOrder, BitSet[] closed, int[] distance, int[] via) {
    Arrays.fill(distance, FAR);
    boolean[] done = new boolean[nodes];
    int at = start;
    int gone = 0;
    while (at >= 0) {
      for (int to = commitOrder[at].nextSetBit(0);
          to >= 0;
          to = commitOrder[at].nextSetBit(to + 1)) {
        int length = gone + cost(at, to);
        if (closed[to].get(start) && length < distance[to]) {
          distance[to] = length;
          via[to] = at;
        }
      }
      at = -1;
      for (int i = 0; i < nodes; i++) {
        if (!done[i] && distance[i] < FAR && (at < 0 || distance[i] < distance[at])) {
          at = i;
        }
      }
      if (at >= 0) {
        done[at] = true;
        gone = distance[at];
        at = at == start ? -1 : at;
      }
    }
  }

  private int cost(int from, int to) {
    return direct[from].get(to) ? 1 : shown(from, to) != null ? LISTED : INFERRED;
  }

  private Edge edge(int from, int to) {
    if (direct[from].get(to)) {
      return directEdge(from, to);
    }
    Facts.Shown listed = shown(from, to);
    if (listed != null) {
      return CaseSearch.listed(listed);
    }
    Facts.Read read = implying[from][to];
    if (read == null) {
      throw new IllegalStateException("no edge from " + from + " to " + to);
    }
    Facts.Read before = readBefore(from - 1, read);
    List<Edge> because =
        before != null
            ? List.of(Edge.read(from - 1, read.reader(), before.key(), before.operation()))
            : path(from, read.reader() + 1);
    return new Edge(
        from - 1,
        to - 1,
        EdgeKind.CO,
        read.key(),
        read.reader(),
        read.operation(),
        Proof.NONE,
        because);
  }

  private Edge directEdge(int from, int to) {
    if (from == 0 || facts.sessionOrder(from - 1, to - 1)) {
      return Edge.plain(from - 1, to - 1, EdgeKind.SO);
    }
    for (Facts.Read read : facts.reads.get(to - 1)) {
      if (read.writer() == from - 1) {
        return Edge.read(from - 1, to - 1, read.key(), read.operation());
      }
    }
    throw new IllegalStateException("no edge from " + from + " to " + to);
  }

  /** The shortest path over so and wr. */
  private List<Edge> path(int from, int to) {
    int[] via = new int[nodes];
    Arrays.fill(via, -1);
    ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(from));
    while (via[to] < 0) {
      int at = queue.remove();
      for (int next = direct[at].nextSetBit(0); next >= 0; next = direct[at].nextSetBit(next + 1)) {
        if (via[next] < 0 && happensBefore[from].get(next)) {
          via[next] = at;
          queue.add(next);
        }
      }
    }
    List<Edge> path = new ArrayList<>();
    for (int at = to; path.isEmpty() || at != from; at = via[at]) {
      path.add(0, directEdge(via[at], at));
    }
    return path;
  }

  private BitSet[] relation() {
    BitSet[] rows = new BitSet[nodes];
    for (int i = 0; i < nodes; i++) {
      rows[i] = new BitSet(nodes);
    }
    return rows;
  }

  private static void close(BitSet[] rows) {
    for (int k = 0; k < rows.length; k++) {
      for (BitSet row : rows) {
        if (row.get(k)) {
          row.or(rows[k]);
        }
      }
    }
  }
}

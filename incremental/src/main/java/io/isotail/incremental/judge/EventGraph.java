package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.Proof.Edge;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The graph of a level over the events of a capsule, with its transitive closure. What was added
 * last can be taken back.
 */
final class EventGraph {
  private final IsolationLevel level;
  private final int events;
  private final int width;

  /** For each event the events that must come later, as bits. */
  private long[][] reached;

  private final List<Edge> edges = new ArrayList<>();
  private final List<List<Edge>> outgoing = new ArrayList<>();

  EventGraph(IsolationLevel level, int transactions) {
    this.level = level;
    this.width = Events.areTwo(level) ? 2 : 1;
    this.events = width * transactions;
    this.reached = new long[events][(events + Long.SIZE - 1) / Long.SIZE];
    for (int event = 0; event < events; event++) {
      outgoing.add(new ArrayList<>(4));
      if (width == 2 && event % 2 == 0) {
        set(reached[event], event + 1);
      }
    }
  }

  /** What {@link #restore} takes the graph back to. */
  static final class State {
    private final int edges;
    private final long[][] reached;

    private State(int edges, long[][] reached) {
      this.edges = edges;
      this.reached = reached;
    }
  }

  State state() {
    long[][] copy = new long[events][];
    for (int event = 0; event < events; event++) {
      copy[event] = reached[event].clone();
    }
    return new State(edges.size(), copy);
  }

  void restore(State state) {
    while (edges.size() > state.edges) {
      Edge last = edges.remove(edges.size() - 1);
      List<Edge> leaving = outgoing.get(leaves(last));
      leaving.remove(leaving.size() - 1);
    }
    reached = new long[events][];
    for (int event = 0; event < events; event++) {
      reached[event] = state.reached[event].clone();
    }
  }

  private int begin(int t) {
    return width * t;
  }

  private int commit(int t) {
    return width * t + width - 1;
  }

  private int leaves(Edge edge) {
    return Events.leavesBegin(level, edge.kind()) ? begin(edge.from()) : commit(edge.from());
  }

  private int lands(Edge edge) {
    return Events.landsOnCommit(level, edge.kind()) ? commit(edge.to()) : begin(edge.to());
  }

  /** Whether one transaction must commit before another. */
  boolean commitsBefore(int a, int b) {
    return has(reached[commit(a)], commit(b));
  }

  /** Whether an edge would close a cycle. */
  boolean closesCycle(Edge edge) {
    return leaves(edge) == lands(edge) || has(reached[lands(edge)], leaves(edge));
  }

  /** Adds an edge that closes no cycle. */
  void add(Edge edge) {
    int from = leaves(edge);
    int to = lands(edge);
    edges.add(edge);
    outgoing.get(from).add(edge);
    if (has(reached[from], to)) {
      return;
    }
    for (int event = 0; event < events; event++) {
      if (event == from || has(reached[event], from)) {
        long[] row = reached[event];
        set(row, to);
        for (int word = 0; word < row.length; word++) {
          row[word] |= reached[to][word];
        }
      }
    }
  }

  /** The shortest cycle that an edge closes; the edge is its last one. */
  List<Edge> cycle(Edge closing) {
    int start = lands(closing);
    int target = leaves(closing);
    @Nullable Edge[] via = new Edge[events];
    int[] before = new int[events];
    Arrays.fill(before, -1);
    before[start] = start;
    // Steps of one edge each; from begin to commit is none.
    List<Integer> step = new ArrayList<>(List.of(start));
    while (before[target] < 0 && !step.isEmpty()) {
      List<Integer> next = new ArrayList<>();
      for (int i = 0; i < step.size(); i++) {
        int at = step.get(i);
        if (width == 2 && at % 2 == 0 && before[at + 1] < 0) {
          before[at + 1] = at;
          step.add(at + 1);
        }
        for (Edge edge : outgoing.get(at)) {
          int to = lands(edge);
          if (before[to] < 0) {
            before[to] = at;
            via[to] = edge;
            next.add(to);
          }
        }
      }
      step = next;
    }
    List<Edge> cycle = new ArrayList<>();
    cycle.add(closing);
    for (int at = target; at != start; at = before[at]) {
      Edge edge = via[at];
      if (edge != null) {
        cycle.add(0, edge);
      }
    }
    return cycle;
  }

  /** An order of all events that agrees with the graph; of the transaction earlier first. */
  List<Integer> order() {
    List<Integer> order = new ArrayList<>(events);
    int[] waitsFor = new int[events];
    for (long[] row : reached) {
      for (int event = 0; event < events; event++) {
        waitsFor[event] += has(row, event) ? 1 : 0;
      }
    }
    boolean[] done = new boolean[events];
    while (order.size() < events) {
      int next = 0;
      while (done[next] || waitsFor[next] > 0) {
        next++;
      }
      done[next] = true;
      order.add(next);
      for (int event = 0; event < events; event++) {
        waitsFor[event] -= has(reached[next], event) ? 1 : 0;
      }
    }
    return order;
  }

  /** A topological order, as a {@link Schedule} of the committed transactions. */
  int[] schedule(Facts facts) {
    int[] schedule = new int[2 * events];
    int size = 0;
    for (int event : order()) {
      int t = event / width;
      if (facts.isCommitted(t)) {
        if (width == 2) {
          schedule[size++] = event;
        } else {
          schedule[size++] = 2 * t;
          schedule[size++] = 2 * t + 1;
        }
      }
    }
    return Arrays.copyOf(schedule, size);
  }

  private static boolean has(long[] bits, int bit) {
    return (bits[bit / Long.SIZE] & 1L << bit) != 0;
  }

  private static void set(long[] bits, int bit) {
    bits[bit / Long.SIZE] |= 1L << bit;
  }
}

package io.isotail.incremental.order;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Edge;
import io.isotail.incremental.window.EdgeList;
import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The saturated commit relation co' of the transactions in the window, kept acyclic for each level.
 *
 * <p>The relation of a level holds every edge whose {@link Edge#level} is that level or weaker, so
 * the relations form a chain. While the strongest one has left nothing out, its order proves all
 * weaker ones acyclic and they cost nothing. From the first edge that it leaves out until that edge
 * has left the window, the next weaker level keeps an order of its own, and so on down.
 *
 * <p>An edge that would close a cycle stays in the relation but is left out of the order; it is
 * violated at the weakest level at which that happens.
 */
public final class CommitRelation {
  private static final IsolationLevel[] LEVELS = IsolationLevel.values();

  private final int strongest;
  private final SearchMarks marks = new SearchMarks();
  private final TopologicalOrder[] orders;
  private final boolean[] active;
  private final List<List<Edge>> leftOut = new ArrayList<>();
  private final int[] liveLeftOut;
  private final Iterable<Txn> window;

  /** What became of an edge. */
  public enum Added {
    /** It agrees with the order, or was mended in. */
    ORDERED,
    /** The relation had it, at this level or a weaker one. */
    KNOWN,
    /** It closes a cycle. */
    VIOLATES
  }

  private @Nullable IsolationLevel violated;
  private @Nullable Edge latest;

  /** An empty relation over the committed transactions in {@code window}. */
  public CommitRelation(IsolationLevel strongest, Iterable<Txn> window) {
    this.strongest = strongest.ordinal();
    this.window = window;
    this.orders = new TopologicalOrder[this.strongest + 1];
    this.active = new boolean[this.strongest + 1];
    this.liveLeftOut = new int[this.strongest + 1];
    for (int i = 0; i <= this.strongest; i++) {
      orders[i] = new TopologicalOrder(LEVELS[i], marks);
      leftOut.add(new ArrayList<>());
    }
    active[this.strongest] = true;
  }

  /** A transaction is delivered; it comes last until an edge says otherwise. */
  public void append(Txn t) {
    for (int i = 0; i <= strongest; i++) {
      if (active[i]) {
        orders[i].append(t);
      }
    }
  }

  /** Adds a session-order or write-read edge between two delivered transactions. */
  public Added addCausal(Txn from, Txn to, EdgeKind kind, long key) {
    return add(from, to, kind, key, null, IsolationLevel.READ_COMMITTED);
  }

  /** Adds an inferred edge, which {@code reader}'s read of {@code key} from {@code to} implies. */
  public Added addInferred(Txn from, Txn to, long key, Txn reader, IsolationLevel level) {
    return add(from, to, EdgeKind.CO, key, reader, level);
  }

  /** The edge of the last call that returned {@link Added#VIOLATES} or {@link Added#KNOWN}. */
  public Edge latest() {
    if (latest == null) {
      throw new IllegalStateException("no edge yet");
    }
    return latest;
  }

  /** The weakest level at which {@link #latest()} closes a cycle. */
  public IsolationLevel violated() {
    if (violated == null) {
      throw new IllegalStateException("no violation");
    }
    return violated;
  }

  /**
   * Takes out every edge of a transaction that leaves the window.
   *
   * @return how many edges led to it: a cycle through one of them can no longer be found
   */
  public int remove(Txn t) {
    kill(t.out, true);
    int lost = kill(t.in, false);
    for (int i = 0; i <= strongest; i++) {
      if (leftOut.get(i).size() > 16 + 2 * liveLeftOut[i]) {
        leftOut.get(i).removeIf(edge -> edge.dead);
      }
    }
    if (liveLeftOut[strongest] == 0 && strongest > 0 && active[strongest - 1]) {
      deactivateWeaker();
    }
    return lost;
  }

  /** Marks for searches over this relation. */
  public SearchMarks marks() {
    return marks;
  }

  private Added add(
      Txn from, Txn to, EdgeKind kind, long key, @Nullable Txn reader, IsolationLevel level) {
    Edge edge = find(from, to);
    int upTo = strongest;
    if (edge == null) {
      edge = new Edge(from, to, kind, key, reader, level);
      from.out.add(edge);
      to.in.add(edge);
    } else if (edge.level.compareTo(level) <= 0) {
      latest = edge;
      return Added.KNOWN;
    } else {
      upTo = edge.level.ordinal() - 1;
      edge.level = level;
      edge.reader = reader;
      edge.key = key;
    }
    latest = edge;
    int weakest = -1;
    for (int i = upTo; i >= level.ordinal(); i--) {
      if (!active[i]) {
        continue;
      }
      // An edge in the order is part of the graph that is searched: it must not lead the search.
      edge.leftOut |= 1 << i;
      if (orders[i].insert(edge)) {
        edge.leftOut &= ~(1 << i);
      } else {
        leaveOut(edge, i);
        weakest = i;
      }
    }
    if (weakest < 0) {
      return Added.ORDERED;
    }
    violated = LEVELS[weakest];
    return Added.VIOLATES;
  }

  private void leaveOut(Edge edge, int i) {
    leftOut.get(i).add(edge);
    liveLeftOut[i]++;
    if (i > 0 && !active[i - 1]) {
      orders[i - 1].copyFrom(orders[i], window);
      active[i - 1] = true;
    }
  }

  private void deactivateWeaker() {
    for (int i = 0; i < strongest; i++) {
      active[i] = false;
      for (Edge edge : leftOut.get(i)) {
        edge.leftOut &= ~(1 << i);
      }
      leftOut.get(i).clear();
      liveLeftOut[i] = 0;
    }
  }

  private static @Nullable Edge find(Txn from, Txn to) {
    boolean outward = from.out.size() <= to.in.size();
    EdgeList edges = outward ? from.out : to.in;
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      if (!edge.dead && (outward ? edge.to == to : edge.from == from)) {
        return edge;
      }
    }
    return null;
  }

  private int kill(EdgeList edges, boolean outward) {
    int killed = 0;
    for (int i = 0; i < edges.size(); i++) {
      Edge edge = edges.get(i);
      if (!edge.dead) {
        edge.dead = true;
        for (int level = 0; edge.leftOut != 0 && level <= strongest; level++) {
          liveLeftOut[level] -= (edge.leftOut >> level) & 1;
        }
        (outward ? edge.to.in : edge.from.out).noteDead();
        killed++;
      }
    }
    return killed;
  }
}

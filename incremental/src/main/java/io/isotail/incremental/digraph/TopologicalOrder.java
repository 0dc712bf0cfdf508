package io.isotail.incremental.digraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topological order of a directed acyclic graph that is mended when an edge contradicts it [1].
 *
 * <p>An edge that agrees with the order costs nothing. One that contradicts it costs a search among
 * the nodes between its ends, which either finds a cycle or moves what it visited.
 *
 * <p>A subclass says what a node is: where its position and its mark are kept, and where its edges
 * lead. It gives a node without edges a position that none other has: before that of what the node
 * may come before without a search. The edge that is being inserted must not be among them until
 * {@link #insert} has returned.
 *
 * <p>[1] Pearce, Kelly, A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, JEA 11,
 * 2006.
 *
 * @param <N> a node
 */
public abstract class TopologicalOrder<N> {
  private final SearchMarks marks;
  private final Comparator<N> byPosition = Comparator.comparingLong(this::position);
  private final List<N> forward = new ArrayList<>();
  private final List<N> backward = new ArrayList<>();
  private final ArrayList<N> stack = new ArrayList<>();
  private long[] positions = new long[16];
  private long visited;

  /** Of the search under way: its mark, the positions within which it stays, what it looks for. */
  private long mark;

  private long lowest;
  private long highest;
  private @Nullable N target;
  private List<N> found = forward;

  /**
   * An empty order.
   *
   * @param marks shared by everything that searches the same graph
   */
  protected TopologicalOrder(SearchMarks marks) {
    this.marks = marks;
  }

  /** Place of a node in the order. */
  protected abstract long position(N node);

  /** Gives a node another place. */
  protected abstract void move(N node, long position);

  /** Marks a node. Returns false if it carries the mark already. */
  protected abstract boolean mark(N node, long searchMark);

  /** Calls {@link #reach} for the end of each edge from {@code node}, until one returns true. */
  protected abstract boolean reachSuccessors(N node);

  /** Calls {@link #reach} for the beginning of each edge to {@code node}. */
  protected abstract void reachPredecessors(N node);

  /**
   * A search forward comes to a node that is not what it looks for: whether a path leads on from
   * there that need not be walked. If so, {@link #reach} has been called for its end.
   */
  protected boolean leadsToTarget(N node) {
    return false;
  }

  /** A search is over; what it noted at a node that it visited is of no use any more. */
  protected void forget(N node) {}

  /** Takes over the positions of another order, which is one of this graph too. */
  public final void copyFrom(TopologicalOrder<N> other, Iterable<? extends N> nodes) {
    for (N node : nodes) {
      move(node, other.position(node));
    }
  }

  /** Nodes visited by all searches so far. */
  public final long visited() {
    return visited;
  }

  /**
   * Makes the order agree with an edge.
   *
   * @return false if the edge would close a cycle; the order is then unchanged, and {@link
   *     #endSearch} must be called
   */
  protected final boolean insert(N from, N to) {
    long lower = position(to);
    long upper = position(from);
    if (upper < lower) {
      return true;
    }
    if (from == to || !searchForward(to, from, upper)) {
      return false;
    }
    if (forward.size() == upper - lower) {
      // All between the two ends is reached from `to`, so that nothing else reaches `from` there.
      backward.add(from);
      visited++;
    } else {
      searchBackward(from, lower);
    }
    reorder();
    endSearch();
    return true;
  }

  /** Forgets the search that {@link #insert} made. */
  protected final void endSearch() {
    target = null;
    clear(forward);
    clear(backward);
  }

  private void clear(List<N> nodes) {
    nodes.forEach(this::forget);
    nodes.clear();
  }

  /** [1] dfs-f: what {@code start} reaches up to position {@code upper}; false if a cycle. */
  private boolean searchForward(N start, N end, long upper) {
    begin(forward, Long.MIN_VALUE, upper, end);
    if (reach(start)) {
      stack.clear();
      return false;
    }
    while (!stack.isEmpty()) {
      if (reachSuccessors(stack.remove(stack.size() - 1))) {
        stack.clear();
        return false;
      }
    }
    return true;
  }

  /** [1] dfs-b: what reaches {@code start} from position {@code lower} on. */
  private void searchBackward(N start, long lower) {
    begin(backward, lower, Long.MAX_VALUE, null);
    reach(start);
    while (!stack.isEmpty()) {
      reachPredecessors(stack.remove(stack.size() - 1));
    }
  }

  private void begin(List<N> into, long from, long to, @Nullable N end) {
    mark = marks.next();
    found = into;
    lowest = from;
    highest = to;
    target = end;
  }

  /**
   * The search comes to a node.
   *
   * @return whether it is the one that the search looks for
   */
  protected final boolean reach(N node) {
    long position = position(node);
    if (position < lowest || position > highest || !mark(node, mark)) {
      return false;
    }
    found.add(node);
    stack.add(node);
    visited++;
    return node == target || (target != null && leadsToTarget(node));
  }

  /** [1] reorder: what reaches the edge's beginning comes before what its end reaches. */
  private void reorder() {
    forward.sort(byPosition);
    backward.sort(byPosition);
    int n = forward.size() + backward.size();
    if (positions.length < n) {
      positions = new long[2 * n];
    }
    int i = 0;
    for (N node : backward) {
      positions[i++] = position(node);
    }
    for (N node : forward) {
      positions[i++] = position(node);
    }
    Arrays.sort(positions, 0, n);
    i = 0;
    for (N node : backward) {
      move(node, positions[i++]);
    }
    for (N node : forward) {
      move(node, positions[i++]);
    }
  }

  /** Saves what the nodes do not tell. */
  public void save(StateWriter out) {
    out.number(visited);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    visited = in.number();
  }
}

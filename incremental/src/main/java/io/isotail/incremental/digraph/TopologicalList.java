package io.isotail.incremental.digraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topological order of a directed acyclic graph that is mended when an edge contradicts it, and
 * that takes a node at any place.
 *
 * <p>An edge that agrees with the order costs nothing. One that contradicts it costs two searches
 * among the nodes between its ends, forward from its end and backward from its beginning, in turns
 * [1]. If they meet there is a cycle. Else what the one that is through first has found moves past
 * the other end, and nothing else does. So a node that was put last, and must come far earlier,
 * costs what leads to it and not all that it comes before.
 *
 * <p>A subclass says where the edges of a node lead. The edge that is being inserted must not be
 * among them until {@link #insert} has returned.
 *
 * <p>[1] Haeupler, Kavitha, Mathew, Sen, Tarjan, Incremental Cycle Detection, Topological Ordering,
 * and Strong Component Maintenance, ACM TALG 8, 2012, section 3.
 *
 * @param <N> a node
 * @param <E> an edge between such nodes
 */
public abstract class TopologicalList<N extends ListedNode<N, E>, E extends Edge<N, E>> {
  /** That no node carries. */
  private static final long NO_MARK = -1;

  private final Comparator<N> byPosition = Comparator.comparingLong(node -> node.position);
  private final LabelledList<N, E> list = new LabelledList<>();
  private final SearchMarks marks;
  private final Search forward = new Search();
  private final Search backward = new Search();
  private Search current = forward;
  private long visited;

  /** One of the two searches: what it found, and of that what it has not looked at. */
  private final class Search {
    final List<N> found = new ArrayList<>();
    final ArrayList<N> open = new ArrayList<>();
    long mark = NO_MARK;
    long lowest;
    long highest;
    @Nullable N target;
    long edges;

    void begin(N sought, long from, long to) {
      mark = marks.next();
      lowest = from;
      highest = to;
      target = sought;
      edges = 0;
      current = this;
    }

    void end() {
      found.forEach(TopologicalList.this::forget);
      found.clear();
      open.clear();
      target = null;
      mark = NO_MARK;
    }

    boolean isThrough() {
      return open.isEmpty();
    }

    N next() {
      current = this;
      return open.remove(open.size() - 1);
    }
  }

  /**
   * An empty order.
   *
   * @param marks shared by everything that searches the same graph
   */
  protected TopologicalList(SearchMarks marks) {
    this.marks = marks;
  }

  /** Calls {@link #reach} for the end of each edge from {@code node}, until one returns true. */
  protected abstract boolean reachSuccessors(N node);

  /**
   * Calls {@link #reach} for the beginning of each edge to {@code node}, until one returns true.
   */
  protected abstract boolean reachPredecessors(N node);

  /**
   * A search forward comes to a node that is not what it looks for: whether a path leads on from
   * there that need not be walked. If so, {@link #reach} has been called for its end.
   */
  protected boolean leadsToTarget(N node) {
    return false;
  }

  /** A search comes to a node. */
  protected void visit(N node) {}

  /** A search is over; what it noted at a node that it visited is of no use any more. */
  protected void forget(N node) {}

  /** Puts a node without edges last. */
  public final void append(N node) {
    list.append(node);
  }

  /** Takes out a node that has no edges any more. */
  public final void remove(N node) {
    list.remove(node);
  }

  /** Gives a node another place: directly before {@code next}, or last; its edges must allow it. */
  public final void move(N node, @Nullable N next) {
    if (next == node || node.listedAfter == next) {
      return;
    }
    list.remove(node);
    if (next == null) {
      list.append(node);
    } else {
      list.putBefore(next, List.of(node));
    }
  }

  /** The last node, null if there is none. */
  public final @Nullable N last() {
    return list.last();
  }

  /** Takes nodes that carry their positions into the empty order. */
  public final void restore(List<N> nodes) {
    list.restore(nodes);
  }

  /** Nodes visited by all searches so far. */
  public final long visited() {
    return visited;
  }

  /**
   * Makes the order agree with an edge.
   *
   * @return false if the edge would close a cycle; the order is then unchanged, {@link #visit} was
   *     last called along a path from {@code to} to {@code from}, and {@link #endSearch} must be
   *     called
   */
  protected final boolean insert(N from, N to) {
    if (from.position < to.position) {
      return true;
    }
    if (from == to || !mend(from, to)) {
      endSearch();
      forward.begin(from, Long.MIN_VALUE, from.position);
      boolean found = reach(to);
      while (!found && !forward.isThrough()) {
        found = reachSuccessors(forward.next());
      }
      return false;
    }
    endSearch();
    return true;
  }

  /** Forgets the search that {@link #insert} made. */
  protected final void endSearch() {
    forward.end();
    backward.end();
  }

  /** Moves what must move; false if there is a cycle. */
  private boolean mend(N from, N to) {
    backward.begin(to, to.position, Long.MAX_VALUE);
    boolean met = reach(from);
    forward.begin(from, Long.MIN_VALUE, from.position);
    met = met || reach(to);
    while (!met && !backward.isThrough() && !forward.isThrough()) {
      met =
          backward.edges <= forward.edges
              ? reachPredecessors(backward.next())
              : reachSuccessors(forward.next());
    }
    if (met) {
      return false;
    }
    if (backward.isThrough()) {
      take(backward.found);
      list.putBefore(to, backward.found);
    } else {
      take(forward.found);
      list.putAfter(from, forward.found);
    }
    return true;
  }

  /** Takes nodes out of the list, and brings them into its order. */
  private void take(List<N> nodes) {
    nodes.sort(byPosition);
    nodes.forEach(list::remove);
  }

  /**
   * A search comes to a node.
   *
   * @return whether it is the one that the search looks for, or the other search has come there
   */
  protected final boolean reach(N node) {
    Search search = current;
    search.edges++;
    long position = node.position;
    if (position < search.lowest || position > search.highest) {
      return false;
    }
    boolean met = node.isVisited((search == forward ? backward : forward).mark);
    if (met || !node.visit(search.mark)) {
      return met;
    }
    visit(node);
    search.found.add(node);
    search.open.add(node);
    visited++;
    return node == search.target
        || (search == forward && search.target != null && leadsToTarget(node));
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

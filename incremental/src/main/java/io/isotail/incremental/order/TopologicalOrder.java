package io.isotail.incremental.order;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.Edge;
import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A topological order of one level's graph that is mended when an edge contradicts it [1].
 *
 * <p>An edge that agrees with the order costs nothing. One that contradicts it costs a search among
 * the transactions between its ends, which either finds a cycle or moves what it visited.
 *
 * <p>[1] Pearce, Kelly, A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, JEA 11,
 * 2006.
 */
final class TopologicalOrder {
  private final IsolationLevel level;
  private final int index;
  private final Comparator<Txn> byPosition;
  private final List<Txn> forward = new ArrayList<>();
  private final List<Txn> backward = new ArrayList<>();
  private final ArrayList<Txn> stack = new ArrayList<>();
  private final SearchMarks marks;
  private long next;

  /** An empty order; {@code marks} is shared by everything that searches the same graph. */
  TopologicalOrder(IsolationLevel level, SearchMarks marks) {
    this.level = level;
    this.index = level.ordinal();
    this.marks = marks;
    this.byPosition = Comparator.comparingLong(t -> t.position(index));
  }

  /** Puts a transaction without edges last. */
  void append(Txn t) {
    t.position(index, next++);
  }

  /** Takes over the positions of a stronger level's order, which is one of this level too. */
  void copyFrom(TopologicalOrder stronger, Iterable<Txn> transactions) {
    for (Txn t : transactions) {
      t.position(index, t.position(stronger.index));
    }
    next = stronger.next;
  }

  /**
   * Makes the order agree with {@code edge}.
   *
   * @return false if the edge would close a cycle; the order is then unchanged
   */
  boolean insert(Edge edge) {
    long lower = edge.to.position(index);
    long upper = edge.from.position(index);
    if (upper < lower) {
      return true;
    }
    if (edge.from == edge.to || !searchForward(edge.to, edge.from, upper)) {
      return false;
    }
    searchBackward(edge.from, lower);
    reorder();
    return true;
  }

  /**
   * [1] dfs-f: what {@code start} reaches up to position {@code upper}; false if that is a cycle.
   */
  private boolean searchForward(Txn start, Txn target, long upper) {
    forward.clear();
    long mark = marks.next();
    push(start, mark, forward);
    while (!stack.isEmpty()) {
      Txn from = stack.remove(stack.size() - 1);
      boolean met = from.after != null && forward(from.after, target, upper, mark);
      for (int i = 0; i < from.readerCount() && !met; i++) {
        met = forward(from.reader(i), target, upper, mark);
      }
      for (Edge edge = from.firstOut; edge != null && !met; edge = edge.nextOut()) {
        met = edge.active(level) && forward(edge.to, target, upper, mark);
      }
      if (met) {
        stack.clear();
        return false;
      }
    }
    return true;
  }

  /** Whether {@code to} is the target; it is searched later if it lies in between. */
  private boolean forward(Txn to, Txn target, long upper, long mark) {
    if (to.mark != mark && to.state == Txn.State.DELIVERED && to.position(index) < upper) {
      push(to, mark, forward);
    }
    return to == target;
  }

  /** [1] dfs-b: what reaches {@code start} from position {@code lower} on. */
  private void searchBackward(Txn start, long lower) {
    backward.clear();
    long mark = marks.next();
    push(start, mark, backward);
    while (!stack.isEmpty()) {
      Txn to = stack.remove(stack.size() - 1);
      if (to.before != null) {
        backward(to.before, lower, mark);
      }
      for (Txn writer : to.readWriters) {
        if (writer != null) {
          backward(writer, lower, mark);
        }
      }
      for (Edge edge = to.firstIn; edge != null; edge = edge.nextIn()) {
        if (edge.active(level)) {
          backward(edge.from, lower, mark);
        }
      }
    }
  }

  private void backward(Txn from, long lower, long mark) {
    if (from.mark != mark && from.state == Txn.State.DELIVERED && from.position(index) > lower) {
      push(from, mark, backward);
    }
  }

  private void push(Txn t, long mark, List<Txn> visited) {
    t.mark = mark;
    visited.add(t);
    stack.add(t);
  }

  /** [1] reorder: what reaches the edge's source comes before what its target reaches. */
  private void reorder() {
    backward.sort(byPosition);
    forward.sort(byPosition);
    long[] positions = new long[backward.size() + forward.size()];
    int n = 0;
    for (Txn t : backward) {
      positions[n++] = t.position(index);
    }
    for (Txn t : forward) {
      positions[n++] = t.position(index);
    }
    Arrays.sort(positions);
    n = 0;
    for (Txn t : backward) {
      t.position(index, positions[n++]);
    }
    for (Txn t : forward) {
      t.position(index, positions[n++]);
    }
  }

  /** Saves what transactions do not know of their positions. */
  void save(StateWriter out) {
    out.number(next);
  }

  void load(StateReader in) {
    next = in.number();
  }
}

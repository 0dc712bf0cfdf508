package io.isotail.incremental.saturation;

import io.isotail.incremental.digraph.SearchMarks;
import io.isotail.incremental.digraph.TopologicalOrder;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Edge;
import io.isotail.incremental.window.Transaction;

/** A topological order of the delivered transactions by one weak level's commit relation. */
final class LevelOrder extends TopologicalOrder<Transaction> {
  private final IsolationLevel level;
  private final int index;

  /** An empty order; {@code marks} is shared by everything that searches the same relation. */
  LevelOrder(IsolationLevel level, SearchMarks marks) {
    super(marks);
    this.level = level;
    this.index = level.ordinal();
  }

  /**
   * Makes the order agree with an edge.
   *
   * @return false if the edge would close a cycle; the order is then unchanged
   */
  boolean insert(Edge edge) {
    boolean ordered = insert(edge.from, edge.to);
    if (!ordered) {
      endSearch();
    }
    return ordered;
  }

  @Override
  protected long position(Transaction t) {
    return t.position(index);
  }

  @Override
  protected void move(Transaction t, long position) {
    t.position(index, position);
  }

  @Override
  protected boolean mark(Transaction t, long searchMark) {
    if (t.mark == searchMark || t.state != Transaction.State.DELIVERED) {
      return false;
    }
    t.mark = searchMark;
    return true;
  }

  @Override
  protected boolean reachSuccessors(Transaction t) {
    if (t.after != null && reach(t.after)) {
      return true;
    }
    for (int i = 0; i < t.readerCount(); i++) {
      if (reach(t.reader(i))) {
        return true;
      }
    }
    for (Edge edge = t.firstOut; edge != null; edge = edge.nextOut()) {
      if (edge.active(level) && reach(edge.to)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void reachPredecessors(Transaction t) {
    if (t.before != null) {
      reach(t.before);
    }
    for (Transaction writer : t.readWriters) {
      if (writer != null) {
        reach(writer);
      }
    }
    for (Edge edge = t.firstIn; edge != null; edge = edge.nextIn()) {
      if (edge.active(level)) {
        reach(edge.from);
      }
    }
  }
}

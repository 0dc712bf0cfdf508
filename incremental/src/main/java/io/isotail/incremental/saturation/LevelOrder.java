package io.isotail.incremental.saturation;

import io.isotail.incremental.digraph.SearchMarks;
import io.isotail.incremental.digraph.TopologicalOrder;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;

/** A topological order of the delivered transactions by one weak level's commit relation. */
final class LevelOrder extends TopologicalOrder<RelationNode> {
  private final IsolationLevel level;
  private final int index;

  /** An empty order; {@code marks} is shared by everything that searches the same relation. */
  LevelOrder(IsolationLevel level, SearchMarks marks) {
    super(marks);
    this.level = level;
    this.index = level.ordinal();
  }

  /** Puts a node behind all that were delivered before it. */
  void enter(RelationNode node) {
    move(node, node.transaction.deliveredAt);
  }

  /**
   * Makes the order agree with an edge.
   *
   * @return false if the edge would close a cycle; the order is then unchanged
   */
  boolean insert(CommitEdge edge) {
    boolean ordered = insert(edge.from, edge.to);
    if (!ordered) {
      endSearch();
    }
    return ordered;
  }

  @Override
  protected long position(RelationNode node) {
    return node.position(index);
  }

  @Override
  protected void move(RelationNode node, long position) {
    node.position(index, position);
  }

  @Override
  protected boolean mark(RelationNode node, long searchMark) {
    return node.isPresent() && node.visit(searchMark);
  }

  @Override
  protected boolean reachSuccessors(RelationNode node) {
    if (node.after != null && reach(node.after)) {
      return true;
    }
    for (int i = 0; i < node.readerCount(); i++) {
      if (reach(node.reader(i))) {
        return true;
      }
    }
    for (CommitEdge edge = node.firstOut(); edge != null; edge = edge.nextOut()) {
      if (edge.active(level) && reach(edge.to)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected void reachPredecessors(RelationNode node) {
    if (node.before != null) {
      reach(node.before);
    }
    for (Transaction writer : node.transaction.readWriters) {
      RelationNode from = RelationNode.of(writer);
      if (from != null) {
        reach(from);
      }
    }
    for (CommitEdge edge = node.firstIn(); edge != null; edge = edge.nextIn()) {
      if (edge.active(level)) {
        reach(edge.from);
      }
    }
  }
}

package io.isotail.incremental.polygraph;

import io.isotail.incremental.digraph.ListedNode;
import io.isotail.incremental.snapshot.Numbered;
import org.jspecify.annotations.Nullable;

/**
 * What the graph orders: the begin or the commit of a transaction, both where the level does not
 * tell them apart, or a point in time.
 */
class Event extends ListedNode<Event, Dependency> {
  /** Whose event it is; null for a point in time. */
  final @Nullable TransactionNode node;

  /** Of a begin: the commit, which comes later; null if it is the same event. */
  @Nullable Event commit;

  /** Of a commit: the begin, which comes earlier; null if it is the same event. */
  @Nullable Event begin;

  /**
   * How the last search came to it: a dependency, or what implies one; null at its start and from
   * begin to commit.
   */
  @Nullable Numbered via;

  Event(@Nullable TransactionNode node) {
    this.node = node;
  }

  /** Whose event it is. */
  TransactionNode owner() {
    if (node == null) {
      throw new IllegalStateException(this + " is nobody's");
    }
    return node;
  }

  @Override
  public String toString() {
    String name = owner().transaction.name();
    return commit != null ? "b(" + name + ")" : begin != null ? "c(" + name + ")" : name;
  }
}

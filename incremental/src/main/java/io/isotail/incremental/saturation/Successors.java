package io.isotail.incremental.saturation;

import io.isotail.incremental.window.Transaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What follows a transaction over session order and reads. */
final class Successors {
  private Successors() {}

  /**
   * The delivered transactions that {@code t} happens before, in delivery order.
   *
   * @param mark that no transaction carries
   */
  static List<Transaction> of(Transaction t, long mark) {
    List<Transaction> found = new ArrayList<>();
    ArrayDeque<Transaction> open = new ArrayDeque<>();
    t.mark = mark;
    open.add(t);
    while (!open.isEmpty()) {
      Transaction next = open.remove();
      if (next.soNext != null) {
        visit(next.soNext, mark, open, found);
      }
      RelationNode node = RelationNode.of(next);
      for (int i = 0; node != null && i < node.readerCount(); i++) {
        visit(node.reader(i).transaction, mark, open, found);
      }
    }
    found.sort(Comparator.comparingLong(later -> later.deliveredAt));
    return found;
  }

  private static void visit(
      Transaction t, long mark, ArrayDeque<Transaction> open, List<Transaction> found) {
    if (t.mark != mark && t.state == Transaction.State.DELIVERED) {
      t.mark = mark;
      open.add(t);
      found.add(t);
    } else if (t.mark != mark && t.state == Transaction.State.PENDING) {
      // Session order leads on beyond one that is itself promoted late.
      t.mark = mark;
      open.add(t);
    }
  }
}

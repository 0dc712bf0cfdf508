package io.isotail.incremental.polygraph;

import java.util.ArrayList;
import java.util.List;

/** Which of two transactions that write a common key commits first. */
final class Choice {
  private final TransactionNode a;
  private final TransactionNode b;

  /** Its number for the solver. */
  final int variable;

  /** Whether b commits first, which was not guessed. */
  boolean flipped;

  /** The value that {@link #forced} follows from. */
  boolean forcedFlipped;

  /** What it implies, as long as it is in force. */
  final List<Dependency> forced = new ArrayList<>();

  Choice(TransactionNode a, TransactionNode b, int variable) {
    this.a = a;
    this.b = b;
    this.variable = variable;
  }

  boolean inForce() {
    return !forced.isEmpty();
  }

  TransactionNode first() {
    return flipped ? b : a;
  }

  TransactionNode later() {
    return flipped ? a : b;
  }

  /** Between the times that were told of the two commits. */
  double gap() {
    return Math.abs((double) a.hint - b.hint);
  }

  /** The literal that is true if {@code node} does not commit first. */
  int notFirst(TransactionNode node) {
    return node == a ? variable : -variable;
  }
}

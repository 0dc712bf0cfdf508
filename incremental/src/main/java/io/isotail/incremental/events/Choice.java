package io.isotail.incremental.events;

import java.util.ArrayList;
import java.util.List;

/** Which of two transactions that write a common key commits first. */
final class Choice {
  private final Member a;
  private final Member b;

  /** Its number for the solver. */
  final int variable;

  /** Whether b commits first, which was not guessed. */
  boolean flipped;

  /** The value that {@link #forced} follows from. */
  boolean forcedFlipped;

  /** What it implies, as long as it is in force. */
  final List<Dependency> forced = new ArrayList<>();

  Choice(Member a, Member b, int variable) {
    this.a = a;
    this.b = b;
    this.variable = variable;
  }

  boolean inForce() {
    return !forced.isEmpty();
  }

  Member first() {
    return flipped ? b : a;
  }

  Member later() {
    return flipped ? a : b;
  }

  /** Between the times that were told of the two commits. */
  double gap() {
    return Math.abs((double) a.hint - b.hint);
  }

  /** The literal that is true if {@code member} does not commit first. */
  int notFirst(Member member) {
    return member == a ? variable : -variable;
  }
}

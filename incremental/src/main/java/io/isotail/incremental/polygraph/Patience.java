package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * When a graph for each search pays no more, and one of the whole window is kept instead: a credit
 * of transactions that may be copied, to which each new transaction adds.
 */
final class Patience {
  private static final int MOST_AT_ONCE = 8_192;
  private static final long PER_TRANSACTION = 2;

  /** What a copy of none costs. */
  private static final long EACH = 4;

  /** About how many more a copy would have than a search visits. */
  private static final long PER_VISIT = 2;

  private final long most;
  private long credit;

  /** Transactions since the graph of the window was begun. */
  private long since;

  /** All may be copied that ever may be at a stretch. */
  Patience(int most) {
    this.most = most;
    this.credit = most;
  }

  /** A transaction is added. */
  void transaction() {
    credit = Math.min(most, credit + PER_TRANSACTION);
    since++;
  }

  /** How many may be copied now. */
  int mostCopied() {
    return (int) Math.max(0, Math.min(MOST_AT_ONCE, credit - EACH));
  }

  void copied(int transactions) {
    credit -= EACH + transactions;
  }

  /** A graph of the whole window is begun. */
  void lose() {
    credit = 0;
    since = 0;
  }

  /** The window must pass once more. */
  void restart() {
    since = 0;
  }

  /** Nodes of it were visited by searches. */
  void visited(long nodes) {
    credit = Math.max(0, credit - PER_VISIT * nodes);
  }

  /** Whether it is of no more use: little was to be searched while the window passed. */
  boolean isRestored(int inWindow) {
    return credit == most && since >= inWindow;
  }

  void save(StateWriter out) {
    out.number(credit);
    out.number(since);
  }

  void load(StateReader in) {
    credit = in.number();
    since = in.number();
  }
}

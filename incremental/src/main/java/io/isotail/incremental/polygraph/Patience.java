package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * When a graph for each search pays no more, and one of the whole window is kept instead: a credit
 * of transactions that may be copied, to which each new transaction adds. And how long that one is
 * kept: until all of the window has come since, and twice as long each time that the numbers did
 * not last after it.
 */
final class Patience {
  private static final int MOST_AT_ONCE = 8_192;
  private static final long PER_TRANSACTION = 2;

  /** What a copy of none costs. */
  private static final long EACH = 4;

  /** So many are looked through in the time in which one is copied. */
  private static final int LOOKED_AS_COPIED = 16;

  /** Numbers that last for so many windows have lasted. */
  private static final long LASTING_WINDOWS = 8;

  private static final int MOST_WINDOWS = 16;

  private final long most;
  private long credit;

  /** Transactions since the graph of the window was begun, or since it ended. */
  private long since;

  /** Windows for which the graph was to be kept last. */
  private int windows;

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

  /** So many were looked through to make room. */
  void looked(int transactions) {
    credit -= transactions / LOOKED_AS_COPIED;
  }

  /** A graph of the whole window is begun, of so many transactions. */
  void lose(int inWindow) {
    boolean lasted = since >= LASTING_WINDOWS * inWindow;
    windows = lasted ? 1 : Math.max(1, Math.min(MOST_WINDOWS, 2 * windows));
    credit = 0;
    since = 0;
  }

  /** The window, of so many transactions, must pass once more. */
  void restart(int inWindow) {
    since = Math.min(since, (windows - 1L) * inWindow);
  }

  /** Whether the graph has been kept for long enough. */
  boolean isRestored(int inWindow) {
    return since >= (long) windows * inWindow;
  }

  /** The graph ends. */
  void restore() {
    credit = most;
    since = 0;
  }

  void save(StateWriter out) {
    out.number(credit);
    out.number(since);
    out.count(windows);
  }

  void load(StateReader in) {
    credit = in.number();
    since = in.number();
    windows = in.count();
  }
}

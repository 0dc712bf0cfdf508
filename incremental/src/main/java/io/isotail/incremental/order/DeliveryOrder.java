package io.isotail.incremental.order;

import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.KeyWriters;
import io.isotail.incremental.window.Txn;
import io.isotail.incremental.window.WriterIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows, one transaction at a time, that the order of delivery is a commit order of every level up
 * to causal.
 *
 * <p>It agrees with so ∪ wr. The causal axiom asks, where t3 reads a key from t1, that each writer
 * of the key that happens before t3 precede t1 [1, Fig. 3]. That holds at once where t1 is the
 * latest writer of the key. Otherwise those delivered after t1 must not happen before t3, and a
 * search back from t3 over what was delivered after t1 tells. The axioms of the weaker levels ask
 * for less.
 *
 * <p>So as long as this succeeds there is nothing to saturate: no clocks, no edges. Each
 * transaction adds to what may be visited, so that searches take a bounded share of the time; one
 * that would visit more is given up, which is no answer.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class DeliveryOrder {
  private final WriterIndex writers;
  private final SearchMarks marks;
  private static final int VISITED_PER_TRANSACTION = 20;

  private final int mostVisited;
  private final List<Txn> open = new ArrayList<>();

  /** Keys that were read from another than the latest writer, and when that one was delivered. */
  private long[] staleKeys = new long[8];

  private long[] staleSince = new long[8];
  private int stale;

  private boolean kept;

  /** How many more may be visited. */
  private int visitable;

  /** When something was last delivered that contradicts the order, or may. */
  private long disturbedAt = -1;

  /**
   * Begins with the empty order.
   *
   * @param mostVisited transactions that one search may visit; 0: never even try
   */
  public DeliveryOrder(WriterIndex writers, SearchMarks marks, int mostVisited) {
    this.writers = writers;
    this.marks = marks;
    this.mostVisited = mostVisited;
    this.kept = mostVisited > 0;
    this.visitable = mostVisited;
  }

  /** Whether it is known to be a commit order of all that is in the window. */
  public boolean kept() {
    return kept;
  }

  /** It is not, or that is not known, from the transaction delivered at that place on. */
  public void disturbed(long deliveredAt) {
    kept = false;
    disturbedAt = deliveredAt;
  }

  /**
   * Whether what disturbed it has left the window, so that it is a commit order of the rest.
   *
   * @param oldest place of the oldest transaction in the window
   */
  public boolean undisturbedFrom(long oldest) {
    return !kept && mostVisited > 0 && oldest > disturbedAt;
  }

  /** It is a commit order again. */
  public void keep() {
    kept = true;
  }

  /**
   * Whether it is still a commit order with {@code t3}, whose writes have not been entered yet;
   * false where that is not known.
   */
  public boolean agrees(Txn t3) {
    visitable = Math.min(visitable + VISITED_PER_TRANSACTION, mostVisited);
    stale = 0;
    long since = Long.MAX_VALUE;
    for (int r = 0; r < t3.readWriters.length; r++) {
      Txn t1 = t3.readWriters[r];
      if (t1 == null || t1.state == Txn.State.TRUNCATED) {
        continue;
      }
      long key = t3.operations.key(t3.readOperations[r]);
      KeyWriters ofKey = writers.of(key);
      if (ofKey == null || ofKey.latest() == t1) {
        continue;
      }
      long after = t1 == Txn.INITIAL ? ofKey.earliest().deliveredAt - 1 : t1.deliveredAt;
      addStale(key, after);
      since = Math.min(since, after);
    }
    return stale == 0 || noneObserved(t3, since);
  }

  private void addStale(long key, long after) {
    if (stale == staleKeys.length) {
      staleKeys = java.util.Arrays.copyOf(staleKeys, stale * 2);
      staleSince = java.util.Arrays.copyOf(staleSince, stale * 2);
    }
    staleKeys[stale] = key;
    staleSince[stale++] = after;
  }

  /** Whether nothing that happens before {@code t3} is a later writer of what it read. */
  private boolean noneObserved(Txn t3, long since) {
    open.clear();
    long mark = marks.next();
    t3.mark = mark;
    for (Txn t = t3; ; t = open.remove(open.size() - 1)) {
      if ((t != t3 && overtakes(t)) || visitable-- <= 0) {
        open.clear();
        return false;
      }
      if (t.soPrev != null && !follow(t.soPrev, since, mark)) {
        open.clear();
        return false;
      }
      for (Txn writer : t.readWriters) {
        if (writer != null && writer != Txn.INITIAL && !follow(writer, since, mark)) {
          open.clear();
          return false;
        }
      }
      if (open.isEmpty()) {
        return true;
      }
    }
  }

  /** False if {@code t} is not delivered though it comes before, which a late promotion does. */
  private boolean follow(Txn t, long since, long mark) {
    if (t.state == Txn.State.TRUNCATED || t.mark == mark) {
      return true;
    }
    if (t.state != Txn.State.DELIVERED) {
      return false;
    }
    if (t.deliveredAt > since) {
      t.mark = mark;
      open.add(t);
    }
    return true;
  }

  private boolean overtakes(Txn t) {
    for (int i = 0; i < stale; i++) {
      if (t.deliveredAt > staleSince[i] && t.writes(staleKeys[i])) {
        return true;
      }
    }
    return false;
  }

  /** Saves whether it is kept. */
  public void save(StateWriter out) {
    out.flag(kept);
    out.number(disturbedAt);
    out.number(visitable);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    kept = in.flag();
    disturbedAt = in.number();
    visitable = in.smallNumber();
  }
}

package io.isotail.incremental.saturation;

import io.isotail.incremental.anomaly.ListRule;
import io.isotail.incremental.digraph.SearchMarks;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shows, one transaction at a time, that the order of delivery is a commit order of every level up
 * to causal.
 *
 * <p>It agrees with so ∪ wr. The axioms ask, where t3 reads a key from t1, that each writer of the
 * key that t3 has observed in the level's sense precede t1 [1, Fig. 3]. That holds at once where t1
 * is the latest writer of the key. Otherwise those delivered after t1 must not have been observed:
 * at the causal level a search back from t3 over what was delivered after the first of them tells,
 * at the weaker levels a look at t3's session and at the writers of its reads.
 *
 * <p>So as long as this succeeds there is nothing to saturate: no clocks, no edges. Each
 * transaction adds to the steps that searches may take, so that they get a bounded share of the
 * time; one that would take more is given up, which is no answer.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class DeliveryOrder {
  private static final int STEPS_PER_TRANSACTION = 40;
  private static final int MAX_PATIENCE = 64;

  /** A read of a key from another than its latest writer. */
  private record Stale(long key, long since, int read) {}

  private final WriterIndex writers;
  private final SearchMarks marks;
  private final int mostSteps;
  private final List<Transaction> open = new ArrayList<>();
  private final List<Stale> stale = new ArrayList<>();
  private boolean kept;
  private long keptSince;

  /** How many more steps may be taken. */
  private long steps;

  /** When something was last delivered that contradicts the order, or may. */
  private long disturbedAt = -1;

  /** How many windows must pass undisturbed before it is tried again. */
  private int patience = 1;

  /**
   * Begins with the empty order.
   *
   * @param mostSteps that one search may take; 0: never even try
   */
  public DeliveryOrder(WriterIndex writers, SearchMarks marks, int mostSteps) {
    this.writers = writers;
    this.marks = marks;
    this.mostSteps = mostSteps;
    this.kept = mostSteps > 0;
    this.steps = mostSteps;
  }

  /** Whether it is known to be a commit order of all that is in the window. */
  public boolean kept() {
    return kept;
  }

  /**
   * It is not, or that is not known, from the transaction delivered at that place on.
   *
   * @param oldest place before all that is in the window
   */
  public void disturbed(long deliveredAt, long oldest) {
    if (kept) {
      // What is given up as soon as it was taken up costs more than it saves.
      boolean soon = disturbedAt >= 0 && deliveredAt - keptSince < deliveredAt - oldest;
      patience = soon ? Math.min(2 * patience, MAX_PATIENCE) : 1;
    }
    kept = false;
    disturbedAt = Math.max(disturbedAt, deliveredAt);
  }

  /**
   * Whether what disturbed it has left the window, so that it is a commit order of the rest, and
   * has done so long enough ago.
   *
   * @param removed place of the transaction that has left the window last
   * @param latest place of the one that was delivered last
   */
  public boolean undisturbedAfter(long removed, long latest) {
    return !kept && mostSteps > 0 && removed - disturbedAt >= (patience - 1) * (latest - removed);
  }

  /**
   * Whether what was at a place has left the window, and has done so long enough ago.
   *
   * @param oldest place of the oldest transaction in the window
   * @param latest place of the one that was delivered last
   */
  public boolean undisturbedSince(long place, long oldest, long latest) {
    return mostSteps > 0 && oldest - place > (patience - 1) * (latest - oldest);
  }

  /**
   * It is a commit order again, or what it would show is known otherwise.
   *
   * @param latest place of the transaction that was delivered last
   */
  public void keep(long latest) {
    kept = true;
    keptSince = latest;
    steps = mostSteps;
  }

  /**
   * Whether it is still a commit order with {@code t3}, whose writes have not been entered yet;
   * false where that is not known.
   *
   * @param level that t3's reads are to be judged by: a weak one, whatever it takes for observed
   *     happens before t3
   */
  public boolean agrees(Transaction t3, IsolationLevel level) {
    steps = Math.min(steps + STEPS_PER_TRANSACTION, mostSteps);
    if (level.atLeast(ListRule.ORDER.level()) && !listedInOrder(t3)) {
      return false;
    }
    stale.clear();
    long since = Long.MAX_VALUE;
    for (int r = 0; r < t3.readWriters.length; r++) {
      Transaction t1 = t3.readWriters[r];
      if (t1 == null || t1.state == Transaction.State.TRUNCATED || !t3.readsVersion(r)) {
        continue;
      }
      long key = t3.operations.key(t3.readOperations[r]);
      KeyWriters ofKey = writers.of(key);
      if (ofKey == null || ofKey.latest() == t1) {
        continue;
      }
      Transaction later = t1 == Transaction.INITIAL ? ofKey.earliest() : ofKey.next(t1);
      if (later != null) {
        add(new Stale(key, later.deliveredAt - 1, r));
        since = Math.min(since, later.deliveredAt - 1);
      }
    }
    if (stale.isEmpty()) {
      return true;
    }
    boolean agrees =
        switch (level.observed()) {
          case READ_FROM_BEFORE -> noneReadFrom(t3, true);
          case SESSION_OR_READ_FROM -> noneReadFrom(t3, false) && noneInSession(t3, since);
          default -> noneHappensBefore(t3, since);
        };
    open.clear();
    stale.clear();
    return agrees;
  }

  /** Whether lists show their elements in this order. */
  private static boolean listedInOrder(Transaction t3) {
    int[] reads = t3.readOperations;
    for (int r = 1; r < reads.length; r++) {
      if (reads[r] == reads[r - 1] + 1
          && !t3.readsVersion(r - 1)
          && t3.operations.listedBefore(reads[r - 1])) {
        Transaction earlier = t3.readWriters[r - 1];
        Transaction later = t3.readWriters[r];
        if (earlier != null
            && later != null
            && earlier.state == Transaction.State.DELIVERED
            && later.state == Transaction.State.DELIVERED
            && earlier.deliveredAt > later.deliveredAt) {
          return false;
        }
      }
    }
    return true;
  }

  /** Of several reads of the same the last one is asked the most of. */
  private void add(Stale read) {
    int last = stale.size() - 1;
    if (last >= 0 && stale.get(last).key == read.key && stale.get(last).since == read.since) {
      stale.remove(last);
    }
    stale.add(read);
  }

  /** Of the writers that t3 read from, all or only those from which it read before. */
  private boolean noneReadFrom(Transaction t3, boolean before) {
    for (int r = 0; r < t3.readWriters.length; r++) {
      Transaction t2 = t3.readWriters[r];
      if (t2 == null || t2 == Transaction.INITIAL || t2.state != Transaction.State.DELIVERED) {
        continue;
      }
      steps -= 1 + stale.size();
      for (Stale read : stale) {
        boolean counts = !before || r < read.read;
        if (counts && overtakes(t2, read)) {
          return false;
        }
      }
    }
    return steps >= 0;
  }

  private boolean noneInSession(Transaction t3, long since) {
    for (Transaction t2 = t3.soPrev; t2 != null && t2.deliveredAt > since; t2 = t2.soPrev) {
      steps -= 1 + stale.size();
      if (t2.state != Transaction.State.DELIVERED || steps < 0 || overtakes(t2)) {
        return false;
      }
    }
    return true;
  }

  private boolean noneHappensBefore(Transaction t3, long since) {
    long mark = marks.next();
    t3.mark = mark;
    for (Transaction t = t3; ; t = open.remove(open.size() - 1)) {
      steps -= 1 + stale.size() + t.readWriters.length;
      if (steps < 0 || (t != t3 && overtakes(t)) || !follow(t.soPrev, since, mark)) {
        return false;
      }
      for (Transaction writer : t.readWriters) {
        if (!follow(writer, since, mark)) {
          return false;
        }
      }
      if (open.isEmpty()) {
        return true;
      }
    }
  }

  /** False if {@code t} is not delivered though it comes before, which a late promotion does. */
  private boolean follow(@Nullable Transaction t, long since, long mark) {
    if (t == null
        || t == Transaction.INITIAL
        || t.state == Transaction.State.TRUNCATED
        || t.mark == mark) {
      return true;
    }
    if (t.state != Transaction.State.DELIVERED) {
      return false;
    }
    if (t.deliveredAt > since) {
      t.mark = mark;
      open.add(t);
    }
    return true;
  }

  private boolean overtakes(Transaction t) {
    for (Stale read : stale) {
      if (overtakes(t, read)) {
        return true;
      }
    }
    return false;
  }

  private static boolean overtakes(Transaction t, Stale read) {
    return t.deliveredAt > read.since && t.writes(read.key);
  }

  /** Saves whether it is kept. */
  public void save(StateWriter out) {
    out.flag(kept);
    out.number(keptSince);
    out.number(steps);
    out.number(disturbedAt);
    out.count(patience);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    kept = in.flag();
    keptSince = in.number();
    steps = in.number();
    disturbedAt = in.number();
    patience = in.count();
  }
}

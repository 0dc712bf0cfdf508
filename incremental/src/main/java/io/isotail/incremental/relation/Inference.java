package io.isotail.incremental.relation;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.KeyWriters;
import io.isotail.incremental.window.Txn;
import io.isotail.incremental.window.Txn.State;
import io.isotail.incremental.window.WriterIndex;
import org.jspecify.annotations.Nullable;

/**
 * Saturates the commit relation for one transaction at a time, as [1] Algorithms 1 to 3 do for a
 * whole history.
 *
 * <p>That a single pass in delivery order is enough: an axiom's premise for a reader t3 names only
 * t3's own reads, their writers, and transactions that happen before t3. All of these are delivered
 * before t3, and nothing that is delivered later can happen before it.
 *
 * <p>The letters t1, t2, t3 and x are those of [1] Fig. 3. An edge that happens-before implies is
 * left to the sink to drop. The initial transaction happens before all others and writes every key;
 * it is never t2, since it precedes t1 anyway.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class Inference {
  private final WriterIndex writers;
  private final EdgeSink sink;
  private final ReadKeys reads = new ReadKeys();
  private @Nullable Txn[] earliest = new Txn[16];

  /** Infers from the writers in the window. */
  public Inference(WriterIndex writers, EdgeSink sink) {
    this.writers = writers;
    this.sink = sink;
  }

  /**
   * Infers every edge that the reads of {@code t3} imply, weakest level first.
   *
   * @param strongest strongest level to infer for; a reader promised less is a premise only up to
   *     its promise
   */
  public void infer(Txn t3, IsolationLevel strongest) {
    if (t3.readOperations.length == 0) {
      return;
    }
    IsolationLevel upTo = t3.promise.compareTo(strongest) < 0 ? t3.promise : strongest;
    int truncated = reads.load(t3);
    if (truncated > 0) {
      sink.truncatedReads(t3, truncated);
    }
    readCommitted(t3);
    if (upTo.atLeast(IsolationLevel.READ_ATOMIC)) {
      readAtomic(t3);
    }
    if (upTo.atLeast(IsolationLevel.CAUSAL)) {
      causal(t3);
    }
    reads.clear();
  }

  /**
   * [1] Algorithm 1, lines 11-21. {@code earliest} holds earliestWts: for key number k, the writer
   * of the read that comes next in program order at {@code 2k + 1}, and the next distinct one at
   * {@code 2k}.
   */
  private void readCommitted(Txn t3) {
    if (reads.reads < 2) {
      return;
    }
    clearEarliest();
    for (int r = reads.reads - 1; r >= 0; r--) {
      Txn t2 = reads.writer[r];
      if (t2.state == State.DELIVERED && t2 != Txn.INITIAL && reads.firstFromWriter[r]) {
        overlap(t2, t3, true);
      }
      int k = reads.keyOf[r];
      if (earliest[2 * k + 1] != t2) {
        earliest[2 * k] = earliest[2 * k + 1];
        earliest[2 * k + 1] = t2;
      }
    }
  }

  /** [1] Algorithm 2, lines 8-16. */
  private void readAtomic(Txn t3) {
    for (int k = 0; k < reads.keys; k++) {
      KeyWriters ofKey = writers.of(reads.key[k]);
      Txn t2 = ofKey == null ? null : ofKey.lastInSessionOf(t3);
      if (t2 != null) {
        inferAll(t2, t3, k, IsolationLevel.READ_ATOMIC);
      }
    }
    for (int r = 0; r < reads.reads; r++) {
      Txn t2 = reads.writer[r];
      if (t2.state == State.DELIVERED && t2 != Txn.INITIAL && reads.firstFromWriter[r]) {
        overlap(t2, t3, false);
      }
    }
  }

  /** [1] Algorithm 3, lines 8-15. */
  private void causal(Txn t3) {
    for (int k = 0; k < reads.keys; k++) {
      KeyWriters ofKey = writers.of(reads.key[k]);
      if (ofKey == null) {
        continue;
      }
      for (int s = 0; s < ofKey.size(); s++) {
        int last = ofKey.lastSeenBy(t3, s);
        if (last >= 0) {
          inferUnseen(ofKey, s, last, t3, k);
        }
      }
    }
  }

  /** The same as {@link #inferAll}, without looking at t2 where happens-before implies the edge. */
  private void inferUnseen(KeyWriters ofKey, int slot, int last, Txn t3, int k) {
    for (int r = reads.firstOfKey[k]; r >= 0; r = reads.nextOfKey[r]) {
      Txn t1 = reads.writer[r];
      if (t1 == Txn.INITIAL || !ofKey.seenBy(t1, slot, last)) {
        sink.infer(ofKey.writer(slot, last), t1, reads.key[k], t3, IsolationLevel.CAUSAL);
      }
    }
  }

  /** t2 precedes every other writer that t3 read the key number k from. */
  private void inferAll(Txn t2, Txn t3, int k, IsolationLevel level) {
    for (int r = reads.firstOfKey[k]; r >= 0; r = reads.nextOfKey[r]) {
      if (reads.writer[r] != t2) {
        sink.infer(t2, reads.writer[r], reads.key[k], t3, level);
      }
    }
  }

  /** The keys that t2 wrote and t3 read; the smaller set is walked through. */
  private void overlap(Txn t2, Txn t3, boolean later) {
    if (t2.writeKeys.length <= reads.keys) {
      for (long x : t2.writeKeys) {
        int k = reads.find(x);
        if (k >= 0) {
          implied(t2, t3, k, later);
        }
      }
    } else {
      for (int k = 0; k < reads.keys; k++) {
        if (t2.writes(reads.key[k])) {
          implied(t2, t3, k, later);
        }
      }
    }
  }

  private void implied(Txn t2, Txn t3, int k, boolean later) {
    if (!later) {
      inferAll(t2, t3, k, IsolationLevel.READ_ATOMIC);
      return;
    }
    Txn t1 = earliest[2 * k + 1];
    if (t1 == t2) {
      t1 = earliest[2 * k];
    }
    if (t1 != null) {
      sink.infer(t2, t1, reads.key[k], t3, IsolationLevel.READ_COMMITTED);
    }
  }

  private void clearEarliest() {
    if (earliest.length < 2 * reads.keys) {
      earliest = new Txn[4 * reads.keys];
    }
    for (int i = 0; i < 2 * reads.keys; i++) {
      earliest[i] = null;
    }
  }
}

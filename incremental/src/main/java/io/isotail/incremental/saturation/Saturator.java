package io.isotail.incremental.saturation;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Transaction.State;
import org.jspecify.annotations.Nullable;

/**
 * Saturates the commit relation for one transaction at a time, as [1] Algorithms 1 to 3 do for a
 * whole history.
 *
 * <p>That a single pass in delivery order is enough: an axiom's premise for a reader t3 names only
 * t3's own reads, their writers, and transactions that happen before t3. All of these are delivered
 * before t3, and nothing that is delivered later can happen before it.
 *
 * <p>What a stronger level asks for implies what a weaker one does: what t3 has read from, or is of
 * its session, happens before t3. So as long as nothing is violated, only the strongest level's
 * edges are inferred; which of them the weaker levels need is made up for when that matters.
 *
 * <p>Differs from [1]: a list read is a read from the writer of each element. Its version is that
 * of the last element; each element was the last one of an earlier version, which whoever reads the
 * list has observed. So from {@code read-atomic} on their writers commit in the order of the list.
 *
 * <p>The letters t1, t2, t3 and x are those of [1] Fig. 3. An edge that happens-before implies is
 * left to the sink to drop. The initial transaction happens before all others and writes every key;
 * it is never t2, since it precedes t1 anyway.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class Saturator {
  private final WriterIndex writers;
  private final EdgeSink sink;

  /** Whether the edges that the sink agrees to become part of the relation. */
  private final boolean adds;

  private final ReadKeys reads = new ReadKeys();
  private final Places places = new Places();
  private @Nullable Transaction[] earliest = new Transaction[16];

  /** The level that is inferred for. */
  private IsolationLevel level = IsolationLevel.weakest();

  private boolean probing;
  private boolean disagrees;
  private boolean staleInitial;

  /** What came of inferring for the strongest level alone. */
  public enum Outcome {
    /** Nothing is violated. */
    AGREES,
    /** The edges agree, but the initial version was read of a key known to be written. */
    STALE_INITIAL,
    /** An edge would close a cycle; it and what follows has not been added. */
    DISAGREES
  }

  /** Infers from the writers in the window. */
  public Saturator(WriterIndex writers, EdgeSink sink) {
    this(writers, sink, true);
  }

  private Saturator(WriterIndex writers, EdgeSink sink, boolean adds) {
    this.writers = writers;
    this.sink = sink;
    this.adds = adds;
  }

  /** Tells a sink that adds no edge what {@link #tryStrongest} would infer. */
  public static Saturator probing(WriterIndex writers, EdgeSink sink) {
    return new Saturator(writers, sink, false);
  }

  /**
   * Infers what the strongest level asks for, which implies what the weaker ones ask for, as long
   * as everything agrees.
   *
   * @param strongest strongest level to infer for; a reader promised less is a premise only up to
   *     its promise
   * @return whether {@link #infer} has something to tell
   */
  public Outcome tryStrongest(Transaction t3, IsolationLevel strongest) {
    if (t3.readOperations.length == 0) {
      return Outcome.AGREES;
    }
    reads.load(t3);
    probing = true;
    disagrees = false;
    staleInitial = false;
    inferFor(t3.promise.weakerOf(strongest), t3);
    probing = false;
    finish();
    return disagrees ? Outcome.DISAGREES : staleInitial ? Outcome.STALE_INITIAL : Outcome.AGREES;
  }

  /** Infers every edge that the reads of {@code t3} imply, weakest level first. */
  public void infer(Transaction t3, IsolationLevel strongest) {
    if (t3.readOperations.length == 0) {
      return;
    }
    reads.load(t3);
    inferUpTo(t3.promise.weakerOf(strongest), t3);
    finish();
  }

  /** Infers the edges that levels weaker than {@code strongest} need. */
  public void inferWeaker(Transaction t3, IsolationLevel strongest) {
    if (t3.readOperations.length == 0 || strongest == IsolationLevel.weakest()) {
      return;
    }
    reads.load(t3);
    inferUpTo(t3.promise.weakerOf(strongest.nextWeaker()), t3);
    finish();
  }

  /** Keeps nothing of what was inferred for, so that equal checkers are equal to the last field. */
  private void finish() {
    reads.clear();
    level = IsolationLevel.weakest();
  }

  private void inferUpTo(IsolationLevel strongest, Transaction t3) {
    inferFor(IsolationLevel.weakest(), t3);
    for (IsolationLevel l = IsolationLevel.weakest(); l != strongest; ) {
      l = l.nextStronger();
      inferFor(l, t3);
    }
  }

  private void inferFor(IsolationLevel inferredFor, Transaction t3) {
    level = inferredFor;
    switch (inferredFor.observed()) {
      case READ_FROM_BEFORE -> readCommitted(t3);
      case SESSION_OR_READ_FROM -> readAtomic(t3);
      case HAPPENS_BEFORE -> causal(t3);
      case BY_COMMIT_ORDER ->
          throw new IllegalArgumentException(inferredFor + " is not decided by saturation");
    }
  }

  private void emit(Transaction t2, Transaction t1, int k, Transaction t3, boolean fresh) {
    if (!probing) {
      sink.infer(t2, t1, reads.key[k], t3, level);
    } else if (t1 == Transaction.INITIAL) {
      staleInitial = true;
    } else if (!disagrees) {
      disagrees = !sink.agrees(t2, t1, reads.key[k], t3, level, fresh);
    }
  }

  /**
   * [1] Algorithm 1, lines 11-21. {@code earliest} holds earliestWts: for key number k, the writer
   * of the read that comes next in program order at {@code 2k + 1}, and the next distinct one at
   * {@code 2k}.
   */
  private void readCommitted(Transaction t3) {
    if (reads.reads < 2) {
      return;
    }
    clearEarliest();
    int version = -1;
    for (int r = reads.reads - 1; r >= 0; r--) {
      Transaction t2 = reads.writer[r];
      if (t2.state == State.DELIVERED && t2 != Transaction.INITIAL && reads.firstFromWriter(r)) {
        overlap(t2, t3, true);
      }
      int k = reads.keyOf[r];
      if (reads.ofVersion(r)) {
        version = r;
      }
      // The elements of a list are read at once, none before another.
      boolean begins = r == 0 || !reads.isOfListOfNext(r - 1);
      if (begins && version >= 0 && earliest[2 * k + 1] != reads.writer[version]) {
        earliest[2 * k] = earliest[2 * k + 1];
        earliest[2 * k + 1] = reads.writer[version];
      }
      version = begins ? -1 : version;
    }
  }

  /** A list shows its elements in the order of their commits. */
  private void listed(Transaction t3) {
    for (int r = 0; r + 1 < reads.reads; r++) {
      Transaction t2 = reads.writer[r];
      Transaction t1 = reads.writer[r + 1];
      if (t2 != t1 && t2 != Transaction.INITIAL && reads.isListedBeforeNext(r)) {
        emit(t2, t1, reads.keyOf[r], t3, false);
      }
    }
  }

  /** [1] Algorithm 2, lines 8-16: t2 is of t3's session, or t3 read from it. */
  private void readAtomic(Transaction t3) {
    listed(t3);
    for (int k = 0; k < reads.keys; k++) {
      KeyWriters ofKey = writers.of(reads.key[k]);
      Transaction t2 = ofKey == null ? null : ofKey.lastInSessionOf(t3);
      if (t2 != null) {
        inferAll(t2, t3, k);
      }
    }
    for (int r = 0; r < reads.reads; r++) {
      Transaction t2 = reads.writer[r];
      if (t2.state == State.DELIVERED && t2 != Transaction.INITIAL && reads.firstFromWriter(r)) {
        overlap(t2, t3, false);
      }
    }
  }

  /** [1] Algorithm 3, lines 8-15: t2 happens before t3. */
  private void causal(Transaction t3) {
    listed(t3);
    places.ofEachSession(!probing);
    for (int k = 0; k < reads.keys; k++) {
      KeyWriters ofKey = writers.of(reads.key[k]);
      if (ofKey == null) {
        continue;
      }
      for (int r = reads.firstOfKey[k]; r >= 0 && !(probing && disagrees); r = reads.nextOfKey[r]) {
        Transaction t1 = reads.writer[r];
        int place = ofKey.placeOf(t1);
        boolean remembered = ofKey.seenBeside(t1, place, t3, places);
        for (int i = 0; i < places.size(); i++) {
          boolean fresh = remembered && places.get(i) - place < 0;
          emit(ofKey.at(places.get(i)), t1, k, t3, fresh);
        }
        if (probing && adds && !disagrees && t1 != Transaction.INITIAL) {
          ofKey.forgetOrdered(place, t3);
        }
      }
    }
  }

  /** t2 precedes every other writer that t3 read the key number k from. */
  private void inferAll(Transaction t2, Transaction t3, int k) {
    for (int r = reads.firstOfKey[k]; r >= 0; r = reads.nextOfKey[r]) {
      if (reads.writer[r] != t2) {
        emit(t2, reads.writer[r], k, t3, false);
      }
    }
  }

  /** The keys that t2 wrote and t3 read; the smaller set is walked through. */
  private void overlap(Transaction t2, Transaction t3, boolean later) {
    if (t2.writeCount() <= reads.keys) {
      for (int i = 0; i < t2.writeCount(); i++) {
        int k = reads.find(t2.writeKey(i));
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

  private void implied(Transaction t2, Transaction t3, int k, boolean later) {
    if (!later) {
      inferAll(t2, t3, k);
      return;
    }
    Transaction t1 = earliest[2 * k + 1];
    if (t1 == t2) {
      t1 = earliest[2 * k];
    }
    if (t1 != null) {
      emit(t2, t1, k, t3, false);
    }
  }

  private void clearEarliest() {
    if (earliest.length < 2 * reads.keys) {
      earliest = new Transaction[4 * reads.keys];
    }
    for (int i = 0; i < 2 * reads.keys; i++) {
      earliest[i] = null;
    }
  }
}

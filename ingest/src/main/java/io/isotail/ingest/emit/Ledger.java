package io.isotail.ingest.emit;

import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the stream still owes its reader: transactions announced by their first write whose last
 * record has not been handed over, and records that were lost. Safe for any thread.
 *
 * <p>Invariant: a transaction leaves the announced ones only after its record was handed to the
 * link, which hands it to the producer before the next heartbeat, or after its loss was counted. So
 * a caller that copies the announced transactions first and looks at the losses second misses none.
 *
 * <p>Bound: the announced transactions are those under way, one a session, and those in the queue.
 */
final class Ledger {
  private final Set<OpenTransaction> announced = ConcurrentHashMap.newKeySet();
  private final AtomicLong lostRecords = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean positionUnsure;

  void announce(long session, long transaction) {
    announced.add(new OpenTransaction(session, transaction));
  }

  /** The last record of the transaction was handed to the link to the producer. */
  void handedOver(long session, long transaction) {
    announced.remove(new OpenTransaction(session, transaction));
  }

  /** A record never reached the producer. */
  void drop() {
    dropped.incrementAndGet();
    lostRecords.incrementAndGet();
  }

  /** Records of transactions were handed to the producer, which gave up on them. */
  void fail(int records) {
    failed.addAndGet(records);
    lostRecords.addAndGet(records);
  }

  /**
   * A record of the emitter's own was given up: it may still appear, so that the next heartbeat
   * must not follow before a gap record has marked the place.
   */
  void failOwn() {
    positionUnsure = true;
  }

  boolean owesGap() {
    return lostRecords.get() > 0 || positionUnsure;
  }

  /** Takes the losses that the next gap record announces, at least 1. */
  long takeLosses() {
    positionUnsure = false;
    return Math.max(1, lostRecords.getAndSet(0));
  }

  /** A gap record was given up: its losses are to be announced again. */
  void giveBackLosses(long records) {
    lostRecords.addAndGet(records);
  }

  /** The announced transactions; those announced while this runs may be missing. */
  List<OpenTransaction> open() {
    return new ArrayList<>(announced);
  }

  /** Nothing announced any more counts as under way; returns how many did. */
  int abandonOpen() {
    int count = announced.size();
    announced.clear();
    return count;
  }

  long dropped() {
    return dropped.get();
  }

  long failed() {
    return failed.get();
  }
}

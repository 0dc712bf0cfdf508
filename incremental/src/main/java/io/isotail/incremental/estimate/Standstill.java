package io.isotail.incremental.estimate;

import static io.isotail.incremental.estimate.HistoryColumns.NONE;

import it.unimi.dsi.fastutil.ints.IntArrayList;

/**
 * Ends a standstill of a {@link Replay}: each parked record waits for a reader of the version that
 * it overwrites, and that one for another parked record, until they form a cycle.
 *
 * <p>On the cycle some version was committed too early: the record that is parked at it should have
 * come before its writer. That is not so where the writer is known to come first. Of the others the
 * one is chosen whose writer committed last. It commits, and the version stays the current one, as
 * if it had been written after it. If there is no such record, somebody on the cycle who reads
 * begins: at snapshot isolation it may have begun long before it committed.
 */
final class Standstill {
  /** Records that are looked at to find out whether one comes before another. */
  private static final int MOST_LOOKED_AT = 256;

  private final Replay replay;
  private final HistoryColumns history;

  /** The walk or search that came to each record last. */
  private final int[] metBy;

  private int walk;
  private final IntArrayList trail = new IntArrayList();

  Standstill(Replay replay) {
    this.replay = replay;
    this.history = replay.history;
    this.metBy = new int[history.records];
  }

  /** Lets somebody go on. */
  void end(int firstParked) {
    walk++;
    int record = firstParked;
    while (metBy[record] != walk) {
      metBy[record] = walk;
      replay.steps--;
      int reader = replay.readerLeft(replay.awaited(record));
      if (reader == NONE) {
        replay.retry(record);
        return;
      }
      int next = reader == record ? NONE : parkedBefore(reader);
      if (next == NONE) {
        replay.commitLate(record);
        return;
      }
      record = next;
    }
    endCycle(record);
  }

  private void endCycle(int onCycle) {
    int late = NONE;
    int early = NONE;
    int record = onCycle;
    do {
      int version = replay.awaited(record);
      int writer = history.writerOf[version];
      if (writer != NONE
          && (late == NONE || replay.position(writer) > replay.position(writerAwaited(late)))
          && !isBefore(writer, record)) {
        late = record;
      }
      int reader = replay.readerLeft(version);
      if (replay.isParked(reader) && !replay.hasBegun(reader)) {
        early = reader;
      }
      record = parkedBefore(reader);
    } while (record != onCycle && record != NONE);
    if (late != NONE) {
      replay.commitLate(late);
    } else if (early != NONE) {
      replay.begin(early);
    } else {
      replay.commitLate(onCycle);
    }
  }

  private int writerAwaited(int parked) {
    return history.writerOf[replay.awaited(parked)];
  }

  /**
   * A parked record that a record waits for, however indirectly, or itself; none on a cycle, once
   * all steps are spent.
   */
  private int parkedBefore(int from) {
    int record = from;
    while (record != NONE && !replay.isParked(record)) {
      record = replay.steps > 0 ? predecessorLeft(record) : NONE;
    }
    return record != NONE && replay.isParked(record) ? record : NONE;
  }

  /** Who comes directly before a record and has not committed, of the lowest rank; or none. */
  private int predecessorLeft(int record) {
    int[] lowest = {NONE};
    history.forEachPredecessor(
        record,
        before -> {
          replay.steps--;
          if (!replay.hasCommitted(before)
              && (lowest[0] == NONE || replay.ranks.rank(before) < replay.ranks.rank(lowest[0]))) {
            lowest[0] = before;
          }
        });
    return lowest[0];
  }

  /** Whether a committed record is known to come before one that is ready. */
  private boolean isBefore(int earlier, int later) {
    int search = ++walk;
    int from = replay.position(earlier);
    boolean[] met = {false};
    trail.clear();
    trail.add(later);
    for (int left = MOST_LOOKED_AT; left > 0 && !trail.isEmpty() && !met[0]; left--) {
      replay.steps--;
      history.forEachPredecessor(
          trail.popInt(),
          record -> {
            met[0] |= record == earlier;
            if (replay.position(record) > from && metBy[record] != search) {
              metBy[record] = search;
              trail.add(record);
            }
          });
    }
    return met[0];
  }
}

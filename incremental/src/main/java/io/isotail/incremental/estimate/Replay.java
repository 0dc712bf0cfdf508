package io.isotail.incremental.estimate;

import static io.isotail.incremental.estimate.HistoryColumns.NONE;

import it.unimi.dsi.fastutil.ints.IntHeapPriorityQueue;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Runs a file's transactions as a database may have run them, one after the other.
 *
 * <p>A transaction is ready when those that come before it have committed: in its session, the
 * writers of what it read, and who was found to come before it. It may commit when nobody else is
 * left who has to read what it overwrites: all readers of a version are known, since the file is
 * whole. Until then it is parked at that key. Of those that may commit the one of the lowest rank
 * does.
 *
 * <p>Where nobody may commit, an order of two writers was chosen wrongly, or the history is not
 * serializable. {@link Standstill} finds out who is to go on all the same.
 */
final class Replay {
  /** Steps for each record; when they are spent, who comes first commits. */
  static final int STEPS_PER_RECORD = 400;

  final HistoryColumns history;
  final Ranks ranks;

  /** Steps that are left. */
  long steps;

  private final int[] order;
  private int committed;
  private final int[] position;

  /** How many each record waits for before it is ready. */
  private final int[] blockers;

  private final boolean[] begun;

  /** Version of each key that was committed last. */
  private final int[] current;

  /** Number of readers of each version that have not begun, and the exclusive or of all those. */
  private final int[] readersLeft;

  private final int[] readersMixed;

  /** Readers of each version that have begun, at the beginning of their list. */
  private final int[] firstLeft;

  /** The record that was last seen to read each version, while it is asked what it waits for. */
  private final int[] readBy;

  /** Ranks of those that are ready and may be able to commit. */
  private final IntHeapPriorityQueue ready = new IntHeapPriorityQueue();

  /** Ranks of those that are parked at each key; some are no longer. */
  private final @Nullable IntHeapPriorityQueue[] parked;

  /** Ranks of those that are parked somewhere; some are no longer. */
  private final IntHeapPriorityQueue waiting = new IntHeapPriorityQueue();

  /** Key that each record is parked at, or none. */
  private final int[] parkedAt;

  private final Standstill standstill;

  /** All records below this rank have committed. */
  private int lowestLeft;

  Replay(HistoryColumns history, Ranks ranks) {
    this(history, ranks, (long) STEPS_PER_RECORD * history.records);
  }

  /** With another number of steps. */
  Replay(HistoryColumns history, Ranks ranks, long steps) {
    this.history = history;
    this.ranks = ranks;
    this.steps = steps;
    this.firstLeft = new int[history.keyOf.length];
    this.order = new int[history.records];
    this.position = new int[history.records];
    this.blockers = new int[history.records];
    this.begun = new boolean[history.records];
    this.current = history.initial.clone();
    this.readersLeft = new int[history.keyOf.length];
    this.readersMixed = new int[history.keyOf.length];
    this.readBy = new int[history.keyOf.length];
    this.parked = new IntHeapPriorityQueue[history.initial.length];
    this.parkedAt = new int[history.records];
    this.standstill = new Standstill(this);
    Arrays.fill(position, NONE);
    Arrays.fill(readBy, NONE);
    Arrays.fill(parkedAt, NONE);
    for (int version = 0; version < readersLeft.length; version++) {
      int of = version;
      readersLeft[version] = history.readers.size(version);
      history.readers.forEach(version, reader -> readersMixed[of] ^= reader);
    }
  }

  /** Runs all; returns the records in the order of their commits. */
  int[] run() {
    for (int record = 0; record < history.records; record++) {
      blockers[record] = history.countPredecessors(record);
      if (blockers[record] == 0) {
        ready.enqueue(ranks.rank(record));
      }
    }
    while (committed < history.records) {
      if (!ready.isEmpty()) {
        goOn(ranks.record(ready.dequeueInt()));
      } else {
        int first = firstParked();
        if (first == NONE) {
          commitLowest();
        } else if (steps > 0) {
          standstill.end(first);
        } else {
          commit(first, NONE);
        }
      }
    }
    return order;
  }

  boolean hasCommitted(int record) {
    return position[record] != NONE;
  }

  boolean hasBegun(int record) {
    return begun[record];
  }

  boolean isParked(int record) {
    return parkedAt[record] != NONE;
  }

  /** How many had committed before a record that has. */
  int position(int record) {
    return position[record];
  }

  /** The version that a parked record is to overwrite, and that others have still to read. */
  int awaited(int parkedRecord) {
    return current[parkedAt[parkedRecord]];
  }

  /** A reader of a version that has not begun, or none. */
  int readerLeft(int version) {
    if (readersLeft[version] <= 1) {
      return readersLeft[version] == 0 ? NONE : readersMixed[version];
    }
    IntLists readers = history.readers;
    int from = readers.start[version];
    while (begun[readers.items[from + firstLeft[version]]]) {
      firstLeft[version]++;
    }
    return readers.items[from + firstLeft[version]];
  }

  private void goOn(int record) {
    if (hasCommitted(record)) {
      return;
    }
    steps -= 1 + history.writes.size(record) + (begun[record] ? 0 : history.reads.size(record));
    int key = steps > 0 ? unreadKey(record) : NONE;
    if (key == NONE) {
      commit(record, NONE);
    } else {
      park(record, key);
    }
  }

  /** A key that it writes and whose current version another one has still to read, or none. */
  private int unreadKey(int record) {
    if (!begun[record]) {
      history.reads.forEach(record, version -> readBy[version] = record);
    }
    IntLists writes = history.writes;
    for (int i = writes.start[record]; i < writes.start[record + 1]; i++) {
      int key = history.keyOf[writes.items[i]];
      int version = current[key];
      boolean own = !begun[record] && readBy[version] == record;
      if (readersLeft[version] > (own ? 1 : 0)) {
        return key;
      }
    }
    return NONE;
  }

  private void park(int record, int key) {
    IntHeapPriorityQueue queue = parked[key];
    if (queue == null) {
      queue = new IntHeapPriorityQueue();
      parked[key] = queue;
    }
    int before = parkedAt[record];
    parkedAt[record] = key;
    queue.enqueue(ranks.rank(record));
    waiting.enqueue(ranks.rank(record));
    if (before != NONE && before != key) {
      wakeIfRead(before);
    }
  }

  /**
   * If all have read a key's current version, lets the first of those try that are parked there.
   */
  private void wakeIfRead(int key) {
    IntHeapPriorityQueue queue = parked[key];
    while (queue != null && readersLeft[current[key]] == 0 && !queue.isEmpty()) {
      int record = ranks.record(queue.dequeueInt());
      if (parkedAt[record] == key) {
        ready.enqueue(ranks.rank(record));
        return;
      }
    }
  }

  /** It has read what it reads. */
  void begin(int record) {
    begun[record] = true;
    history.reads.forEach(
        record,
        version -> {
          readersLeft[version]--;
          readersMixed[version] ^= record;
          int key = history.keyOf[version];
          if (current[key] == version) {
            wakeIfRead(key);
            int last = readersMixed[version];
            if (readersLeft[version] == 1 && parkedAt[last] == key) {
              ready.enqueue(ranks.rank(last));
            }
          }
        });
  }

  /** Lets a parked record try again. */
  void retry(int record) {
    ready.enqueue(ranks.rank(record));
  }

  /**
   * Commits a record.
   *
   * @param lateFor key whose current version stays, since it counts as written after the record's;
   *     or none
   */
  void commit(int record, int lateFor) {
    int before = parkedAt[record];
    parkedAt[record] = NONE;
    position[record] = committed;
    order[committed++] = record;
    if (!begun[record]) {
      begin(record);
    }
    history.writes.forEach(
        record,
        version -> {
          int key = history.keyOf[version];
          if (key != lateFor) {
            current[key] = version;
            wakeIfRead(key);
          }
        });
    history.forEachSuccessor(
        record,
        next -> {
          if (--blockers[next] == 0) {
            ready.enqueue(ranks.rank(next));
          }
        });
    if (before != NONE) {
      wakeIfRead(before);
    }
  }

  /** Commits a parked record though its key's current version has still to be read. */
  void commitLate(int record) {
    commit(record, parkedAt[record]);
  }

  private int firstParked() {
    while (!waiting.isEmpty()) {
      int record = ranks.record(waiting.firstInt());
      if (isParked(record)) {
        return record;
      }
      waiting.dequeueInt();
    }
    return NONE;
  }

  /** Nobody is ready and nobody is parked: what comes before what forms a cycle. */
  private void commitLowest() {
    while (hasCommitted(ranks.record(lowestLeft))) {
      lowestLeft++;
    }
    commit(ranks.record(lowestLeft), NONE);
  }
}

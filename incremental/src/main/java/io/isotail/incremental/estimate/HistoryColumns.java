package io.isotail.incremental.estimate;

import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a file say of each other, in columns: who comes next in its session, who
 * wrote which version, and who read it; and what else was found of their order. Records, sessions,
 * versions and keys have numbers from 0.
 */
final class HistoryColumns {
  /** Stands for no record, version or key. */
  static final int NONE = -1;

  /** Number of records. */
  final int records;

  /** Number of sessions. */
  final int sessions;

  /** Session of each record, and its place there from 1 on. */
  final int[] session;

  final int[] place;

  /** Record before and after each one in its session, or {@link #NONE}. */
  final int[] previous;

  final int[] next;

  /** Number of records of each session. */
  final int[] lengths;

  /** Versions that each record read from others, each once. */
  final IntLists reads;

  /** Versions that each record wrote, of each key the last one. */
  final IntLists writes;

  /** Versions that each record wrote and then overwrote itself. */
  final IntLists overwritten;

  /** Records that read each version. */
  final IntLists readers;

  /** Key of each version. */
  final int[] keyOf;

  /** Record that wrote each version; {@link #NONE} where none or several have. */
  final int[] writerOf;

  /** Version of each key before all others. */
  final int[] initial;

  /** For each record those that were found to commit after it, and before it. */
  private final @Nullable IntArrayList[] later;

  private final @Nullable IntArrayList[] earlier;

  /** Reads the records, in the order of the file. */
  HistoryColumns(List<TransactionRecord> history) {
    records = history.size();
    session = new int[records];
    place = new int[records];
    previous = new int[records];
    next = new int[records];
    later = new IntArrayList[records];
    earlier = new IntArrayList[records];
    Arrays.fill(next, NONE);
    Long2IntOpenHashMap last = new Long2IntOpenHashMap();
    last.defaultReturnValue(NONE);
    IntArrayList counts = new IntArrayList();
    for (int i = 0; i < records; i++) {
      int before = last.put(history.get(i).session().id(), i);
      previous[i] = before;
      if (before == NONE) {
        session[i] = counts.size();
        counts.add(0);
      } else {
        session[i] = session[before];
        next[before] = i;
      }
      place[i] = counts.getInt(session[i]) + 1;
      counts.set(session[i], place[i]);
    }
    lengths = counts.toIntArray();
    sessions = lengths.length;
    VersionNumbers numbers = new VersionNumbers(history);
    reads = numbers.reads();
    writes = numbers.writes(true);
    overwritten = numbers.writes(false);
    keyOf = numbers.keys();
    writerOf = numbers.writers();
    initial = numbers.initials();
    readers = reads.inverse(keyOf.length);
  }

  /** How far its session had come with each record, of {@code 2^32}. */
  long[] progress() {
    long[] progress = new long[records];
    for (int i = 0; i < records; i++) {
      progress[i] = (2L * place[i] - 1) * (1L << 31) / lengths[session[i]];
    }
    return progress;
  }

  /** Notes that a record was found to commit before another one. */
  void order(int before, int after) {
    add(later, before, after);
    add(earlier, after, before);
  }

  private static void add(@Nullable IntArrayList[] lists, int list, int item) {
    IntArrayList items = lists[list];
    if (items == null) {
      items = new IntArrayList(2);
      lists[list] = items;
    }
    items.add(item);
  }

  /** Whether that was noted of the two. */
  boolean isOrdered(int before, int after) {
    IntArrayList items = later[before];
    return items != null && items.contains(after);
  }

  /** Number of records that come directly before one, each as often as it does. */
  int countPredecessors(int record) {
    int count = previous[record] == NONE ? 0 : 1;
    for (int i = reads.start[record]; i < reads.start[record + 1]; i++) {
      count += writerOf[reads.items[i]] == NONE ? 0 : 1;
    }
    IntArrayList found = earlier[record];
    return count + (found == null ? 0 : found.size());
  }

  /** Names the records that come directly before one: in its session, by its reads, by order. */
  void forEachPredecessor(int record, IntConsumer action) {
    if (previous[record] != NONE) {
      action.accept(previous[record]);
    }
    for (int i = reads.start[record]; i < reads.start[record + 1]; i++) {
      int writer = writerOf[reads.items[i]];
      if (writer != NONE) {
        action.accept(writer);
      }
    }
    IntArrayList found = earlier[record];
    for (int i = 0; found != null && i < found.size(); i++) {
      action.accept(found.getInt(i));
    }
  }

  /** Names those that come directly after one, each as often as it does. */
  void forEachSuccessor(int record, IntConsumer action) {
    if (next[record] != NONE) {
      action.accept(next[record]);
    }
    IntConsumer ofVersion =
        version -> {
          if (writerOf[version] != NONE) {
            readers.forEach(version, action);
          }
        };
    writes.forEach(record, ofVersion);
    overwritten.forEach(record, ofVersion);
    IntArrayList found = later[record];
    for (int i = 0; found != null && i < found.size(); i++) {
      action.accept(found.getInt(i));
    }
  }
}

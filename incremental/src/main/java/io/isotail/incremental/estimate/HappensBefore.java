package io.isotail.incremental.estimate;

import static io.isotail.incremental.estimate.HistoryColumns.NONE;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Finds out what happens before what, and what follows from it for the writers and readers of a
 * key.
 *
 * <p>A writer that happens before a reader of another writer's version committed before that
 * writer, or the reader would have seen it. Readers of a version committed before a writer that its
 * own writer happens before. What was found counts as known the next time, so more is found then.
 *
 * <p>Vector clocks tell what happens before what. They are computed for some sessions at a time, so
 * that they take a bounded number of words for each record. Writers of a key are compared with the
 * few that come next to them; others are far enough apart for their ranks to be believed.
 */
final class HappensBefore {
  /** Sessions whose entries of all clocks are held at a time, at most. */
  private static final int MOST_SESSIONS = 64;

  private static final int LEAST_SESSIONS = 16;

  /** Entries of all clocks that are held at a time, if not {@link #LEAST_SESSIONS} need more. */
  private static final int ENTRIES = 1 << 24;

  /** Writers before it and after it that each one is compared with. */
  private static final int NEIGHBOURS = 8;

  private final HistoryColumns history;
  private final Ranks ranks;
  private final int[] order;
  private final int width;

  /** Versions of each key that have one writer, by its rank. */
  private final IntLists versions;

  private final int[] clocks;

  /** How many records happen before each one, less how many happen after it. */
  private final long[] balance;

  /** Pairs of which the first was found to commit before the second. */
  private final IntArrayList found = new IntArrayList();

  /** The first of the sessions whose entries are held. */
  private int first;

  private HappensBefore(HistoryColumns history, Ranks ranks) {
    this.history = history;
    this.ranks = ranks;
    this.order = topological();
    this.width = width(history);
    this.versions = versionsByRank();
    this.clocks = new int[Math.multiplyExact(history.records, width)];
    this.balance = new long[history.records];
  }

  /** How often one search goes through all records. */
  static int passes(HistoryColumns history) {
    int width = width(history);
    return (history.sessions + width - 1) / width;
  }

  private static int width(HistoryColumns history) {
    int fitting = ENTRIES / Math.max(1, history.records);
    int most = Math.max(LEAST_SESSIONS, Math.min(MOST_SESSIONS, fitting));
    return Math.min(most, Math.max(LEAST_SESSIONS, history.sessions));
  }

  /**
   * Notes in the history what was found, and ranks the records anew: by how many happen before and
   * after them.
   *
   * @return how much was found that was not known before
   */
  static int search(HistoryColumns history, Ranks ranks) {
    HappensBefore search = new HappensBefore(history, ranks);
    for (search.first = 0; search.first < history.sessions; search.first += search.width) {
      search.countForward();
      search.compareWriters();
      search.countBackward();
    }
    ranks.sortBy(search.balance);
    IntArrayList found = search.found;
    for (int i = 0; i < found.size(); i += 2) {
      history.order(found.getInt(i), found.getInt(i + 1));
    }
    return found.size() / 2;
  }

  /** The records, each behind its predecessors; where those form a cycle, by rank. */
  private int[] topological() {
    int[] blockers = new int[history.records];
    boolean[] done = new boolean[history.records];
    IntArrayList ordered = new IntArrayList(history.records);
    for (int record = 0; record < history.records; record++) {
      blockers[record] = history.countPredecessors(record);
      if (blockers[record] == 0) {
        ordered.add(record);
      }
    }
    IntConsumer unblock =
        record -> {
          if (--blockers[record] == 0 && !done[record]) {
            ordered.add(record);
          }
        };
    int left = 0;
    for (int i = 0; i < history.records; i++) {
      while (i == ordered.size()) {
        int record = ranks.record(left++);
        if (!done[record]) {
          ordered.add(record);
        }
      }
      int record = ordered.getInt(i);
      done[record] = true;
      history.forEachSuccessor(record, unblock);
    }
    return ordered.toIntArray();
  }

  private IntLists versionsByRank() {
    int[] keys = new int[history.keyOf.length];
    int[] start = new int[history.initial.length + 1];
    int count = 0;
    for (int version : history.writes.items) {
      if (history.writerOf[version] != NONE) {
        keys[count++] = version;
        start[history.keyOf[version] + 1]++;
      }
    }
    int[] items = Arrays.copyOf(keys, count);
    for (int key = 0; key < history.initial.length; key++) {
      start[key + 1] += start[key];
    }
    IntArrays.quickSort(
        items,
        (a, b) ->
            history.keyOf[a] != history.keyOf[b]
                ? Integer.compare(history.keyOf[a], history.keyOf[b])
                : Integer.compare(rankOfWriter(a), rankOfWriter(b)));
    return new IntLists(start, items);
  }

  private int rankOfWriter(int version) {
    return ranks.rank(history.writerOf[version]);
  }

  /** The entry for a session is the place of its last record that happens before the clock's. */
  private void countForward() {
    Arrays.fill(clocks, 0);
    for (int record : order) {
      int to = record * width;
      history.forEachPredecessor(record, before -> join(before * width, to));
      if (isHeld(record)) {
        clocks[to + column(record)] = history.place[record];
      }
      for (int i = to; i < to + width; i++) {
        balance[record] += clocks[i];
      }
    }
  }

  /** The entry is how many of the session's records happen after the clock's. */
  private void countBackward() {
    Arrays.fill(clocks, 0);
    for (int i = order.length - 1; i >= 0; i--) {
      int record = order[i];
      int from = record * width;
      if (isHeld(record)) {
        clocks[from + column(record)] =
            history.lengths[history.session[record]] - history.place[record] + 1;
      }
      for (int entry = from; entry < from + width; entry++) {
        balance[record] -= clocks[entry];
      }
      history.forEachPredecessor(record, before -> join(from, before * width));
    }
  }

  private void join(int from, int to) {
    for (int i = 0; i < width; i++) {
      clocks[to + i] = Math.max(clocks[to + i], clocks[from + i]);
    }
  }

  private boolean isHeld(int record) {
    int column = column(record);
    return column >= 0 && column < width;
  }

  private int column(int record) {
    return history.session[record] - first;
  }

  private boolean happensBefore(int held, int record) {
    return clocks[record * width + column(held)] >= history.place[held];
  }

  private void compareWriters() {
    for (int key = 0; key < history.initial.length; key++) {
      int start = versions.start[key];
      int end = versions.start[key + 1];
      for (int i = start; i < end; i++) {
        int version = versions.items[i];
        int writer = history.writerOf[version];
        if (isHeld(writer)) {
          boolean overwritten = false;
          int to = Math.min(end, i + NEIGHBOURS + 1);
          for (int j = Math.max(start, i - NEIGHBOURS); j < to; j++) {
            int other = history.writerOf[versions.items[j]];
            if (j == i || other == writer) {
              continue;
            }
            if (happensBefore(writer, other)) {
              if (!overwritten && j > i) {
                overwritten = true;
                putReadersBefore(version, other);
              }
            } else if (history.session[writer] != history.session[other]
                && isSeenByReader(writer, versions.items[j])) {
              found.add(writer);
              found.add(other);
            }
          }
        }
      }
    }
  }

  private void putReadersBefore(int version, int overwriter) {
    IntLists readers = history.readers;
    for (int i = readers.start[version]; i < readers.start[version + 1]; i++) {
      int reader = readers.items[i];
      if (history.session[reader] != history.session[overwriter]
          && !history.isOrdered(reader, overwriter)) {
        found.add(reader);
        found.add(overwriter);
      }
    }
  }

  private boolean isSeenByReader(int writer, int version) {
    IntLists readers = history.readers;
    for (int i = readers.start[version]; i < readers.start[version + 1]; i++) {
      int reader = readers.items[i];
      if (reader != writer && happensBefore(writer, reader)) {
        return true;
      }
    }
    return false;
  }
}

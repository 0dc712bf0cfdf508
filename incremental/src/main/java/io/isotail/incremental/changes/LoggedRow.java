package io.isotail.incremental.changes;

import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RowChange;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one row, in the order of the log. Row locks make that the order of the versions:
 * a transaction writes a row after the one that wrote it before has ended.
 *
 * <p>Bound: {@value #MOST} versions; the oldest half is left out then.
 */
final class LoggedRow {
  /** Versions of one row that are kept. */
  static final int MOST = 512;

  LoggedTable table;

  /** Ids of the writers. */
  long[] writers = new long[2];

  /** What each of them left; null for no row. */
  long[] @Nullable [] contents = new long[2][];

  /**
   * What captured writes have told of the id that the row showed: nothing, a version, or {@link
   * #uncertain} if another one may have taken its place.
   */
  long[] shown = new long[2];

  /** Nothing was told. */
  static final long NOT_TOLD = 0;

  /** A version, and perhaps another one since; and back. */
  static long uncertain(long version) {
    return -1 - version;
  }

  /** With which mark each of them was visible at the latest; see {@link LogTimes}. */
  long[] marks = new long[2];

  /** Whether somebody else was told to have read each of them. */
  boolean[] read = new boolean[2];

  int size;

  /** What was there before the first of them; null for no row. */
  long @Nullable [] base;

  /** Whether a change is missing, so that nothing follows from the versions. */
  boolean broken;

  /** Whether versions before the first one were left out. */
  boolean cut;

  LoggedRow(LoggedTable table) {
    this.table = table;
  }

  /** Takes the next change. */
  void add(RowChange change, long writer, long mark) {
    if (size == 0) {
      base = change.before();
    } else if (mustDiffer(contents[size - 1], change.before())) {
      broken = true;
    }
    broken |= !table.columns().equals(change.table().columns());
    table = change.table();
    if (size > 0 && writers[size - 1] == writer) {
      contents[size - 1] = change.after();
      return;
    }
    if (size == MOST) {
      leaveOutHalf();
    }
    insert(size, writer, mark, change.after());
  }

  /** Puts a version before the one at a place, or at the end. */
  private void insert(int at, long writer, long mark, long @Nullable [] content) {
    if (size == writers.length) {
      writers = Arrays.copyOf(writers, 2 * size);
      contents = Arrays.copyOf(contents, 2 * size);
      marks = Arrays.copyOf(marks, 2 * size);
      shown = Arrays.copyOf(shown, 2 * size);
      read = Arrays.copyOf(read, 2 * size);
    }
    int behind = size - at;
    System.arraycopy(writers, at, writers, at + 1, behind);
    System.arraycopy(marks, at, marks, at + 1, behind);
    System.arraycopy(shown, at, shown, at + 1, behind);
    System.arraycopy(read, at, read, at + 1, behind);
    System.arraycopy(contents, at, contents, at + 1, behind);
    writers[at] = writer;
    marks[at] = mark;
    shown[at] = NOT_TOLD;
    read[at] = false;
    contents[at] = content;
    size++;
  }

  /**
   * Puts a version behind another one that has the same content, so that the log does not tell it.
   *
   * @param last place of the other one, of which nobody was told to have read it
   */
  void insertUnchanged(int last, long writer, long mark) {
    insert(last + 1, writer, mark, contents[last]);
  }

  private void leaveOutHalf() {
    int from = size / 2;
    cut = true;
    base = null;
    System.arraycopy(writers, from, writers, 0, size - from);
    System.arraycopy(marks, from, marks, 0, size - from);
    System.arraycopy(shown, from, shown, 0, size - from);
    System.arraycopy(read, from, read, 0, size - from);
    System.arraycopy(contents, from, contents, 0, size - from);
    Arrays.fill(writers, size - from, size, 0);
    Arrays.fill(marks, size - from, size, 0);
    Arrays.fill(contents, size - from, size, null);
    size -= from;
  }

  private static boolean mustDiffer(long @Nullable [] one, long @Nullable [] other) {
    if (one == null || other == null) {
      return one != other;
    }
    if (one.length != other.length) {
      return true;
    }
    for (int i = 0; i < one.length; i++) {
      if (one[i] != other[i] && one[i] != RowChange.NOT_KNOWN && other[i] != RowChange.NOT_KNOWN) {
        return true;
      }
    }
    return false;
  }

  /**
   * The first version that a reader may have seen, who began after a mark: the last one of those
   * that were visible then; below 0 if there is none, so that it may have seen what was before.
   */
  int firstSeen(long mark) {
    int i = size - 1;
    while (i >= 0 && marks[i] > mark) {
      i--;
    }
    return i;
  }

  /** Where the version of a writer stands; below 0 if there is none. */
  int find(long writer) {
    int i = size - 1;
    while (i >= 0 && writers[i] != writer) {
      i--;
    }
    return i;
  }

  /** Makes room for versions that are known already. */
  void room(int versions) {
    int room = Math.max(2, HashCommon.nextPowerOfTwo(versions));
    writers = new long[room];
    contents = new long[room][];
    marks = new long[room];
    shown = new long[room];
    read = new boolean[room];
  }
}

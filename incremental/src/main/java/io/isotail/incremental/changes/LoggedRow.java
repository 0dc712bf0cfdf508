package io.isotail.incremental.changes;

import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.RowChange;
import it.unimi.dsi.fastutil.HashCommon;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one row, in the order of the log. Row locks make that the order of the versions:
 * a transaction writes a row after the one that wrote it before has ended.
 */
final class LoggedRow {
  LoggedTable table;

  /** Ids of the writers, ascending. */
  long[] writers = new long[2];

  /** What each of them left; null for no row. */
  long[] @Nullable [] contents = new long[2][];

  int size;

  /** What was there before the first of them; null for no row. */
  long @Nullable [] base;

  /** Whether a change is missing, so that nothing follows from the versions. */
  boolean broken;

  /** Whether versions were left out before the first one, since nobody can read them any more. */
  boolean cut;

  /** Who began later than this, in ms of the stream, reads none of those that were left out. */
  long cutMs = Long.MIN_VALUE;

  /** When the latest version came, in ms of the stream. */
  long latestMs;

  LoggedRow(LoggedTable table) {
    this.table = table;
  }

  /** Takes the next change. */
  void add(RowChange change, long writer, long timeMs) {
    if (size == 0 && !cut) {
      base = change.before();
    } else if (mustDiffer(last(), change.before())) {
      broken = true;
    }
    if (!table.columns().equals(change.table().columns())) {
      broken = true;
    }
    table = change.table();
    latestMs = timeMs;
    if (size > 0 && writers[size - 1] == writer) {
      contents[size - 1] = change.after();
      return;
    }
    if (size == writers.length) {
      writers = Arrays.copyOf(writers, 2 * size);
      contents = Arrays.copyOf(contents, 2 * size);
    }
    writers[size] = writer;
    contents[size++] = change.after();
  }

  /** Makes room for versions that are known already. */
  void room(int versions) {
    int room = Math.max(2, HashCommon.nextPowerOfTwo(versions));
    writers = new long[room];
    contents = new long[room][];
  }

  private long @Nullable [] last() {
    return size == 0 ? base : contents[size - 1];
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

  /** Forgets all versions but the latest. */
  void cut() {
    base = null;
    cut = true;
    cutMs = latestMs;
    writers = new long[] {writers[size - 1], 0};
    contents = new long[][] {contents[size - 1], null};
    size = 1;
  }
}

package io.isotail.incremental.changes;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which operations of a captured transaction may have written a row, by their places. Immutable.
 */
final class WritePlaces {
  /** Instead of a place: there is none. */
  private static final int NONE = -1;

  private final Operations ops;

  /** Whether a write is opaque whose triggers may write other rows. */
  private final boolean triggersAreOpaque;

  private int first = NONE;
  private int last = NONE;
  private int firstUndone = Integer.MAX_VALUE;

  /** The first statement that names a row which it has written, or may have. */
  private final Long2IntOpenHashMap firstNamed = new Long2IntOpenHashMap();

  /** The first one that has written it and was not undone. */
  private final Long2IntOpenHashMap firstWritten = new Long2IntOpenHashMap();

  /** The last one that has written it, undone or not. */
  private final Long2IntOpenHashMap lastWritten = new Long2IntOpenHashMap();

  /** The first one that tells the id which the row showed then. */
  private final Long2IntOpenHashMap firstShown = new Long2IntOpenHashMap();

  /** The first statement that may have written any row of a table, and the last one. */
  private final Map<@Nullable String, Integer> firstOpaque = new HashMap<>();

  private final Map<@Nullable String, Integer> lastOpaque = new HashMap<>();

  WritePlaces(Operations ops, boolean triggersAreOpaque) {
    this.ops = ops;
    this.triggersAreOpaque = triggersAreOpaque;
    for (int i = 0; i < ops.size(); i++) {
      if (isWrite(ops, i)) {
        firstUndone = ops.undone(i) ? Math.min(firstUndone, i) : firstUndone;
        if (!ops.statement(i).isOfServer()) {
          add(i);
        }
      }
    }
  }

  private void add(int i) {
    long key = ops.key(i);
    first = first == NONE ? i : first;
    last = i;
    if (ops.kind(i) == OperationKind.OPAQUE && key == 0) {
      firstOpaque.putIfAbsent(ops.statement(i).table(), i);
      lastOpaque.put(ops.statement(i).table(), i);
      return;
    }
    firstNamed.putIfAbsent(key, i);
    if (ops.kind(i) == OperationKind.OPAQUE) {
      return;
    }
    lastWritten.put(key, i);
    if (!ops.undone(i)) {
      firstWritten.putIfAbsent(key, i);
      if (Claim.isNamed(ops, i)) {
        firstShown.putIfAbsent(key, i);
      }
    }
  }

  /** Whether an operation has written, or may have. */
  static boolean isWrite(Operations ops, int i) {
    OperationKind kind = ops.kind(i);
    return kind == OperationKind.WRITE
        || kind == OperationKind.DELETE
        || kind == OperationKind.OPAQUE;
  }

  /** Whether anything may have been written before a place. */
  boolean anyBefore(int place) {
    return first != NONE && first < place;
  }

  /** Whether anything that was written before a place was undone, of which a log tells nothing. */
  boolean anyUndoneBefore(int place) {
    return firstUndone < place;
  }

  /** Whether a statement before a place names a row, or may have written any of its table. */
  boolean anyOfRowBefore(int place, long key, String table) {
    return firstNamed.getOrDefault(key, place) < place
        || firstOpaque.getOrDefault(table, place) < place
        || firstOpaque.getOrDefault(null, place) < place;
  }

  /** Whether a statement before a place names a row, or does not tell which rows it wrote. */
  boolean mayBeWrittenBefore(int place, long key) {
    for (int i = 0; i < place; i++) {
      boolean any = ops.kind(i) == OperationKind.OPAQUE;
      if (any || (isWrite(ops, i) && ops.key(i) == key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether one of the writes before a place has written a row that the transaction has written:
   * one has certainly, or there is no other that can have.
   */
  boolean isWrittenBefore(int place, long key) {
    return firstWritten.getOrDefault(key, place) < place || (last != NONE && last < place);
  }

  /** Whether a write is the first one of its row that tells the id which the row showed then. */
  boolean isFirstShown(int write) {
    return firstShown.getOrDefault(ops.key(write), NONE) == write;
  }

  /**
   * The last operation that may have written a row. If none has certainly written it, that is the
   * last write of all, since that may have a trigger; below 0 if there is no operation.
   */
  int last(long key, String table) {
    int written = lastWritten.getOrDefault(key, NONE);
    int opaque =
        Math.max(lastOpaque.getOrDefault(table, NONE), lastOpaque.getOrDefault(null, NONE));
    int place = written == NONE && !triggersAreOpaque ? NONE : Math.max(written, opaque);
    int any = last == NONE ? ops.size() - 1 : last;
    return place == NONE ? any : place;
  }

  /** The last write before a place, but for none that is behind another place. */
  int lastBefore(int place, int most) {
    int found = Math.min(place, most);
    while (found >= 0 && !isWrite(ops, found)) {
      found--;
    }
    return found;
  }
}

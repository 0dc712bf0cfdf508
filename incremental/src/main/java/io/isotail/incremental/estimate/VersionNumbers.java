package io.isotail.incremental.estimate;

import static io.isotail.incremental.estimate.HistoryColumns.NONE;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.HashCommon;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.List;

/**
 * Numbers the keys and versions of a history, from 0. Operations that were undone, and those of
 * aborted transactions, have none. A list counts as its last element.
 */
final class VersionNumbers {
  private static final int SEVERAL = -2;

  private final List<TransactionRecord> history;
  private final Long2IntOpenHashMap keyNumbers = new Long2IntOpenHashMap();
  private final Long2IntOpenHashMap versionNumbers = new Long2IntOpenHashMap();
  private final IntArrayList keys = new IntArrayList();
  private final IntArrayList writers = new IntArrayList();
  private final IntArrayList initials = new IntArrayList();

  /** The version that an operation stands for, or none. */
  private interface Choice {
    int version(int record, Operations ops, int op);
  }

  VersionNumbers(List<TransactionRecord> history) {
    this.history = history;
    keyNumbers.defaultReturnValue(NONE);
    versionNumbers.defaultReturnValue(NONE);
    for (int record = 0; record < history.size(); record++) {
      Operations ops = operations(record);
      for (int op = 0; op < ops.size(); op++) {
        if (ops.installs(op)) {
          int version = version(ops, op);
          int writer = writers.getInt(version);
          writers.set(version, writer == NONE || writer == record ? record : SEVERAL);
        }
      }
    }
    writers.replaceAll(writer -> writer == SEVERAL ? NONE : writer);
  }

  private Operations operations(int record) {
    TransactionRecord of = history.get(record);
    return of.outcome() == Outcome.ABORTED ? Operations.EMPTY : of.operations();
  }

  /** Versions that each record read from others, each once. */
  IntLists reads() {
    IntArrayList lastReader = new IntArrayList();
    return lists(
        (record, ops, op) -> {
          if (!ops.readsKnown(op) && !ops.readsInitial(op)) {
            return NONE;
          }
          int version = version(ops, op);
          while (lastReader.size() <= version) {
            lastReader.add(NONE);
          }
          boolean other = writers.getInt(version) != record;
          return other && lastReader.set(version, record) != record ? version : NONE;
        });
  }

  /**
   * Versions that each record wrote, each once.
   *
   * @param last those that it wrote last of their keys, else the others
   */
  IntLists writes(boolean last) {
    int[] lastWritten = new int[initials.size()];
    IntArrayList lastWriter = new IntArrayList();
    lastWriter.size(keys.size());
    lastWriter.replaceAll(record -> NONE);
    return lists(
        (record, ops, op) -> {
          if (op == 0) {
            for (int each = 0; each < ops.size(); each++) {
              if (ops.installs(each)) {
                lastWritten[key(ops, each)] = version(ops, each);
              }
            }
          }
          if (!ops.installs(op)) {
            return NONE;
          }
          int version = version(ops, op);
          boolean isLast = lastWritten[key(ops, op)] == version;
          return isLast == last && lastWriter.set(version, record) != record ? version : NONE;
        });
  }

  /** Key of each version, once all lists have been made. */
  int[] keys() {
    return keys.toIntArray();
  }

  /** Record that wrote each version; none where none or several have. */
  int[] writers() {
    return writers.toIntArray();
  }

  /** Version of each key before all others. */
  int[] initials() {
    return initials.toIntArray();
  }

  private IntLists lists(Choice choice) {
    int[] start = new int[history.size() + 1];
    IntArrayList items = new IntArrayList();
    for (int record = 0; record < history.size(); record++) {
      Operations ops = operations(record);
      for (int op = 0; op < ops.size(); op++) {
        int version = choice.version(record, ops, op);
        if (version != NONE) {
          items.add(version);
        }
      }
      start[record + 1] = items.size();
    }
    return new IntLists(start, items.toIntArray());
  }

  private int key(Operations ops, int op) {
    int key = keyNumbers.get(ops.key(op));
    if (key == NONE) {
      key = initials.size();
      keyNumbers.put(ops.key(op), key);
      initials.add(add(key));
    }
    return key;
  }

  private int version(Operations ops, int op) {
    int key = key(ops, op);
    if (ops.versionKind(op) == VersionKind.INITIAL) {
      return initials.getInt(key);
    }
    // Two versions with one hash would spoil a guess, and nothing else.
    long hash = HashCommon.mix(ops.version(op)) * 31 + HashCommon.mix(ops.key(op));
    int version = versionNumbers.get(hash);
    if (version == NONE) {
      version = add(key);
      versionNumbers.put(hash, version);
    }
    return version;
  }

  private int add(int key) {
    keys.add(key);
    writers.add(NONE);
    return keys.size() - 1;
  }
}

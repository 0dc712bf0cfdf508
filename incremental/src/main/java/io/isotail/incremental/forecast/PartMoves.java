package io.isotail.incremental.forecast;

import io.isotail.incremental.forecast.Meeting.Action;
import io.isotail.incremental.forecast.Meeting.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What an execution of a meeting reads, writes and locks, by item and row: asked for in each state
 * of the meeting.
 */
final class PartMoves {
  /** As a step: no step does it. */
  private static final int NEVER = Integer.MAX_VALUE;

  /**
   * A read of a row.
   *
   * @param step the step that it belongs to
   * @param number its number among the reads of the execution
   */
  record Read(int step, int number) {}

  private final Behaviour behaviour;
  private final int[] readsBefore;
  private final int[] firstWrite;
  private final int[] firstSharedLock;
  private final int[] firstExclusiveLock;
  private final List<List<Action>> writes;
  private final List<List<Read>> reads;

  /**
   * The moves of an execution.
   *
   * @param items number of items of the meeting
   * @param rows number of its rows
   */
  PartMoves(Part part, int items, int rows) {
    behaviour = part.behaviour();
    readsBefore = new int[part.steps().size() + 1];
    firstWrite = never(items);
    firstSharedLock = never(rows);
    firstExclusiveLock = never(rows);
    writes = lists(rows);
    reads = lists(rows);
    int read = 0;
    for (int step = 0; step < part.steps().size(); step++) {
      readsBefore[step] = read;
      for (Action action : part.steps().get(step)) {
        int row = action.row();
        if (locks(action)) {
          int[] first = locksShared(action) ? firstSharedLock : firstExclusiveLock;
          first[row] = Math.min(first[row], step);
        }
        if (!action.touch().isRead()) {
          writes.get(row).add(action);
        }
        if (isWrite(action)) {
          firstWrite[action.item()] = Math.min(firstWrite[action.item()], step);
        } else if (isRead(action)) {
          reads.get(row).add(new Read(step, read++));
        }
      }
    }
    readsBefore[part.steps().size()] = read;
  }

  private static int[] never(int size) {
    int[] steps = new int[size];
    Arrays.fill(steps, NEVER);
    return steps;
  }

  private static <T> List<List<T>> lists(int size) {
    List<List<T>> lists = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      lists.add(new ArrayList<>());
    }
    return lists;
  }

  /** Whether it reads an item that another one changes. */
  static boolean isRead(Action action) {
    return action.item() >= 0 && action.touch().isRead();
  }

  private static boolean isWrite(Action action) {
    return action.item() >= 0 && !action.touch().isRead();
  }

  boolean locks(Action action) {
    return action.locks() || behaviour == Behaviour.LOCKING_READS;
  }

  boolean locksShared(Action action) {
    return action.touch().isRead()
        && (action.locksShared() || (behaviour == Behaviour.LOCKING_READS && !action.locks()));
  }

  /** Number of all reads. */
  int reads() {
    return readsBefore[readsBefore.length - 1];
  }

  /** Number of the reads of the steps before this one. */
  int readsBefore(int step) {
    return readsBefore[step];
  }

  /** The reads of a row, in their order. */
  List<Read> readsOf(int row) {
    return reads.get(row);
  }

  /** What it does to a row but reading it, in its order. */
  List<Action> writesOf(int row) {
    return writes.get(row);
  }

  boolean writesItem(int item) {
    return firstWrite[item] != NEVER;
  }

  /** Whether one of its first steps writes an item. */
  boolean hasWritten(int item, int done) {
    return firstWrite[item] < done;
  }

  /** Whether its first change of a row is to insert it. */
  boolean makes(int row) {
    List<Action> all = writes.get(row);
    return !all.isEmpty() && all.get(0).touch().kind() == Touch.Kind.INSERT;
  }

  /**
   * Whether its first steps hold a lock on a row that excludes another one.
   *
   * @param shared whether the other one is shared
   */
  boolean excludes(int row, boolean shared, int done) {
    return firstExclusiveLock[row] < done || (!shared && firstSharedLock[row] < done);
  }
}

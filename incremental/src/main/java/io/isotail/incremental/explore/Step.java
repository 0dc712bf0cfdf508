package io.isotail.incremental.explore;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a session stands after what it has read: an {@link Execution} whose variables and values
 * are numbers, and which remembers where each value led. What a program does is a tree of them.
 */
final class Step {
  /** The step before the last read of the same transaction; null at its beginning. */
  final @Nullable Step previous;

  /** The variables that the transaction has read so far, in order. */
  final int[] reads;

  /** What it reads next; -1 at its end. */
  final int nextRead;

  final boolean committed;
  final Execution execution;

  /** The variables written so far, ascending; none where the transaction has aborted. */
  private final int[] written;

  private final int[] values;

  private final long readableBits;

  /** The value that was read first here, and where it led; null if none was. */
  private int firstValue;

  private @Nullable Step firstChild;

  /** Where other values led; null if none was read. */
  private @Nullable Int2ObjectOpenHashMap<Step> otherChildren;

  @Nullable Step nextTransaction;

  Step(
      @Nullable Step previous,
      int[] reads,
      int nextRead,
      int[] written,
      int[] values,
      Execution execution) {
    this.previous = previous;
    this.reads = reads;
    this.nextRead = nextRead;
    this.written = written;
    this.values = values;
    this.committed = execution.state() == Execution.State.COMMITTED;
    this.execution = execution;
    long bits = 0;
    for (int variable : written) {
      bits |= committed ? bitOf(variable) : 0;
    }
    this.readableBits = bits;
  }

  /** Where a read of that value led; null if that is not remembered. */
  @Nullable Step child(int value) {
    if (firstChild != null && firstValue == value) {
      return firstChild;
    }
    return otherChildren == null ? null : otherChildren.get(value);
  }

  /** Remembers where a read of that value led, which is not remembered yet. */
  void remember(int value, Step child) {
    if (firstChild == null) {
      firstValue = value;
      firstChild = child;
      return;
    }
    if (otherChildren == null) {
      otherChildren = new Int2ObjectOpenHashMap<>(2);
    }
    otherChildren.put(value, child);
  }

  /** Whether it has written the same as another one, in the same map. */
  boolean hasWritten(Map<String, Object> writes) {
    return execution.writes() == writes;
  }

  /** The values of the variables that it has written so far. */
  int[] values() {
    return values;
  }

  /** Whether the transaction goes on. */
  boolean pending() {
    return nextRead >= 0;
  }

  /** Whether others can read something of it. */
  boolean writesAnything() {
    return committed && written.length > 0;
  }

  /** Whether others can read that variable of it. */
  boolean writes(int variable) {
    return (readableBits & bitOf(variable)) != 0 && Arrays.binarySearch(written, variable) >= 0;
  }

  /** Whether others can read the same variable of it and of another transaction. */
  boolean sharesWrites(Step other) {
    if ((readableBits & other.readableBits) == 0) {
      return false;
    }
    for (int variable : written) {
      if (other.writes(variable)) {
        return true;
      }
    }
    return false;
  }

  /**
   * A bit for each variable that others can read of it, more than one of which may have the same
   * bit ({@link #bitOf}).
   */
  long readableBits() {
    return readableBits;
  }

  /** The bit of a variable in {@link #readableBits}. */
  static long bitOf(int variable) {
    return 1L << variable;
  }

  /** The variables that it has written so far. */
  int[] written() {
    return written;
  }

  /** The value of a variable that it has written. */
  int value(int variable) {
    return values[Arrays.binarySearch(written, variable)];
  }

  /** Where the transaction stood before its read of that index. */
  Step before(int read) {
    Step step = this;
    while (step.previous != null && step.reads.length > read) {
      step = step.previous;
    }
    return step;
  }
}

package io.isotail.incremental.window;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The delivered transactions in the window that wrote one key, by slot and in session order: {@code
 * Writes_s[x]} of [1] Algorithm 3.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class KeyWriters {

  /** The writers of one slot, in session order; numbers apart, to be searched without a detour. */
  private static final class SlotWriters {
    final int slot;
    @Nullable Txn[] writers = new Txn[2];
    int[] seqs = new int[2];
    int head;
    int tail;

    SlotWriters(int slot) {
      this.slot = slot;
    }

    void insert(Txn writer) {
      if (tail == writers.length) {
        int live = tail - head;
        int end = head + Math.max(4, live * 2);
        writers = Arrays.copyOfRange(writers, head, end);
        seqs = Arrays.copyOfRange(seqs, head, end);
        head = 0;
        tail = live;
      }
      int i = tail++;
      while (i > head && seqs[i - 1] > writer.seq) {
        writers[i] = writers[i - 1];
        seqs[i] = seqs[i - 1];
        i--;
      }
      writers[i] = writer;
      seqs[i] = writer.seq;
    }

    void remove(Txn writer) {
      for (int i = head; i < tail; i++) {
        if (writers[i] == writer) {
          System.arraycopy(writers, head, writers, head + 1, i - head);
          System.arraycopy(seqs, head, seqs, head + 1, i - head);
          writers[head++] = null;
          return;
        }
      }
    }

    /** Index of the last writer with a number up to {@code seq}, or -1. */
    int lastUpTo(int seq) {
      int low = head;
      int high = tail;
      if (high > low && seqs[high - 1] <= seq) {
        return high - 1;
      }
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (seqs[middle] <= seq) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low == head ? -1 : low - 1;
    }
  }

  private @Nullable SlotWriters[] slots = new SlotWriters[1];
  private int size;

  /** Number of slots with a writer. */
  public int size() {
    return size;
  }

  /** Adds a writer. */
  public void add(Txn writer) {
    for (int i = 0; i < size; i++) {
      if (slot(i).slot == writer.slot) {
        slot(i).insert(writer);
        return;
      }
    }
    if (size == slots.length) {
      slots = Arrays.copyOf(slots, size * 2);
    }
    SlotWriters added = new SlotWriters(writer.slot);
    slots[size++] = added;
    added.insert(writer);
  }

  /** Removes a writer that leaves the window. */
  public void remove(Txn writer) {
    for (int i = 0; i < size; i++) {
      SlotWriters candidate = slot(i);
      if (candidate.slot == writer.slot) {
        candidate.remove(writer);
        if (candidate.head == candidate.tail) {
          slots[i] = slots[--size];
          slots[size] = null;
        }
        return;
      }
    }
  }

  /**
   * Index in the {@code i}-th slot of the last writer that happens before {@code reader}, or -1.
   */
  public int lastSeenBy(Txn reader, int i) {
    SlotWriters writers = slot(i);
    if (writers.slot == reader.slot) {
      return writers.lastUpTo(reader.seq - 1);
    }
    return writers.slot < reader.clock.length ? writers.lastUpTo(reader.clock[writers.slot]) : -1;
  }

  /**
   * Whether the writer at {@code index} in the {@code i}-th slot is {@code t}, or happens before
   * it.
   */
  public boolean seenBy(Txn t, int i, int index) {
    SlotWriters writers = slot(i);
    int seq = writers.seqs[index];
    if (writers.slot == t.slot) {
      return seq <= t.seq;
    }
    return writers.slot < t.clock.length && t.clock[writers.slot] >= seq;
  }

  /** The writer at {@code index} in the {@code i}-th slot. */
  public Txn writer(int i, int index) {
    Txn writer = slot(i).writers[index];
    if (writer == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return writer;
  }

  /** The last writer in the reader's own session before it, or null. */
  public @Nullable Txn lastInSessionOf(Txn reader) {
    for (int i = 0; i < size; i++) {
      if (slot(i).slot == reader.slot) {
        int index = slot(i).lastUpTo(reader.seq - 1);
        return index < 0 ? null : writer(i, index);
      }
    }
    return null;
  }

  private SlotWriters slot(int i) {
    SlotWriters slot = slots[i];
    if (slot == null) {
      throw new IndexOutOfBoundsException(i);
    }
    return slot;
  }
}

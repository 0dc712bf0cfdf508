package io.isotail.incremental.saturation;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import java.util.Arrays;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The writers of one key by slot and in session order: {@code Writes_s[x]} of [1] Algorithm 3. Kept
 * only for keys with many writers.
 *
 * <p>Every slot is asked each time. So what most answers need stands side by side in memory: the
 * first and the last number of each slot, and the place of the last. Where the numbers in between
 * are needed costs a look at the slot's own lists.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
final class SlotIndex {
  /** Index of no writer. */
  static final int NONE = -1;

  /** Index of the last writer of any slot. */
  private static final int LAST = Integer.MAX_VALUE;

  /** The writers of one slot: their numbers, ascending, and their places. */
  private static final class Writers {
    int[] numbers = new int[2];
    int[] places = new int[2];
    int head;
    int tail;

    void insert(int number, int place) {
      if (tail == numbers.length) {
        int end = head + Math.max(4, (tail - head) * 2);
        numbers = Arrays.copyOfRange(numbers, head, end);
        places = Arrays.copyOfRange(places, head, end);
        tail -= head;
        head = 0;
      }
      int i = tail++;
      while (i > head && numbers[i - 1] > number) {
        numbers[i] = numbers[i - 1];
        places[i] = places[i - 1];
        i--;
      }
      numbers[i] = number;
      places[i] = place;
    }

    void remove(int place) {
      int i = head;
      while (places[i] != place) {
        i++;
      }
      System.arraycopy(numbers, head, numbers, head + 1, i - head);
      System.arraycopy(places, head, places, head + 1, i - head);
      head++;
    }
  }

  private final Int2IntOpenHashMap indexOfSlot = new Int2IntOpenHashMap();
  private @Nullable Writers[] all = new Writers[8];
  private int[] slots = new int[8];
  private int[] firstNumbers = new int[8];
  private int[] lastNumbers = new int[8];
  private int[] lastPlaces = new int[8];
  private int size;

  SlotIndex() {
    indexOfSlot.defaultReturnValue(-1);
  }

  /** Number of slots with a writer. */
  int size() {
    return size;
  }

  /** Index of a slot among those with a writer, or -1. */
  int find(int slot) {
    return indexOfSlot.get(slot);
  }

  /** The {@code s}-th slot. */
  int slot(int s) {
    return slots[s];
  }

  /** Index of the last writer in the {@code s}-th slot with a number up to {@code number}. */
  int lastUpTo(int s, int number) {
    return lastNumbers[s] <= number
        ? LAST
        : firstNumbers[s] > number ? NONE : lastBetween(writers(s), number);
  }

  private static int lastBetween(Writers writers, int number) {
    int low = writers.head;
    int high = writers.tail;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (writers.numbers[middle] <= number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /**
   * Index of the last writer in the {@code s}-th slot at whose place something holds that holds of
   * all writers before it too.
   */
  int lastOf(int s, IntPredicate holds) {
    Writers writers = writers(s);
    int low = writers.head;
    int high = writers.tail;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds.test(writers.places[middle])) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == writers.head ? NONE : low - 1;
  }

  /**
   * Adds the places, as far as they are from {@code from} on and before {@code place}, of the
   * writers in the {@code s}-th slot behind the one at {@code index}.
   */
  void addBetween(int s, int index, int from, int place, Places found) {
    if (index == LAST) {
      return;
    }
    Writers writers = writers(s);
    for (int i = writers.tail - 1; i >= writers.head && i > index; i--) {
      if (writers.places[i] - from < 0) {
        return;
      }
      if (writers.places[i] - place < 0) {
        found.add(writers.places[i]);
      }
    }
  }

  /** The place of the writer at {@code index} in the {@code s}-th slot. */
  int place(int s, int index) {
    return index == LAST ? lastPlaces[s] : writers(s).places[index];
  }

  /** The number of the writer at {@code index} in the {@code s}-th slot. */
  int number(int s, int index) {
    return index == LAST ? lastNumbers[s] : writers(s).numbers[index];
  }

  void add(int slot, int number, int place) {
    int s = indexOfSlot.get(slot);
    if (s < 0) {
      s = size++;
      makeRoom();
      all[s] = new Writers();
      slots[s] = slot;
      indexOfSlot.put(slot, s);
    }
    Writers writers = writers(s);
    writers.insert(number, place);
    noteEnds(s, writers);
  }

  private void makeRoom() {
    if (size > all.length) {
      int length = all.length * 2;
      all = Arrays.copyOf(all, length);
      slots = Arrays.copyOf(slots, length);
      firstNumbers = Arrays.copyOf(firstNumbers, length);
      lastNumbers = Arrays.copyOf(lastNumbers, length);
      lastPlaces = Arrays.copyOf(lastPlaces, length);
    }
  }

  private void noteEnds(int s, Writers writers) {
    firstNumbers[s] = writers.numbers[writers.head];
    lastNumbers[s] = writers.numbers[writers.tail - 1];
    lastPlaces[s] = writers.places[writers.tail - 1];
  }

  void remove(int slot, int place) {
    int s = indexOfSlot.get(slot);
    Writers writers = writers(s);
    writers.remove(place);
    if (writers.head < writers.tail) {
      noteEnds(s, writers);
      return;
    }
    indexOfSlot.remove(slot);
    Writers last = writers(--size);
    all[size] = null;
    if (s < size) {
      all[s] = last;
      slots[s] = slots[size];
      indexOfSlot.put(slots[s], s);
      noteEnds(s, last);
    }
  }

  private Writers writers(int s) {
    Writers writers = all[s];
    if (writers == null) {
      throw new IndexOutOfBoundsException(s);
    }
    return writers;
  }

  void save(StateWriter out) {
    out.count(size);
    for (int s = 0; s < size; s++) {
      Writers writers = writers(s);
      out.count(slots[s]);
      out.numbers(Arrays.copyOfRange(writers.numbers, writers.head, writers.tail));
      out.numbers(Arrays.copyOfRange(writers.places, writers.head, writers.tail));
    }
  }

  static SlotIndex load(StateReader in) {
    SlotIndex loaded = new SlotIndex();
    int size = in.count();
    for (int s = 0; s < size; s++) {
      int slot = in.count();
      int[] numbers = in.smallNumbers();
      int[] places = in.smallNumbers();
      in.require(
          numbers.length > 0 && numbers.length == places.length && loaded.find(slot) < 0,
          "writers of slot " + slot);
      for (int i = 0; i < numbers.length; i++) {
        loaded.add(slot, numbers[i], places[i]);
      }
    }
    return loaded;
  }
}

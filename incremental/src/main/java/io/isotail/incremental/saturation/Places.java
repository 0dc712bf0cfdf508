package io.isotail.incremental.saturation;

import it.unimi.dsi.fastutil.ints.IntArrays;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** A list of places among the writers of a key, used again and again. */
public final class Places {
  private int[] places = new int[16];
  private int size;
  private boolean eachSession;

  /**
   * Whether to collect the last writer of each session even if it happens before another one that
   * is collected.
   */
  public void ofEachSession(boolean each) {
    this.eachSession = each;
  }

  boolean ofEachSession() {
    return eachSession;
  }

  /** Number of places. */
  public int size() {
    return size;
  }

  /** Place {@code i}. */
  public int get(int i) {
    return places[i];
  }

  void clear() {
    size = 0;
  }

  void add(int place) {
    if (size == places.length) {
      places = Arrays.copyOf(places, size * 2);
    }
    places[size++] = place;
  }

  void removeIf(IntPredicate unwanted) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (!unwanted.test(places[i])) {
        places[kept++] = places[i];
      }
    }
    size = kept;
  }

  /** Sorts descending, as counted from {@code first}. */
  void sortLatestFirst(int first) {
    IntArrays.quickSort(places, 0, size, (a, b) -> Integer.compare(b - first, a - first));
  }

  int[] toArray() {
    return Arrays.copyOf(places, size);
  }
}

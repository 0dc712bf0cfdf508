package io.isotail.incremental.snapshot;

import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Things of one kind that have been written, numbered in the order of their first mention. What is
 * equal is written once; things without an {@code equals} of their own are equal to themselves
 * alone.
 */
public final class BackReferenceWriter<T> {
  private final Object2IntOpenHashMap<T> numbers = new Object2IntOpenHashMap<>();
  private final List<T> inOrder = new ArrayList<>();

  /**
   * Writes which thing is meant, or that none is.
   *
   * @return whether it is mentioned for the first time, so that what it is has to follow at once
   */
  public boolean refer(StateWriter out, @Nullable T thing) {
    if (thing == null) {
      out.count(0);
      return false;
    }
    int number = numbers.getInt(thing);
    if (number > 0) {
      out.count(number);
      return false;
    }
    inOrder.add(thing);
    numbers.put(thing, inOrder.size());
    out.count(inOrder.size());
    return true;
  }

  /** Number of things mentioned, known ones included. */
  public int size() {
    return inOrder.size();
  }

  /** The {@code i}-th thing mentioned. */
  public T get(int i) {
    return inOrder.get(i);
  }
}

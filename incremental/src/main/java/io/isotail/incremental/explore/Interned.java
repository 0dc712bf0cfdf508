package io.isotail.incremental.explore;

import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.ArrayList;
import java.util.List;

/** Small numbers for things that are equal, in the order in which they came. */
final class Interned<T> {
  private final Object2IntOpenHashMap<T> numbers = new Object2IntOpenHashMap<>();
  private final List<T> things = new ArrayList<>();

  Interned() {
    numbers.defaultReturnValue(-1);
  }

  int number(T thing) {
    int known = numbers.getInt(thing);
    if (known >= 0) {
      return known;
    }
    numbers.put(thing, things.size());
    things.add(thing);
    return things.size() - 1;
  }

  T thing(int number) {
    return things.get(number);
  }

  int size() {
    return things.size();
  }
}

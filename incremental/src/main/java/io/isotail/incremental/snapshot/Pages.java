package io.isotail.incremental.snapshot;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Things by number, in pages that a cut shares: a page that it has is copied before anything in it
 * changes. So a cut costs next to nothing, however many things there are.
 *
 * <p>One thread changes them; any may read a cut.
 */
public final class Pages<T> {
  private static final int BITS = 10;
  private static final int LAST = (1 << BITS) - 1;

  private final List<Page> pages = new ArrayList<>();

  /** Number of the first page. */
  private long first;

  private static final class Page {
    @Nullable Object[] all = new Object[LAST + 1];

    /** Whether a cut has it. */
    boolean shared;
  }

  /** The thing with a number from the first one kept to the last one set; null if there is none. */
  @SuppressWarnings("unchecked")
  public @Nullable T get(long number) {
    return (T) page(number).all[(int) number & LAST];
  }

  /** Sets a thing; its number is none that was dropped. */
  public void set(long number, @Nullable T thing) {
    while (pages.size() <= (number >> BITS) - first) {
      if (pages.isEmpty()) {
        first = number >> BITS;
      }
      pages.add(new Page());
    }
    Page page = page(number);
    if (page.shared) {
      page.all = page.all.clone();
      page.shared = false;
    }
    page.all[(int) number & LAST] = thing;
  }

  private Page page(long number) {
    return pages.get((int) ((number >> BITS) - first));
  }

  /** Drops pages of which nothing has that number or a larger one. */
  public void dropBefore(long number) {
    while (!pages.isEmpty() && first < number >> BITS) {
      pages.remove(0);
      first++;
    }
  }

  /** What there is, from a number on and before another one; it stays what it is. */
  @SuppressWarnings("unchecked")
  public List<@Nullable T> cut(long from, long end) {
    @Nullable Object[][] shared = new Object[pages.size()][];
    for (int i = 0; i < shared.length; i++) {
      pages.get(i).shared = true;
      shared[i] = pages.get(i).all;
    }
    long base = first << BITS;
    return new AbstractList<@Nullable T>() {
      @Override
      public @Nullable T get(int i) {
        int at = (int) (from - base) + i;
        return (T) shared[at >> BITS][at & LAST];
      }

      @Override
      public int size() {
        return (int) (end - from);
      }
    };
  }
}

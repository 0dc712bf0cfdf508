package io.isotail.incremental.reads;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;

/**
 * The ids of captured transactions that have left the window, and that nothing else is remembered
 * of: a bit for each.
 *
 * <p>A database gives ids out in turn, so the bits lie close together. At most {@value #MOST_PAGES}
 * pages of 2<sup>{@value #PAGE_BITS}</sup> ids are kept (16 MiB, 134 million ids in a row); the
 * page that was begun first goes first.
 */
final class LeftIds {
  private static final int PAGE_BITS = 16;
  private static final int MOST_PAGES = 2_048;
  private static final long IN_PAGE = (1L << PAGE_BITS) - 1;

  private final Long2ObjectLinkedOpenHashMap<long[]> pages = new Long2ObjectLinkedOpenHashMap<>();

  /** Remembers an id. */
  void add(long id) {
    long[] page = pages.get(id >> PAGE_BITS);
    if (page == null) {
      page = new long[1 << (PAGE_BITS - 6)];
      pages.put(id >> PAGE_BITS, page);
      if (pages.size() > MOST_PAGES) {
        pages.removeFirst();
      }
    }
    int bit = (int) (id & IN_PAGE);
    page[bit >> 6] |= 1L << bit;
  }

  /** Whether an id is remembered. */
  boolean contains(long id) {
    long[] page = pages.get(id >> PAGE_BITS);
    int bit = (int) (id & IN_PAGE);
    return page != null && ((page[bit >> 6] >>> bit) & 1) != 0;
  }

  /** Forgets an id. */
  void remove(long id) {
    long[] page = pages.get(id >> PAGE_BITS);
    if (page != null) {
      int bit = (int) (id & IN_PAGE);
      page[bit >> 6] &= ~(1L << bit);
    }
  }

  /** Saves the ids, in the order in which their pages were begun. */
  void save(StateWriter out) {
    out.count(pages.size());
    for (var page : pages.long2ObjectEntrySet()) {
      out.number(page.getLongKey());
      out.numbers(page.getValue());
    }
  }

  /** Takes back what {@link #save} saved. */
  void load(StateReader in) {
    for (int n = in.count(); n > 0; n--) {
      pages.put(in.number(), in.numbers());
    }
  }
}

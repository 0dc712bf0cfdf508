package io.isotail.incremental.reads;

import io.isotail.incremental.window.IdentityWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link VersionMap} as they were at one moment, in pages. Each page is copied
 * when it is to be written, or when the map is about to change it, whichever comes first.
 *
 * <p>The map's thread calls {@link #keep}, another one {@link #write}.
 */
final class VersionMapCut implements IdentityWriter.Noted {
  private static final int PAGE = 1024;

  private final long[] names;
  private final @Nullable Object[] entries;
  private final int size;
  private final @Nullable Page[] pages;

  /** Pages that are not copied yet. */
  private int rest;

  private static final class Page {
    final long[] names;
    final @Nullable Object[] entries;

    Page(VersionMapCut of, int from, int to) {
      names = Arrays.copyOfRange(of.names, 2 * from, 2 * to);
      entries = Arrays.copyOfRange(of.entries, from, to);
    }
  }

  VersionMapCut(long[] names, @Nullable Object[] entries, int size) {
    this.names = names;
    this.entries = entries;
    this.size = size;
    this.pages = new Page[(entries.length + PAGE - 1) / PAGE];
    this.rest = pages.length;
  }

  /** Entry {@code i} is about to change; returns whether it has to be called for further ones. */
  synchronized boolean keep(int i) {
    if (rest > 0) {
      var unused = page(i / PAGE);
    }
    return rest > 0;
  }

  private synchronized Page page(int p) {
    Page page = pages[p];
    if (page == null) {
      int from = p * PAGE;
      int to = Math.min(from + PAGE, entries.length);
      page = new Page(this, from, to);
      pages[p] = page;
      rest--;
    }
    return page;
  }

  /**
   * Writes the entries so that entering them one by one gives each its place again: from behind a
   * free place on, round to it.
   */
  @Override
  public void write(IdentityWriter to) {
    to.out.count(Integer.numberOfTrailingZeros(entries.length));
    to.out.count(size);
    int start = 0;
    while (page(start / PAGE).entries[start % PAGE] != null) {
      start++;
    }
    for (int n = 1; n < entries.length; n++) {
      int i = (start + n) & (entries.length - 1);
      Page page = page(i / PAGE);
      Object entry = page.entries[i % PAGE];
      if (entry == null) {
        continue;
      }
      to.out.flag(entry instanceof Transaction);
      if (entry instanceof Transaction writer) {
        to.out.number(page.names[2 * (i % PAGE)]);
        to.out.number(page.names[2 * (i % PAGE) + 1]);
        to.transaction(writer);
      } else {
        // Its number is that of the cut, as long as no other one is made.
        to.out.count(((Version) entry).saved);
      }
    }
  }
}

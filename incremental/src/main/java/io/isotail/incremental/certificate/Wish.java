package io.isotail.incremental.certificate;

/**
 * Which numbers a transaction's begin and commit should have: when they happened, as far as is
 * known.
 *
 * @param known whether it is
 * @param beginNs when it began, at least 0
 * @param commitNs when it committed, at least 0
 */
public record Wish(boolean known, long beginNs, long commitNs) {
  /** Nothing is known. */
  public static final Wish NONE = new Wish(false, 0, 0);

  /** Numbers for a nanosecond. */
  private static final int BITS = 4;

  private static final long MOST_NS = 1L << 56;

  /** The number of the commit, if it is known. */
  public long commit(long otherwise) {
    return known ? number(commitNs) : otherwise;
  }

  long begin(long commit) {
    return known ? number(beginNs) : commit - 1;
  }

  /** The number of a begin that came so much earlier than a commit. */
  public static long begin(long commit, long earlierNs) {
    return commit - Math.max(1, Math.min(earlierNs, MOST_NS) << BITS);
  }

  private static long number(long ns) {
    return Math.max(0, Math.min(ns, MOST_NS)) << BITS;
  }
}

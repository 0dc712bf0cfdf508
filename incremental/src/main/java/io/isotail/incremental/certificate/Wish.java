package io.isotail.incremental.certificate;

/**
 * Which number a transaction's commit should have: when it committed, as far as is known.
 *
 * @param known whether it is
 * @param commitNs when it committed, at least 0
 */
public record Wish(boolean known, long commitNs) {
  /** Nothing is known. */
  public static final Wish NONE = new Wish(false, 0);

  /** Numbers for a nanosecond. */
  private static final int BITS = 4;

  private static final long MOST_NS = 1L << 56;

  /** The number of the commit, if it is known. */
  public long commit(long otherwise) {
    return known ? Math.max(0, Math.min(commitNs, MOST_NS)) << BITS : otherwise;
  }
}

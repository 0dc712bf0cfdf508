package io.isotail.incremental.certificate;

/**
 * Between which numbers a transaction's begin and commit may stand, all bounds exclusive; where a
 * level does not tell the two apart, both have the same.
 */
public final class Room {
  /** Smaller and larger than any number in use. */
  public static final long LEAST = -(1L << 61);

  static final long MOST = 1L << 61;

  /** What is left free beside a neighbour, if there is as much. */
  private static final long SPACE = 16;

  private final boolean one;
  private long beginAfter;
  private long beginBefore;
  private long commitAfter;
  private long commitBefore;

  /**
   * No bounds.
   *
   * @param one whether begin and commit are one
   */
  Room(boolean one) {
    this.one = one;
  }

  /** Nothing but that all is larger than a number. */
  void clear(long floor) {
    beginAfter = floor;
    commitAfter = floor;
    beginBefore = MOST;
    commitBefore = MOST;
  }

  void beginAfter(long number) {
    beginAfter = Math.max(beginAfter, number);
  }

  void beginBefore(long number) {
    beginBefore = Math.min(beginBefore, number);
  }

  void commitAfter(long number) {
    commitAfter = Math.max(commitAfter, number);
  }

  void commitBefore(long number) {
    commitBefore = Math.min(commitBefore, number);
  }

  /** The largest number that its begin must come after. */
  long after() {
    return one ? Math.max(beginAfter, commitAfter) : beginAfter;
  }

  /** The smallest number that the transaction must come before. */
  long before() {
    return Math.min(beginBefore, commitBefore);
  }

  /** Whether there is a place for both. */
  boolean isLeft() {
    return one
        ? before() - Math.max(beginAfter, commitAfter) > 1
        : beginBefore - beginAfter > 1 && commitBefore - Math.max(beginAfter + 1, commitAfter) > 1;
  }

  /** A number for the commit, as close to the one that is wished for as fits. */
  long commit(long wish) {
    return one
        ? between(Math.max(beginAfter, commitAfter), before(), wish)
        : between(Math.max(beginAfter + 1, commitAfter), commitBefore, wish);
  }

  /** A number for the begin, whose commit has its own. */
  long begin(long wish, long commit) {
    return one ? commit : between(beginAfter, Math.min(beginBefore, commit), wish);
  }

  private static long between(long after, long before, long wish) {
    long space = Math.min(SPACE, (before - after) / 2);
    return Math.max(after + space, Math.min(wish, before - space));
  }
}

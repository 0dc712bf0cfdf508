package io.isotail.ingest.sql;

/**
 * Lets a text into a cache when it comes the second time: one that never comes again, as with a
 * value of its own in it, would only push out others. Sometimes it lets one in at once, or forgets
 * one that has come; that costs time and nothing else.
 *
 * <p>Safe for any thread: what two write at once is of no harm. Bound: the hashes of {@value #SIZE}
 * texts.
 */
final class Doorkeeper {
  private static final int SIZE = 4_096;

  private final int[] came = new int[SIZE];

  /** Whether a text has come before. From now on it has. */
  boolean lets(String text) {
    int hash = text.hashCode();
    int at = (hash ^ (hash >>> 16)) & (SIZE - 1);
    if (came[at] == hash) {
      return true;
    }
    came[at] = hash;
    return false;
  }
}

package io.isotail.incremental.config;

/**
 * Where the checker trades memory for time. Nothing here changes a verdict; which of several edges
 * stands for a violation may depend on it.
 *
 * @param clockEntries numbers in vector clocks that are kept, of 4 bytes each; the oldest clocks
 *     beyond it are let go, and computed anew where they are needed
 * @param rememberedWriters places of writers that later writers of the same key remember as unseen,
 *     of 4 bytes each, over all keys
 * @param unseenWriters the same for one writer; one with more remembers nothing
 * @param rememberingWriters the latest writers of each key that remember
 * @param writersOneByOne a key with more writers keeps them by session too, when that is needed
 */
public record Tuning(
    long clockEntries,
    long rememberedWriters,
    int unseenWriters,
    int rememberingWriters,
    int writersOneByOne) {

  private static final long HEAP_BYTES_PER_ENTRY = 64;
  private static final long MIN_ENTRIES = 1L << 20;
  private static final long MAX_ENTRIES = 64L << 20;

  /** Suits live traffic and windows of about 100,000 transactions: at most about 35 MB. */
  public static final Tuning DEFAULT = of(4L << 20);

  /**
   * Suits a check that has a heap of that many bytes to itself: takes up to an eighth of it, and
   * 520 MB at most.
   */
  public static Tuning forHeap(long bytes) {
    return of(Math.min(Math.max(bytes / HEAP_BYTES_PER_ENTRY, MIN_ENTRIES), MAX_ENTRIES));
  }

  private static Tuning of(long entries) {
    return new Tuning(entries, entries, 16_384, 4096, 64);
  }
}

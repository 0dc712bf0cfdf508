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

  /** Suits a window of 100,000 to 1,000,000 transactions: at most about 130 MB. */
  public static final Tuning DEFAULT = new Tuning(16L << 20, 16L << 20, 4096, 1024, 32);
}

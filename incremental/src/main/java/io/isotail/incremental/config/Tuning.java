package io.isotail.incremental.config;

/**
 * Where the checker trades memory for time. Nothing here makes a pass of a fail or the other way
 * round; which of several edges stands for a violation may depend on it, and so may the ids of
 * anomalies, and where time runs out a level is undecided.
 *
 * @param clockEntries numbers that vector clocks hold, of 4 bytes each, those that they share
 *     counted once; the oldest clocks beyond it are let go, and computed anew where they are needed
 * @param rememberedWriters places of writers that later writers of the same key remember as unseen,
 *     of 4 bytes each, over all keys
 * @param perSession so much for each session at least of what writers remember, and half of it for
 *     clocks, since both grow with the sessions
 * @param atMost bound of what the sessions can add
 * @param unseenWriters places that one writer may remember; one with more remembers nothing
 * @param rememberingWriters the latest writers of each key that remember
 * @param writersOneByOne a key with more writers keeps them by session too, when that is needed
 * @param mostSteps that may be taken at once to show that delivery order is a commit order with one
 *     more transaction; 0 saturates the relation from the beginning
 * @param recallSteps that may be taken at once to compute clocks anew; each transaction gives 1,000
 *     back. When they are spent, the levels are undecided ({@code capacity})
 * @param copied transactions that searches for an order may copy at a stretch; when they are spent,
 *     a graph of the whole window is kept
 * @param lookBack transactions before the first one that contradicts the order of delivery for
 *     which the relation is saturated at once; what comes before them is, as soon as it may matter
 * @param firstSlot slots of the vector clocks before it are left out, so that fewer sessions have
 *     numbers there
 */
public record Tuning(
    long clockEntries,
    long rememberedWriters,
    long perSession,
    long atMost,
    int unseenWriters,
    int rememberingWriters,
    int writersOneByOne,
    int mostSteps,
    int recallSteps,
    int copied,
    int lookBack,
    int firstSlot) {

  /** At most 50 MB with up to 300 sessions, 80 KB for each further one, and 390 MB in all. */
  public static final Tuning DEFAULT =
      new Tuning(
          4L << 20, 8L << 20, 13_000, 64L << 20, 1_024, 4096, 64, 200_000, 2_000_000, 32_768, 1024,
          0);

  /** A copy that has the relation saturated from the beginning. */
  public Tuning saturating() {
    return new Tuning(
        clockEntries,
        rememberedWriters,
        perSession,
        atMost,
        unseenWriters,
        rememberingWriters,
        writersOneByOne,
        0,
        recallSteps,
        copied,
        lookBack,
        firstSlot);
  }

  /** A copy that has so many transactions saturated at once. */
  public Tuning lookingBack(int transactions) {
    return new Tuning(
        clockEntries,
        rememberedWriters,
        perSession,
        atMost,
        unseenWriters,
        rememberingWriters,
        writersOneByOne,
        mostSteps,
        recallSteps,
        copied,
        transactions,
        firstSlot);
  }

  /** Bound of the clocks with that many sessions. */
  public long clockEntries(int sessions) {
    return Math.max(clockEntries, Math.min(atMost, perSession * sessions) / 2);
  }

  /** Bound of what writers remember with that many sessions. */
  public long rememberedWriters(int sessions) {
    return Math.max(rememberedWriters, Math.min(atMost, perSession * sessions));
  }
}

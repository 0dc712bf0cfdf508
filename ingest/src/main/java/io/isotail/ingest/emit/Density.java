package io.isotail.ingest.emit;

/**
 * Whether records come so densely that the sender looks for them now and then, in place of being
 * woken by each: a wake-up takes a processor away from whoever hands the record over. Owned by one
 * thread.
 */
final class Density {
  /** Records that come closer than this on average are dense, in ns. */
  private static final long DENSE_NS = 400_000;

  /** Over how long the average is taken at least, in ns: a look that comes later takes in all. */
  private static final long SPAN_NS = 20_000_000;

  /** The longest time from one look to the next, in ns: each costs as much as several records. */
  private static final long MOST_PAUSE_NS = 50_000_000;

  /** What may come before the next look, as a part of what the queue holds. */
  private static final int PARTS_OF_QUEUE = 8;

  private final int queueRecords;
  private long records;
  private long pauseNs;
  private long sinceNs = Long.MIN_VALUE;

  /**
   * Nothing has come yet.
   *
   * @param queueRecords how many records the queue holds
   */
  Density(int queueRecords) {
    this.queueRecords = queueRecords;
  }

  /** A record has come. */
  void came() {
    records++;
  }

  /**
   * How long to wait before the next look at the queue, in ns; 0 where records came so sparsely in
   * the last span of time that is over that the next one is to be waited for.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  long pauseNs(long nowNs) {
    if (sinceNs == Long.MIN_VALUE) {
      sinceNs = nowNs;
    } else if (nowNs - sinceNs >= SPAN_NS) {
      long spanNs = nowNs - sinceNs;
      boolean dense = records * DENSE_NS > spanNs;
      pauseNs =
          dense ? Math.min(MOST_PAUSE_NS, spanNs / records * queueRecords / PARTS_OF_QUEUE) : 0;
      sinceNs = nowNs;
      records = 0;
    }
    return pauseNs;
  }
}

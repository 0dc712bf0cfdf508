package io.isotail.ingest.emit;

/**
 * Whether records come so densely that the sender looks for them now and then, in place of being
 * woken by each: a wake-up takes a processor away from whoever hands the record over. Owned by one
 * thread.
 */
final class Density {
  /** Records that come closer than this on average are dense, in ns. */
  private static final long DENSE_NS = 400_000;

  /** Over how long the average is taken, in ns. */
  private static final long SPAN_NS = 20_000_000;

  private long records;
  private long sinceNs = Long.MIN_VALUE;
  private boolean dense;

  /** A record has come. */
  void came() {
    records++;
  }

  /**
   * Whether records came densely in the last span of time that is over.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  boolean isDense(long nowNs) {
    if (sinceNs == Long.MIN_VALUE) {
      sinceNs = nowNs;
    } else if (nowNs - sinceNs >= SPAN_NS) {
      dense = records * DENSE_NS > nowNs - sinceNs;
      sinceNs = nowNs;
      records = 0;
    }
    return dense;
  }
}

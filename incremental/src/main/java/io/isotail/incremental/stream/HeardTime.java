package io.isotail.incremental.stream;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * The time of a stream in which somebody was heard, in ms. While nothing comes at all, it goes on
 * for a fifth of what makes one proxy silent, 2 s of 10 s, and then stands still.
 *
 * <p>A proxy that is silent while others speak has gone. When all are silent at once, the broker is
 * away, or the machine stood still, or a clock was set: the first that speaks afterwards must not
 * be taken for the only one that is left.
 *
 * <p>It begins at 0 and never goes back, also if a clock does. Not thread-safe.
 */
public final class HeardTime {
  /** So many pauses of the greatest length that counts make a proxy silent. */
  private static final int PAUSES = 5;

  /** A pause up to this counts whole, in ms: proxies that do nothing speak once a second. */
  private static final long LEAST_MS = 1_000;

  private final long mostMs;
  private long latestMs = Long.MIN_VALUE;
  private long heardMs;

  /**
   * Nothing was heard yet.
   *
   * @param silentAfterMs a proxy without a record for so long is silent; positive
   */
  public HeardTime(long silentAfterMs) {
    mostMs = Math.max(LEAST_MS, silentAfterMs / PAUSES);
  }

  /**
   * Something is heard.
   *
   * @param timeMs when it was appended to the log of records
   */
  public void hear(long timeMs) {
    if (latestMs == Long.MIN_VALUE) {
      latestMs = timeMs;
    } else if (timeMs > latestMs) {
      heardMs += Math.min(timeMs - latestMs, mostMs);
      latestMs = timeMs;
    } else if (timeMs < latestMs - mostMs) {
      latestMs = timeMs;
    }
  }

  /** The time when something was heard last. */
  public long nowMs() {
    return heardMs;
  }

  public void save(StateWriter out) {
    out.number(latestMs);
    out.number(heardMs);
  }

  public void load(StateReader in) {
    latestMs = in.number();
    heardMs = in.number();
  }
}

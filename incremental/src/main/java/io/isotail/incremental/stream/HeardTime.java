package io.isotail.incremental.stream;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * The time of a stream in which somebody was heard, in ms: while nothing comes at all, it stands
 * still after a fifth of what makes one proxy silent.
 *
 * <p>Who is silent while others speak has gone. When all are silent at once, the broker is away, or
 * the machine stood still, or a clock was set: whoever speaks first afterwards must not be taken
 * for the only one that is left.
 *
 * <p>It begins at 0 and never goes back. Not thread-safe.
 */
public final class HeardTime {
  private static final int STEPS = 5;

  private final long mostMs;
  private long latestMs = Long.MIN_VALUE;
  private long heardMs;

  /**
   * Nothing was heard yet.
   *
   * @param silentAfterMs a proxy without a record for so long is silent; positive
   */
  public HeardTime(long silentAfterMs) {
    mostMs = Math.max(1, silentAfterMs / STEPS);
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

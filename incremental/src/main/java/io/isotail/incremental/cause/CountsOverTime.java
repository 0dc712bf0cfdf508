package io.isotail.incremental.cause;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.Arrays;

/**
 * How many there were in each step of time, from the first one on. There are at most {@link #STEPS}
 * steps of equal length; when the time outgrows them, two become one. Time is that of the log, in
 * ms, and does not decrease.
 */
final class CountsOverTime {
  /** Number of steps; even. */
  static final int STEPS = 120;

  private static final long FIRST_STEP_MS = 1_000;

  private final long[] counts = new long[STEPS];
  private long beginMs = -1;
  private long stepMs = FIRST_STEP_MS;
  private int used;

  /** One more. */
  void add(long nowMs) {
    if (beginMs < 0) {
      beginMs = nowMs - Math.floorMod(nowMs, FIRST_STEP_MS);
    }
    long step = (nowMs - beginMs) / stepMs;
    while (step >= STEPS) {
      joinTwoByTwo();
      step = (nowMs - beginMs) / stepMs;
    }
    counts[(int) step]++;
    used = Math.max(used, (int) step + 1);
  }

  private void joinTwoByTwo() {
    for (int i = 0; i < STEPS / 2; i++) {
      counts[i] = counts[2 * i] + counts[2 * i + 1];
    }
    Arrays.fill(counts, STEPS / 2, STEPS, 0);
    stepMs *= 2;
    used = (used + 1) / 2;
  }

  /** When the first step begins, in ms; -1 if there is none. */
  long beginMs() {
    return beginMs;
  }

  /** Length of a step in ms. */
  long stepMs() {
    return stepMs;
  }

  /** The counts, up to the last one that is not 0. */
  long[] counts() {
    return Arrays.copyOf(counts, used);
  }

  void save(StateWriter out) {
    out.number(beginMs);
    out.number(stepMs);
    out.numbers(counts());
  }

  void load(StateReader in) {
    beginMs = in.number();
    stepMs = in.number();
    long[] saved = in.numbers();
    in.require(saved.length <= STEPS && stepMs >= FIRST_STEP_MS, "counts over time");
    System.arraycopy(saved, 0, counts, 0, saved.length);
    used = saved.length;
  }
}

package io.isotail.incremental;

import java.util.Random;
import java.util.SplittableRandom;

/** Seeds of random tests, how many histories they draw, and random numbers of a seed. */
public final class Seeds {
  private static final String PROPERTY = "isotail.random.seed";

  /** First seed of tests that draw the same histories in each run if nobody asks for others. */
  public static final long FIRST = Long.getLong(PROPERTY, 1);

  /**
   * First seed of tests that draw something else in each run. {@code deploy/verify} gives the same
   * one for the same sources, in {@code ISOTAIL_RANDOM_SEED}: what it finds once it finds again.
   */
  public static final long FRESH = Long.getLong(PROPERTY, fresh());

  /** Number of histories of a comparison; campaigns draw many more. */
  public static final int HISTORIES = Integer.getInteger("isotail.random.histories", 700);

  private Seeds() {}

  /**
   * Numbers that have nothing in common with those of the next seed. {@link Random} draws nearly
   * the same first number from each seed of a row: what hangs on it hardly changes along the row.
   */
  public static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }

  private static long fresh() {
    String ofSources = System.getenv("ISOTAIL_RANDOM_SEED");
    return ofSources == null ? new Random().nextInt(1_000_000) : Long.parseLong(ofSources);
  }
}

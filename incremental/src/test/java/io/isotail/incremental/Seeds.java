package io.isotail.incremental;

import java.util.Random;
import java.util.SplittableRandom;

/** Random numbers of seeds that follow each other. */
public final class Seeds {
  private Seeds() {}

  /**
   * Numbers that have nothing in common with those of the next seed. {@link Random} draws nearly
   * the same first number from each seed of a row: what hangs on it hardly changes along the row.
   */
  public static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }
}

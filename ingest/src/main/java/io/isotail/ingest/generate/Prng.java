package io.isotail.ingest.generate;

import java.util.stream.LongStream;

/**
 * Pseudo-random numbers, the same on any machine: SplitMix64 of [1], with [2] for ranges.
 *
 * <p>[1] Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014. [2] Lemire, Fast
 * Random Integer Generation in an Interval, 2019; its rejection step is left out, so that a range
 * of n numbers is off by n / 2^64 at most.
 */
final class Prng {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
  private static final double ULP_53 = 0x1.0p-53;

  private long state;

  Prng(long seed) {
    state = seed;
  }

  long nextLong() {
    state += GOLDEN_GAMMA;
    long z = state;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** From 0 to {@code bound} - 1; {@code bound} is at least 1. */
  long nextLong(long bound) {
    return Math.multiplyHigh(nextLong() >>> 1, bound << 1);
  }

  /** From 0 to {@code bound} - 1; {@code bound} is at least 1. */
  int nextInt(int bound) {
    return (int) nextLong(bound);
  }

  /** So many numbers from 0 to {@code bound} - 1. */
  LongStream longs(int count, long bound) {
    return LongStream.generate(() -> nextLong(bound)).limit(count);
  }

  /** From 0 to 1, without 1. */
  double nextDouble() {
    return (nextLong() >>> 11) * ULP_53;
  }

  /** True with that probability. */
  boolean chance(double probability) {
    return probability > 0 && nextDouble() < probability;
  }
}

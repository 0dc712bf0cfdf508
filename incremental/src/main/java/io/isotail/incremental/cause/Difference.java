package io.isotail.incremental.cause;

/**
 * A value that bad transactions have more often than good ones.
 *
 * @param dimension what it is a value of
 * @param value the value
 * @param bad bad transactions that have it
 * @param badOf bad transactions
 * @param good good transactions that have it
 * @param goodOf good transactions
 */
public record Difference(
    Dimension dimension, String value, long bad, long badOf, long good, long goodOf) {

  /** By how much its share of the bad ones is greater than that of the good ones, from -1 to 1. */
  public double excess() {
    return share(bad, badOf) - share(good, goodOf);
  }

  private static double share(long part, long of) {
    return of == 0 ? 0 : (double) part / of;
  }
}

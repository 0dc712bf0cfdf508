package io.isotail.ingest.jdbc;

import java.util.Arrays;

/**
 * The classes of the real objects of a connection, each looked into once. Thread-safe.
 *
 * <p>Kept by the connection and by nothing that outlives it: neither driver holds the other's class
 * loader. A connection that is used once looks each method up once; one that is kept holds some
 * hundred bytes for each method that was called.
 */
final class RealClasses {
  /** A driver has a handful. Never changed, but replaced. */
  private volatile RealClass[] known = {};

  RealClass of(Class<?> type) {
    for (RealClass each : known) {
      if (each.isOf(type)) {
        return each;
      }
    }
    return found(type);
  }

  private synchronized RealClass found(Class<?> type) {
    for (RealClass each : known) {
      if (each.isOf(type)) {
        return each;
      }
    }
    RealClass found = new RealClass(type);
    RealClass[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = found;
    known = more;
    return found;
  }
}

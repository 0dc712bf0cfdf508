package io.isotail.incremental.snapshot;

/**
 * The state as it was between two records, which is still to be written. Whoever it is of goes on,
 * and the cut stays what it is.
 */
@FunctionalInterface
public interface StateCut {
  /**
   * Writes it, once, on any thread, before the next cut of the same checker is made.
   *
   * @param sink takes the snapshot in chunks
   */
  void write(StateSink sink);
}

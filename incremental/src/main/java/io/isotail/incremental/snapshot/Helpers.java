package io.isotail.incremental.snapshot;

/**
 * Threads that do parts of the saving of a snapshot while the checker's own thread does others.
 * Saving takes as long as checking stands still, and the parts are independent of one another.
 */
@FunctionalInterface
public interface Helpers {
  /** The checker's own thread does all of it. */
  Helpers NONE =
      work -> {
        work.run();
        return () -> {};
      };

  /**
   * Begins some work.
   *
   * @param work called once, by any thread
   * @return waits until the work is done, and throws what the work has thrown; what was begun last
   *     is waited for first
   */
  Runnable begin(Runnable work);
}

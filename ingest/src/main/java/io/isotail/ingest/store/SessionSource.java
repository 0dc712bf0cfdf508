package io.isotail.ingest.store;

/** Opens sessions. Called by many threads at the same time. */
@FunctionalInterface
public interface SessionSource {
  /**
   * A new session, which nobody else uses.
   *
   * @throws Exception if the store does not answer; it is tried again after a pause
   */
  StoreSession open() throws Exception;

  /**
   * A new session of one of several that run side by side, or in its place once it is over.
   *
   * @param number of that one, from 0: what takes its place has the same
   * @throws Exception if the store does not answer; it is tried again after a pause
   */
  default StoreSession open(int number) throws Exception {
    return open();
  }
}

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
}

package io.isotail.ingest.store;

import java.io.IOException;

/**
 * A store that answers. It holds registers, each of which has a number and, once it was written, a
 * version. Safe for use by many threads.
 */
public interface RegisterStore extends SessionSource, AutoCloseable {
  /** What it is, for people: {@code Redis 7.0.15}. */
  String name();

  /**
   * Removes all registers of the run, and the space. No session is open.
   *
   * @throws Exception if it could not; the message is shown
   */
  void remove() throws Exception;

  @Override
  void close() throws IOException;
}

package io.isotail.monitor.tail;

/** Follows the log of a database, and tells a history what it shows. */
public interface LogTail extends AutoCloseable {
  /**
   * Follows the log until {@link #close}.
   *
   * @throws IllegalStateException if the server's log cannot tell all, when it is asked first
   */
  void run() throws InterruptedException;

  /** Whether the log is followed at the moment. */
  boolean follows();

  /** Stops, and waits until that is told. */
  @Override
  void close();
}

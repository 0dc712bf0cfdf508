package io.isotail.monitor.tail;

import java.util.List;

/** Follows the log of a database, and tells a history what it shows. */
public interface LogTail extends AutoCloseable {
  /**
   * Follows the log until {@link #close}.
   *
   * @throws IllegalStateException if the server's log cannot tell all, when it is asked first
   */
  void run() throws InterruptedException;

  /**
   * Looks at the server, and changes nothing.
   *
   * @return for people, what would be told and what not
   * @throws IllegalStateException if the server's log cannot tell all, saying what to do
   * @throws Exception if the server cannot be asked
   */
  List<String> check() throws Exception;

  /** Whether the log is followed at the moment. */
  boolean follows();

  /** Stops, and waits until that is told. */
  @Override
  void close();
}

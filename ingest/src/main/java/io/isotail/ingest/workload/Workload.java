package io.isotail.ingest.workload;

import java.io.IOException;
import java.sql.SQLException;

/** Sessions that run transactions on a database at the same time, once they are started. */
public interface Workload extends AutoCloseable {
  /**
   * Makes the rows that it works on, through a session of its own.
   *
   * @throws Exception what the database says, as an {@link SQLException} where it has SQL
   */
  void setUp() throws Exception;

  /** Starts the sessions. */
  void start();

  /** Whether it has done all that it was to do. */
  boolean isDone();

  /**
   * Cuts the connection of one session, as if the network had; the session opens another.
   *
   * @return false if it had none just then
   */
  boolean cutOne() throws SQLException, IOException;

  /** What was done so far. */
  WorkloadStats stats();

  /** Lets each session finish its transaction, for a while; then cuts it. Again it does nothing. */
  @Override
  void close();
}

package io.isotail.ingest.jdbc;

import io.isotail.ingest.capture.CaptureStats;
import java.sql.Connection;
import java.sql.SQLException;

/** Wraps connections of one configuration. Thread-safe. */
public interface ConnectionWrapper {

  /**
   * Wraps a physical connection that is not in use yet. All its use from now on must go through the
   * result.
   */
  Connection wrap(Connection real) throws SQLException;

  /** What was recorded through this wrapper's connections, and what could not be. */
  CaptureStats stats();
}

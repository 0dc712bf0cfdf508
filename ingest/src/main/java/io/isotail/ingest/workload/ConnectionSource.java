package io.isotail.ingest.workload;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections. */
@FunctionalInterface
public interface ConnectionSource {
  /** A new connection. */
  Connection open() throws SQLException;
}

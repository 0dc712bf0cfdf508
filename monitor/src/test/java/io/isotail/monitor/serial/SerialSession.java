package io.isotail.monitor.serial;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.sql.ObservedTables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The connections of a run: captured ones, of one application or several, and one past isotail.
 * Closing it ends the stream.
 */
final class SerialSession implements AutoCloseable {
  static final String HISTORY = "serial";

  private final SerialStream stream;
  private final List<ConnectionWrapper> wrappers = new ArrayList<>();
  private final List<Connection> captured = new ArrayList<>();
  private final List<Integer> pids = new ArrayList<>();
  private final Connection outside;

  SerialSession(SerialDatabase database, SerialStream stream, int sessions, int proxies)
      throws SQLException {
    this.stream = stream;
    this.outside = database.connect();
    CaptureConfig config =
        CaptureConfig.of(HISTORY, ObservedTables.parse(SerialDatabase.OBSERVED)).withClearNames();
    for (int i = 0; i < proxies; i++) {
      SerialStream.Proxy proxy = stream.open("proxy-" + i);
      wrappers.add(IsotailDriver.wrapper(config, proxy, proxy.id()));
    }
    for (int i = 0; i < sessions; i++) {
      Connection connection = wrappers.get(i % proxies).wrap(database.connect());
      captured.add(connection);
      pids.add(pid(connection));
    }
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  /** The captured connections. */
  List<Connection> captured() {
    return captured;
  }

  /** Whether the backend is that of a captured connection. */
  boolean isCaptured(int pid) {
    return pids.contains(pid);
  }

  /** The connection past isotail. */
  Connection outside() {
    return outside;
  }

  /** Failures inside isotail: none is forgiven. */
  long internalFailures() {
    return wrappers.stream()
        .mapToLong(w -> w.stats().of(io.isotail.ingest.capture.CaptureStats.Event.INTERNAL_FAILURE))
        .sum();
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : captured) {
      connection.close();
    }
    outside.close();
    stream.end();
  }
}

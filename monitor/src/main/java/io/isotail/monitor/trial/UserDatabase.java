package io.isotail.monitor.trial;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.monitor.reach.DatabaseFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * A database of the user's, in which the trial makes one table of a name that nobody has, and
 * removes it again.
 *
 * @param name what it is, for people
 * @param url of the real driver, of which only hosts and ports are told
 * @param direct opens connections that nobody observes
 * @param sessions opens those of the workload, to each node of the database in turn
 */
public record UserDatabase(
    String name, String url, ConnectionSource direct, ConnectionSource sessions)
    implements TrialDatabase {

  @Override
  public Running start() throws TrialException {
    try (Connection c = direct.open()) {
      c.getMetaData();
    } catch (SQLException e) {
      throw new TrialException(DatabaseFailure.words(e, url), e);
    }
    String random = UUID.randomUUID().toString().substring(0, 8);
    return new Server(direct, sessions, new RegisterTable("isotail_" + random));
  }

  private record Server(ConnectionSource direct, ConnectionSource sessions, RegisterTable table)
      implements Running {
    @Override
    public Captured capture(CaptureConfig config, KafkaEmitter emitter) {
      ConnectionWrapper wrapper = IsotailDriver.wrapper(config, emitter, emitter.proxyId());
      return Captured.of(table, () -> wrapper.wrap(sessions.open()), wrapper::stats, () -> {});
    }

    /** Removes the table; a server that is just being started again is waited for. */
    @Override
    public void close() throws SQLException {
      Exception failure = Patience.attempt(() -> table.drop(direct));
      if (failure != null) {
        throw new SQLException(
            "table %1$s was left behind; to remove it: DROP TABLE %1$s".formatted(table.name()),
            failure);
      }
    }
  }
}

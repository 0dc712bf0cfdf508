package io.isotail.monitor.trial;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.jdbc.ConnectionWrapper;
import io.isotail.ingest.jdbc.IsotailDriver;
import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.RegisterTable;
import io.isotail.ingest.workload.WorkloadKind;
import io.isotail.monitor.reach.DatabaseFailure;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A database of the user's, in which the trial makes one table of a name that nobody has, and
 * removes it again.
 *
 * @param name what it is, for people
 * @param connecting how it is connected to
 * @param kind of the workload that is to run there
 */
public record UserDatabase(String name, Connecting connecting, WorkloadKind kind)
    implements TrialDatabase {

  /**
   * How a database is connected to, by connections that nobody observes.
   *
   * @param url of the real driver, of which only hosts and ports are told
   * @param direct opens connections to it
   * @param sessions makes what opens those of a workload, to each node of the database in turn
   */
  public record Connecting(
      String url, ConnectionSource direct, Supplier<ConnectionSource> sessions) {
    /**
     * By a driver that is here, or in jars that the user names.
     *
     * @param urls of the nodes, one or more
     * @param onConnect statements for each new connection, each by itself
     * @throws IllegalArgumentException if there is no such jar, or no driver that knows the URLs
     */
    public static Connecting by(
        List<String> urls, Properties login, List<Path> jars, List<String> onConnect) {
      String first = urls.get(0);
      ConnectionSource direct = JdbcDrivers.connecting(List.of(first), login, jars, onConnect);
      return new Connecting(
          first,
          direct,
          () -> urls.size() == 1 ? direct : JdbcDrivers.connecting(urls, login, jars, onConnect));
    }
  }

  @Override
  public Running start() throws TrialException {
    try (Connection c = connecting.direct().open()) {
      c.getMetaData();
    } catch (SQLException e) {
      throw new TrialException(DatabaseFailure.words(e, connecting.url()), e);
    }
    String random = UUID.randomUUID().toString().substring(0, 8);
    RegisterTable table = new RegisterTable("isotail_" + random, kind.hasLists());
    return new Server(connecting, table, kind.isTold());
  }

  private static final class Server implements Running {
    private final Connecting connecting;
    private final RegisterTable table;
    private final boolean told;
    private volatile boolean created;

    Server(Connecting connecting, RegisterTable table, boolean told) {
      this.connecting = connecting;
      this.table = table;
      this.told = told;
    }

    @Override
    public ConnectionSource direct() {
      return connecting.direct();
    }

    @Override
    public String table() {
      return table.name();
    }

    @Override
    public String observed() {
      return table.observed();
    }

    @Override
    public void create() throws SQLException {
      table.create(direct());
      created = true;
    }

    @Override
    public Captured capture(CaptureConfig config, KafkaEmitter emitter, SessionLevels levels) {
      if (told) {
        Capture capture = new Capture(config, emitter, emitter.proxyId());
        return Captured.told(table, connecting.sessions(), levels, capture);
      }
      ConnectionWrapper wrapper = IsotailDriver.wrapper(config, emitter, emitter.proxyId());
      return Captured.of(
          table,
          () -> {
            ConnectionSource sessions = connecting.sessions().get();
            return () -> wrapper.wrap(sessions.open());
          },
          levels,
          wrapper::stats);
    }

    /** Removes the table; a server that is just being started again is waited for. */
    @Override
    public void close() throws SQLException {
      Exception failure = created ? Patience.attempt(() -> table.drop(direct())) : null;
      if (failure != null) {
        throw new SQLException(
            "table %1$s was left behind; to remove it: DROP TABLE %1$s".formatted(table.name()),
            failure);
      }
    }
  }
}

package io.isotail.monitor.trial;

import io.isotail.ingest.workload.ConnectionSource;
import io.isotail.ingest.workload.Workload;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does faults to a database, by a thread of its own, in turns. A fault that cannot be done, as for
 * want of a right or because a command failed, is told once and left out from then on.
 */
final class Disturber implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Disturber.class);
  private static final long COMMAND_SECONDS = 30;

  private final Faults faults;
  private final Workload workload;
  private final ConnectionSource direct;
  private final String table;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicLong done = new AtomicLong();
  private final Thread thread = new Thread(this::run, "isotail-faults");

  /** One kind of fault; returns whether it was done. */
  private interface Fault {
    boolean happen() throws SQLException, IOException, InterruptedException;
  }

  /**
   * Does nothing before it is started.
   *
   * @param table which the workload's statements name
   */
  Disturber(Faults faults, Workload workload, ConnectionSource direct, String table) {
    this.faults = faults;
    this.workload = workload;
    this.direct = direct;
    this.table = table;
    thread.setDaemon(true);
  }

  /** Begins, if there is anything to do. */
  void start() {
    if (faults.any()) {
      thread.start();
    }
  }

  /** Faults so far. */
  long done() {
    return done.get();
  }

  private void run() {
    List<Fault> left = new ArrayList<>();
    if (faults.cut()) {
      left.add(this::cut);
    }
    if (faults.terminate()) {
      left.add(this::terminate);
    }
    String command = faults.command();
    if (command != null) {
      left.add(() -> run(command));
    }
    try {
      for (int i = 0; !left.isEmpty(); i++) {
        if (stop.await(faults.every().toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
        Fault fault = left.get(i % left.size());
        try {
          done.addAndGet(fault.happen() ? 1 : 0);
        } catch (SQLException | IOException e) {
          if (isFinal(e)) {
            left.remove(fault);
            LOG.warn("a fault cannot be done, and is left out: {}", e.getMessage());
          } else {
            LOG.debug("a fault could not be done just now", e);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether it is of no use to try again: a right is missing, a way to do it, or the command. */
  private static boolean isFinal(Exception failure) {
    if (!(failure instanceof SQLException e)) {
      return true;
    }
    String state = e.getSQLState();
    return e instanceof SQLFeatureNotSupportedException
        || (state != null && (state.startsWith("42") || state.startsWith("0A")));
  }

  private boolean cut() throws SQLException, IOException {
    return workload.cutOne();
  }

  /** Asks the server to end a session that works on the table. */
  private boolean terminate() throws SQLException {
    try (Connection c = direct.open();
        Statement s = c.createStatement()) {
      String product = c.getMetaData().getDatabaseProductName();
      return switch (product) {
        case "PostgreSQL" ->
            asked(
                    s,
                    "SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity"
                        + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND query LIKE '%"
                        + table
                        + "%' ORDER BY random() LIMIT 1) AS one")
                != null;
        case "MariaDB", "MySQL" -> {
          String id =
              asked(
                  s,
                  "SELECT id FROM information_schema.processlist WHERE id <> connection_id()"
                      + " AND info LIKE '%"
                      + table
                      + "%' ORDER BY rand() LIMIT 1");
          if (id != null) {
            s.execute("KILL CONNECTION " + id);
          }
          yield id != null;
        }
        default ->
            throw new SQLFeatureNotSupportedException(
                "no way is known to end a session of " + product);
      };
    }
  }

  private static @Nullable String asked(Statement s, String query) throws SQLException {
    try (ResultSet rows = s.executeQuery(query)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private static boolean run(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("/bin/sh", "-c", command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new IOException("the command took over %d s".formatted(COMMAND_SECONDS));
    }
    if (process.exitValue() != 0) {
      throw new IOException("the command ended with %d".formatted(process.exitValue()));
    }
    return true;
  }

  /** Ends; a fault under way is waited for. */
  @Override
  public void close() {
    stop.countDown();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(COMMAND_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

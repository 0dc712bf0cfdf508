package io.isotail.ingest.sandbox;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A physical standby of an {@link EmbeddedDatabase}, made by an online backup and fed by streaming
 * replication. It answers queries, and its replay can be held up. The primary must be of version 15
 * or later. Close it before the primary. Not thread-safe.
 */
public final class EmbeddedStandby implements AutoCloseable {
  private static final long PATIENCE_NS = 30_000_000_000L;
  private static final long POLL_NS = 5_000_000L;

  /** What belongs to the primary's process, or is fetched by replication. */
  private static final Set<String> LEFT_OUT =
      Set.of("postmaster.pid", "postmaster.opts", "epg-lock", "pg_wal", "pg_replslot");

  private final EmbeddedDatabase primary;
  private final Path data;
  private final EmbeddedPostgres server;

  private EmbeddedStandby(EmbeddedDatabase primary, Path data, EmbeddedPostgres server) {
    this.primary = primary;
    this.data = data;
    this.server = server;
  }

  /** Makes a standby on a free port; returns when it answers queries. */
  public static EmbeddedStandby of(EmbeddedDatabase primary) throws IOException, SQLException {
    IOException failure = null;
    for (int i = 0; i < FreePorts.STARTS; i++) {
      try {
        return of(primary, FreePorts.next());
      } catch (IOException | IllegalStateException e) {
        failure = new IOException("the standby did not start on any of several ports", e);
      }
    }
    throw failure == null ? new IOException("the standby was not started") : failure;
  }

  private static EmbeddedStandby of(EmbeddedDatabase primary, int port)
      throws IOException, SQLException {
    Path directory = primary.directory();
    Path data = Files.createTempDirectory(directory, "standby-");
    try {
      backUp(primary, data);
      Files.writeString(
          data.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=localhost port=%d user=postgres'%n".formatted(primary.port()),
          StandardOpenOption.APPEND);
      Files.createFile(data.resolve("standby.signal"));
      EmbeddedPostgres server =
          EmbeddedDatabase.server(directory, data, port).setCleanDataDirectory(false).start();
      return new EmbeddedStandby(primary, data, server);
    } catch (IOException | SQLException | RuntimeException e) {
      EmbeddedDatabase.delete(data);
      throw e;
    }
  }

  private static void backUp(EmbeddedDatabase primary, Path data) throws IOException, SQLException {
    try (Connection connection = DriverManager.getConnection(primary.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_backup_start('isotail', true)");
      copy(primary.directory().resolve(EmbeddedDatabase.DATA), data);
      try (ResultSet backup =
          statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        backup.next();
        Files.writeString(data.resolve("backup_label"), backup.getString(1));
      }
    }
    Files.createDirectories(data.resolve("pg_wal").resolve("archive_status"));
    Files.createDirectories(data.resolve("pg_replslot"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes)
              throws IOException {
            if (isLeftOut(visited)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (!visited.equals(from)) {
              Files.createDirectory(to.resolve(from.relativize(visited)));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!isLeftOut(file)) {
              try {
                Files.copy(file, to.resolve(from.relativize(file)));
              } catch (NoSuchFileException e) {
                // The primary has removed it meanwhile; the log says so too.
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          private boolean isLeftOut(Path path) {
            return from.equals(path.getParent())
                && LEFT_OUT.contains(path.getFileName().toString());
          }
        });
  }

  /** Port that it listens on. */
  public int port() {
    return server.getPort();
  }

  /** JDBC URL of its database, with the user. */
  public String jdbcUrl() {
    return EmbeddedDatabase.jdbcUrl(port());
  }

  /** Returns when it shows all that the primary has committed so far. */
  public void catchUp() throws SQLException {
    String end = answer(primary.jdbcUrl(), "SELECT pg_current_wal_insert_lsn()");
    await("SELECT pg_last_wal_replay_lsn() >= '" + end + "'");
  }

  /** Shows nothing more that is committed from now on; returns when that is certain. */
  public void pause() throws SQLException {
    answer(jdbcUrl(), "SELECT pg_wal_replay_pause()");
    await("SELECT pg_get_wal_replay_pause_state() = 'paused'");
  }

  /** Goes on, and shows all that the primary has committed so far. */
  public void resume() throws SQLException {
    answer(jdbcUrl(), "SELECT pg_wal_replay_resume()");
    catchUp();
  }

  private void await(String condition) throws SQLException {
    long begin = System.nanoTime();
    while (!answer(jdbcUrl(), condition).equals("t")) {
      if (System.nanoTime() - begin > PATIENCE_NS) {
        throw new IllegalStateException("the standby does not come to where " + condition);
      }
      LockSupport.parkNanos(POLL_NS);
    }
  }

  private static String answer(String url, String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      String answer = row.getString(1);
      return answer == null ? "" : answer;
    }
  }

  /** Stops the server and removes its files. */
  @Override
  public void close() throws IOException {
    try {
      server.close();
    } finally {
      EmbeddedDatabase.delete(data);
    }
  }
}

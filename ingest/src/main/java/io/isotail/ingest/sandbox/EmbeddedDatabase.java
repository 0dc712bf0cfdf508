package io.isotail.ingest.sandbox;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL server as a child process, in a temporary directory of its own that {@link
 * #close} removes. Also starts when run as root. Data is not flushed to disk, which changes nothing
 * in what transactions see.
 */
public final class EmbeddedDatabase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);

  /**
   * System property that names a folder where the binaries are unpacked once, for whatever starts a
   * server, and stay: it takes longer than all else that a start does.
   */
  private static final String BINARIES = "isotail.postgres.binaries";

  private static final int MAX_CONNECTIONS = 100;

  /** Directory of its data, within its own. */
  static final String DATA = "data";

  private final Path directory;
  private EmbeddedPostgres server;

  private EmbeddedDatabase(Path directory, EmbeddedPostgres server) {
    this.directory = directory;
    this.server = server;
  }

  /** Starts a server on a free port; returns when it accepts connections. */
  public static EmbeddedDatabase start() throws IOException {
    return start(Map.of());
  }

  /**
   * Starts a server on a free port; returns when it accepts connections.
   *
   * @param settings of the server, beside its usual ones
   */
  public static EmbeddedDatabase start(Map<String, String> settings) throws IOException {
    IOException failure = null;
    for (int i = 0; i < FreePorts.STARTS; i++) {
      try {
        return start(FreePorts.next(), settings);
      } catch (IOException | IllegalStateException e) {
        failure = new IOException("PostgreSQL did not start on any of several ports", e);
      }
    }
    throw failure == null ? new IOException("PostgreSQL was not started") : failure;
  }

  /**
   * Starts a server on a given port; returns when it accepts connections.
   *
   * @param settings of the server, beside its usual ones
   */
  public static EmbeddedDatabase start(int port, Map<String, String> settings) throws IOException {
    Path directory = Files.createTempDirectory("isotail-postgres-");
    try {
      EmbeddedPostgres.Builder server = server(directory, directory.resolve(DATA), port);
      settings.forEach(server::setServerConfig);
      // Its data goes with its directory, so that it can be started again.
      return new EmbeddedDatabase(directory, server.setCleanDataDirectory(false).start());
    } catch (IOException | RuntimeException e) {
      delete(directory);
      throw e;
    }
  }

  /**
   * A server that is not started.
   *
   * @param directory where its binaries are unpacked, unless they are or have a folder of their own
   */
  static EmbeddedPostgres.Builder server(Path directory, Path data, int port) {
    String shared = System.getProperty(BINARIES);
    Path binaries = shared == null ? directory.resolve("binaries") : Path.of(shared);
    return EmbeddedPostgres.builder()
        .setOverrideWorkingDirectory(binaries.toFile())
        .setDataDirectory(data)
        .setPort(port)
        .setRegisterShutdownHook(false)
        .setPGStartupWait(Duration.ofSeconds(60))
        .setOutputRedirector(Redirect.DISCARD)
        .setErrorRedirector(Redirect.DISCARD)
        .setServerConfig("max_connections", Integer.toString(MAX_CONNECTIONS))
        .setServerConfig("max_prepared_transactions", "8")
        // Serializable transactions keep their locks until all that ran beside them have ended: at
        // 15,000 a second one that stalls for 0.2 s uses up the default of 64.
        .setServerConfig("max_pred_locks_per_transaction", "512")
        .setServerConfig("fsync", "off")
        .setServerConfig("synchronous_commit", "off")
        .setServerConfig("full_page_writes", "off");
  }

  /** What is removed with it: its binaries and {@link #DATA}. */
  Path directory() {
    return directory;
  }

  /** Lets the sessions that are opened from now on give way to whatever else runs here. */
  public void giveWay() {
    // The first line of its lock file is its process.
    try (var lines = Files.lines(directory.resolve(DATA).resolve("postmaster.pid"))) {
      lines.findFirst().ifPresent(line -> Background.enter(line.strip()));
    } catch (IOException e) {
      LOG.debug("the database keeps its niceness", e);
    }
  }

  /** Port that it listens on. */
  public int port() {
    return server.getPort();
  }

  /** JDBC URL of its database, with the user. */
  public String jdbcUrl() {
    return jdbcUrl(port());
  }

  /** JDBC URL of a database of this kind at a port of this machine. */
  public static String jdbcUrl(int port) {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
  }

  /** Stops the server in good order, and starts it again with its data and its usual settings. */
  public void restart() throws IOException {
    int port = port();
    server.close();
    server = server(directory, directory.resolve(DATA), port).setCleanDataDirectory(false).start();
  }

  /** Stops the server, and starts one at the same port that has none of its data. */
  public void beginAnew() throws IOException {
    int port = port();
    server.close();
    delete(directory.resolve(DATA));
    server = server(directory, directory.resolve(DATA), port).setCleanDataDirectory(false).start();
  }

  /** Stops the server and removes its files. */
  @Override
  public void close() throws IOException {
    try {
      server.close();
    } finally {
      delete(directory);
    }
  }

  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path visited, java.io.@org.jspecify.annotations.Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}

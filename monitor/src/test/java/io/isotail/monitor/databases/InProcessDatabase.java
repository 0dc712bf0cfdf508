package io.isotail.monitor.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A database that is a library, with its files in a folder of its own. */
final class InProcessDatabase implements DatabaseServer {
  private final Path folder;
  private final String url;

  /**
   * A new one.
   *
   * @param url with {@code %s} for a file that does not exist yet
   */
  InProcessDatabase(String url) throws Exception {
    this.folder = Files.createTempDirectory("isotail-db");
    this.url = url.formatted(folder.resolve("db"));
  }

  @Override
  public List<String> urls() {
    return List.of(url);
  }

  /** Derby holds its files until it is told not to; it answers with an exception. */
  @Override
  public void release() {
    if (url.startsWith("jdbc:derby:")) {
      try (Connection c = DriverManager.getConnection(url.replace("create", "shutdown"))) {
        throw new IllegalStateException("Derby was not shut down: " + c);
      } catch (SQLException e) {
        if (!"08006".equals(e.getSQLState())) {
          throw new IllegalStateException("Derby was not shut down", e);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    ServerProcess.delete(folder);
  }
}

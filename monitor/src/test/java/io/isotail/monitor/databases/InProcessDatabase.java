package io.isotail.monitor.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

  /** Derby and HSQLDB may hold their files until this JVM ends; then they are left there. */
  @Override
  public void close() throws IOException {
    ServerProcess.delete(folder);
  }
}

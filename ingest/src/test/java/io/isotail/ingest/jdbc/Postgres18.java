package io.isotail.ingest.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** A server of PostgreSQL 18, beside the release that the other tests start. */
final class Postgres18 implements AutoCloseable {
  private static final Path RELEASES = Path.of("target/servers").toAbsolutePath();

  private final EmbeddedPostgres server;
  private final Path directory;

  private Postgres18(EmbeddedPostgres server, Path directory) {
    this.server = server;
    this.directory = directory;
  }

  /** Starts it; returns when it accepts connections. */
  static Postgres18 start() throws IOException {
    Path directory = Files.createTempDirectory("isotail-postgres-18-");
    String shared = System.getProperty("isotail.postgres.binaries");
    Path binaries = shared == null ? directory.resolve("binaries") : Path.of(shared);
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setPgBinaryResolver((system, machine) -> binaries())
            .setOverrideWorkingDirectory(binaries.toFile())
            .setDataDirectory(directory.resolve("data"))
            .setRegisterShutdownHook(false)
            .setPGStartupWait(Duration.ofSeconds(60))
            .setOutputRedirector(Redirect.DISCARD)
            .setErrorRedirector(Redirect.DISCARD)
            .setServerConfig("fsync", "off")
            .start();
    return new Postgres18(server, directory);
  }

  /** The only archive in the only jar of that release. */
  private static InputStream binaries() throws IOException {
    List<Path> jars;
    try (Stream<Path> all = Files.list(RELEASES)) {
      jars = all.filter(jar -> jar.toString().endsWith("-18.6.0.jar")).toList();
    }
    try (JarFile jar = new JarFile(jars.get(0).toFile())) {
      JarEntry archive =
          jar.stream().filter(e -> e.getName().endsWith(".txz")).findFirst().orElseThrow();
      return new java.io.ByteArrayInputStream(jar.getInputStream(archive).readAllBytes());
    }
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}

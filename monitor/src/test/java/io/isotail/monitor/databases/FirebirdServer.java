package io.isotail.monitor.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Firebird 3.0 of Debian, with a copy of its configuration and of its users. */
final class FirebirdServer implements DatabaseServer {
  private static final String USER = "firebird";
  private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu/firebird/3.0");
  private static final Path USERS = Path.of("/var/lib/firebird/3.0/system/security3.fdb");
  private static final Path PASSWORD = Path.of("/etc/firebird/3.0/SYSDBA.password");

  private final Path folder;
  private final int port;
  private final ServerProcess process;

  FirebirdServer() throws Exception {
    this.folder = ServerProcess.temporary(USER);
    this.port = ServerProcess.freePorts(1).get(0);
    for (String name : List.of("intl", "lib", "plugins", "firebird.msg", "plugins.conf")) {
      Files.createSymbolicLink(folder.resolve(name), LIBRARIES.resolve(name));
    }
    Files.copy(USERS, folder.resolve("security3.fdb"));
    Files.writeString(
        folder.resolve("firebird.conf"),
        """
        RemoteServicePort = %d
        RemoteBindAddress = 127.0.0.1
        DatabaseAccess = Full
        SecurityDatabase = %s/security3.fdb
        """
            .formatted(port, folder));
    Files.writeString(folder.resolve("databases.conf"), "");
    ServerProcess.own(USER, folder);
    String home = folder.toString();
    process =
        ServerProcess.start(
            USER,
            folder.resolve("log"),
            Map.of("FIREBIRD", home, "FIREBIRD_LOCK", home),
            List.of("firebird"));
    process.await(
        () -> {
          try (Connection c = DriverManager.getConnection(urls().get(0), credentials())) {
            return c.isValid(5);
          }
        });
  }

  @Override
  public List<String> urls() {
    return List.of(
        "jdbc:firebird://127.0.0.1:%d/%s/isotail.fdb?createDatabaseIfNotExist=true"
            .formatted(port, folder));
  }

  @Override
  public Properties credentials() {
    Properties credentials = new Properties();
    credentials.setProperty("user", "sysdba");
    credentials.setProperty("password", password());
    return credentials;
  }

  private static String password() {
    try {
      return Files.readAllLines(PASSWORD).stream()
          .filter(line -> line.startsWith("ISC_PASSWORD="))
          .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    process.stop();
    ServerProcess.delete(folder);
  }
}

package io.isotail.ingest.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * PostgreSQL in a folder of its own. Nothing is flushed to the disk, which a killed process does
 * not need: the log of the server stands with the system.
 */
final class PostgresServer {
  private final Path bin;
  private final Path data;
  private final Path log;
  private final int port;

  /** Makes the folder and starts the server. */
  PostgresServer(Path bin, Path work, int port) throws IOException, InterruptedException {
    this.bin = bin;
    this.data = work.resolve("data");
    this.log = work.resolve("postgres.log");
    this.port = port;
    run(
        "initdb",
        "-D",
        data.toString(),
        "-A",
        "trust",
        "-U",
        "postgres",
        "-E",
        "UTF8",
        "--locale=C");
    start();
  }

  /** JDBC URL past the proxies. */
  String url() {
    return url(port);
  }

  /** JDBC URL by a port. */
  static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable";
  }

  void start() throws IOException, InterruptedException {
    String settings =
        "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off"
                .formatted(port)
            + " -c synchronous_commit=on -c max_connections=100"
            + " -c max_pred_locks_per_transaction=512";
    run(
        "pg_ctl",
        "-D",
        data.toString(),
        "-l",
        data + "/log",
        "-w",
        "-t",
        "60",
        "-o",
        settings,
        "start");
  }

  /** Kills all its processes. */
  void crash() throws IOException, InterruptedException {
    run("pg_ctl", "-D", data.toString(), "-m", "immediate", "-w", "stop");
  }

  /** Ends up to this many sessions of clients that are in a transaction; returns how many. */
  int endSessions(int most) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet ended =
            statement.executeQuery(
                "SELECT count(pg_terminate_backend(pid)) FROM (SELECT pid FROM pg_stat_activity"
                    + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
                    + " AND xact_start IS NOT NULL ORDER BY random() LIMIT "
                    + most
                    + ") s")) {
      ended.next();
      return ended.getInt(1);
    }
  }

  private void run(String program, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    command.add(bin.resolve(program).toString());
    command.addAll(List.of(arguments));
    Program.run(log, command);
  }
}

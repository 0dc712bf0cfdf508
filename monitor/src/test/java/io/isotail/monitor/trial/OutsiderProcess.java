package io.isotail.monitor.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An application in a process of its own, which updates one row after the other at read committed.
 * The process can be stopped and goes on later, as in a long pause of its garbage collector.
 */
final class OutsiderProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final PrintStream orders;

  /** Starts it; it is connected when this returns. */
  OutsiderProcess(String url, Path log) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                OutsiderProcess.class.getName(),
                url)
            .redirectError(log.toFile())
            .start();
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    await();
  }

  /** The application. */
  public static void main(String[] args) throws SQLException, IOException {
    try (Connection connection = DriverManager.getConnection(args[0]);
        BufferedReader rows =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        // Its commits wait for a standby that never comes, until they are told not to.
        statement.execute("SET synchronous_commit = on");
        connection.commit();
        System.out.println("ready");
        for (String row = rows.readLine(); row != null; row = rows.readLine()) {
          statement.executeUpdate("UPDATE accounts SET v = v + 1 WHERE id = " + row);
          connection.commit();
          System.out.println("done");
        }
      }
    }
  }

  /** Begins to update a row; its commit waits in the database. */
  void update(int row) {
    orders.println(row);
  }

  /** Waits until it has been told that the commit is done. */
  void await() {
    try {
      if (answers.readLine() == null) {
        throw new IllegalStateException("the application has ended");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the process where it is. */
  void stop() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** Lets it go on. */
  void goOn() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    List<String> command = List.of("kill", signal, Long.toString(process.pid()));
    int status = new ProcessBuilder(command).start().waitFor();
    if (status != 0) {
      throw new IllegalStateException("kill " + signal + ": exit status " + status);
    }
  }

  @Override
  public void close() {
    orders.close();
    process.onExit().join();
  }
}

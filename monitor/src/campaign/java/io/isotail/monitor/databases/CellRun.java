package io.isotail.monitor.databases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/** Runs a cell: {@code deploy/isotail verify-database} in a process of its own, as users do. */
final class CellRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a trial may take beside its workload. */
  private static final long MORE_SECONDS = 240;

  private final Path launcher;
  private final Path work;
  private final int seconds;
  private final long seed;
  private final List<String> more = new ArrayList<>();

  CellRun(Path launcher, Path work, int seconds, long seed) {
    this.launcher = launcher;
    this.work = work;
    this.seconds = seconds;
    this.seed = seed;
  }

  /** Gives the command further options, after those of the cell. */
  CellRun with(String... options) {
    more.addAll(List.of(options));
    return this;
  }

  /** Its summary as JSON, with the command that repeats it; what it says is kept in a log. */
  JsonNode run(Cell cell, DatabaseSystem system, DatabaseServer server)
      throws IOException, InterruptedException {
    Path out = work.resolve(cell.name() + ".out");
    Path log = work.resolve(cell.name() + ".log");
    List<String> arguments = new ArrayList<>(cell.arguments(seconds, seed));
    arguments.addAll(more);
    for (String sql : system.onConnect()) {
      arguments.add("--on-connect=" + sql);
    }
    List<String> command =
        new ArrayList<>(List.of(launcher.toString(), "verify-database", "--json"));
    for (String url : server.urls()) {
      command.add("--url=" + url);
    }
    for (Path jar : driverJars(server.urls().get(0))) {
      command.add("--driver-jar=" + jar);
    }
    command.addAll(arguments);
    Properties credentials = server.credentials();
    if (credentials.containsKey("user")) {
      command.add("--user=" + credentials.getProperty("user"));
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(log.toFile());
    if (credentials.containsKey("password")) {
      builder.environment().put("ISOTAIL_DB_PASSWORD", credentials.getProperty("password"));
    }
    Process process = builder.start();
    if (!process.waitFor(seconds + MORE_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    String said = Files.readString(out).strip();
    ObjectNode json =
        said.startsWith("{") ? (ObjectNode) JSON.readTree(said) : JSON.createObjectNode();
    json.put("exit", process.exitValue());
    json.put("driver", driverNames(server.urls().get(0)));
    json.put("arguments", String.join(" ", arguments));
    Files.delete(out);
    return json;
  }

  /** Jars of a URL's driver, but for PostgreSQL's, which is part of isotail. */
  private static List<Path> driverJars(String url) {
    if (url.startsWith("jdbc:postgresql:")) {
      return List.of();
    }
    try {
      Driver driver = DriverManager.getDriver(url);
      List<Path> jars = new ArrayList<>(List.of(jar(driver.getClass())));
      if (url.startsWith("jdbc:derby:")) {
        jars.add(jar(Class.forName("org.apache.derby.shared.common.error.StandardException")));
      }
      return jars;
    } catch (SQLException | ClassNotFoundException e) {
      throw new IllegalStateException("no driver for " + url, e);
    }
  }

  private static Path jar(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static String driverNames(String url) {
    return driverJars(url).isEmpty()
        ? "postgresql"
        : driverJars(url).get(0).getFileName().toString().replace(".jar", "");
  }
}

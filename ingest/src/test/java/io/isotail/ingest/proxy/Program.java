package io.isotail.ingest.proxy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program of PostgreSQL that connects to a port of this host. */
final class Program {
  private final int port;

  Program(int port) {
    this.port = port;
  }

  /** Runs it as user postgres; returns what it told, and fails unless it ended well. */
  String run(String... command) throws IOException, InterruptedException {
    return run(Map.of("PGUSER", "postgres", "PGHOST", "127.0.0.1"), command);
  }

  /** Runs it with these variables; returns what it told, and fails unless it ended well. */
  String run(Map<String, String> variables, String... command)
      throws IOException, InterruptedException {
    Path told = Files.createTempFile("isotail-program-", ".txt");
    try {
      List<String> whole = new ArrayList<>(List.of(command));
      ProcessBuilder builder = new ProcessBuilder(whole);
      builder.environment().put("PGPORT", Integer.toString(port));
      builder.environment().putAll(variables);
      Process process = builder.redirectErrorStream(true).redirectOutput(told.toFile()).start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(120, TimeUnit.SECONDS);
      process.destroyForcibly();
      String text = Files.readString(told, StandardCharsets.UTF_8);
      if (!ended || process.exitValue() != 0) {
        throw new AssertionError(whole + " did not end well: " + text);
      }
      return text;
    } finally {
      Files.delete(told);
    }
  }
}

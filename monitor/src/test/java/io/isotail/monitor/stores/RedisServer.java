package io.isotail.monitor.stores;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A Redis server in a process of its own, on a free port, that keeps nothing on disk. */
public final class RedisServer implements AutoCloseable {
  private static final long STOP_SECONDS = 10;

  private final Process process;
  private final int port;

  /**
   * Starts it; returns when it answers.
   *
   * @param folder an empty one
   */
  public RedisServer(Path folder) throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    process =
        new ProcessBuilder(
                "redis-server",
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                folder.toString())
            .redirectErrorStream(true)
            .start();
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine();
        line == null || !line.contains("Ready to accept connections");
        line = output.readLine()) {
      if (line == null) {
        throw new IOException("redis-server did not start:\n" + said);
      }
      said.append(line).append('\n');
    }
    Thread drain = new Thread(() -> drain(output), "redis-output");
    drain.setDaemon(true);
    drain.start();
  }

  private static void drain(BufferedReader output) {
    try (output) {
      while (output.readLine() != null) {
        // Nobody wants it, and an output that is full would stop the server.
      }
    } catch (IOException e) {
      // The server was stopped.
    }
  }

  /** Its port on 127.0.0.1. */
  public int port() {
    return port;
  }

  /** Its URL. */
  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}

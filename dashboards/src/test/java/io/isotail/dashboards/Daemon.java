package io.isotail.dashboards;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Debian package's server on a free port of the loopback interface. */
final class Daemon implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final long READY_NS = TimeUnit.SECONDS.toNanos(60);

  private final Process process;
  private final int port;

  private Daemon(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a server; returns when it says that it is ready. */
  static Daemon start(int port, Path log, String... command) throws Exception {
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Daemon daemon = new Daemon(process, port);
    long deadlineNs = System.nanoTime() + READY_NS;
    while (!daemon.isReady()) {
      if (!process.isAlive() || System.nanoTime() > deadlineNs) {
        daemon.close();
        throw new IllegalStateException(command[0] + " did not become ready; see " + log);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return daemon;
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /** What it answers to a path. */
  String get(String path) throws IOException, InterruptedException {
    return get(URI.create("http://127.0.0.1:" + port + path)).body();
  }

  static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private boolean isReady() throws InterruptedException {
    try {
      return get(URI.create("http://127.0.0.1:" + port + "/-/ready")).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}

package io.isotail.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A program as a process, mostly a Debian package's server on a free port of the loopback
 * interface.
 */
final class Daemon implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final long READY_NS = TimeUnit.SECONDS.toNanos(60);

  private final Process process;
  private final int port;
  private final Path log;

  private Daemon(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /** Starts a server; returns when it says that it is ready. */
  static Daemon start(int port, Path log, String... command) throws Exception {
    Daemon daemon = start(port, log, Map.of(), List.of(command));
    daemon.awaitOk("/-/ready");
    return daemon;
  }

  /**
   * Starts a program, without waiting for it.
   *
   * @param environment what it has beside this process's own
   */
  static Daemon start(int port, Path log, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    return new Daemon(builder.start(), port, log);
  }

  /** Waits until the server answers to a path with 200; ends it if it does not. */
  void awaitOk(String path) throws InterruptedException {
    long deadlineNs = System.nanoTime() + READY_NS;
    while (!isOk(path)) {
      if (!process.isAlive() || System.nanoTime() > deadlineNs) {
        close();
        throw new IllegalStateException("not ready at port %d; see %s".formatted(port, log));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /** Ids of the users whom the process and those that it started run as. */
  Set<String> users() throws IOException {
    Set<String> users = new TreeSet<>();
    for (ProcessHandle each : process.descendants().toList()) {
      for (String line : Files.readAllLines(Path.of("/proc/" + each.pid() + "/status"))) {
        if (line.startsWith("Uid:")) {
          users.add(line.split("\\s+")[1]);
        }
      }
    }
    return users;
  }

  /** What it answers to a path. */
  String get(String path) throws IOException, InterruptedException {
    return get(URI.create("http://127.0.0.1:" + port + path)).body();
  }

  /** What Prometheus answers to an expression. */
  JsonNode query(String expression) throws IOException, InterruptedException {
    String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    JsonNode answer = new ObjectMapper().readTree(get("/api/v1/query?query=" + encoded));
    assertThat(answer.path("status").asText()).as(expression).isEqualTo("success");
    return answer.at("/data/result");
  }

  static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private boolean isOk(String path) throws InterruptedException {
    try {
      return get(URI.create("http://127.0.0.1:" + port + path)).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    // One that has changed its user does not end with the one that started it.
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly().onExit().join();
    started.forEach(ProcessHandle::destroyForcibly);
  }
}

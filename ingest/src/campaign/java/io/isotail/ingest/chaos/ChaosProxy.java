package io.isotail.ingest.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A proxy on one port, in one process after the other. Each process is an instance of its own in
 * records. The thread of the campaign starts and ends them, another one looks at them.
 */
final class ChaosProxy {
  /** Heap of a proxy, in MB. */
  static final int HEAP_MB = 160;

  private static final int SIGTERM_STATUS = 143;

  private final List<String> command;
  private final Path work;
  private final String name;
  private final int port;
  private final int httpPort;
  private final List<Life> lives = new ArrayList<>();

  /** One process, from its start to its end. */
  static final class Life {
    private final String instance;
    private final int port;
    private final long startMs;
    private final Program program;
    private volatile long endMs = Long.MAX_VALUE;
    private volatile boolean killed;
    private volatile int status;
    private volatile @Nullable Scrape last;
    private volatile long mostResidentKb;

    private Life(String instance, int port, Program program) {
      this.instance = instance;
      this.port = port;
      this.startMs = System.currentTimeMillis();
      this.program = program;
    }

    String instance() {
      return instance;
    }

    /** Whether this process served a port at a time. */
    boolean served(int at, long ms) {
      return at == port && ms >= startMs && ms <= endMs;
    }

    boolean wasKilled() {
      return killed;
    }

    /** Whether it was asked to stop and did so well, or was killed. */
    boolean endedWell() {
      return killed || status == 0 || status == SIGTERM_STATUS;
    }

    /** What it told last of a metric; it has told something before clients came. */
    long counted(String metric) {
      return Objects.requireNonNull(last, instance).sum(metric);
    }

    long mostResidentKb() {
      return mostResidentKb;
    }

    @Override
    public String toString() {
      return instance + (killed ? " (killed)" : "");
    }
  }

  /**
   * A proxy that is not started.
   *
   * @param command the launcher's, with what all proxies have in common
   */
  ChaosProxy(String name, List<String> command, Path work, int port, int httpPort) {
    this.name = name;
    this.command = command;
    this.work = work;
    this.port = port;
    this.httpPort = httpPort;
  }

  int port() {
    return port;
  }

  String name() {
    return name;
  }

  List<Life> lives() {
    return List.copyOf(lives);
  }

  /** Starts a process; returns when clients may connect. */
  void start() throws IOException, InterruptedException {
    String instance = name + (lives.size() + 1);
    List<String> all = new ArrayList<>(command);
    all.addAll(
        List.of(
            "--listen",
            "127.0.0.1:" + port,
            "--http-port",
            Integer.toString(httpPort),
            "--set",
            "instance=" + instance));
    Map<String, String> environment =
        Map.of("JAVA_OPTS", "-Xmx" + HEAP_MB + "m -XX:+ExitOnOutOfMemoryError");
    synchronized (this) {
      lives.add(
          new Life(
              instance,
              port,
              Program.start(work.resolve("proxy-" + name + ".log"), environment, all)));
    }
    Life life = life();
    Program.await(
        "the proxy " + instance,
        () -> {
          if (life.program.endedByItself()) {
            throw new IllegalStateException("the proxy " + instance + " ended at its start");
          }
          Scrape scrape = Scrape.of(httpPort);
          if (scrape == null || scrape.sum("isotail_proxy_ready") != 1) {
            return false;
          }
          life.last = scrape;
          return true;
        });
  }

  /** Ends its process as {@code kill -9} does. */
  void kill() {
    Life life = life();
    life.killed = true;
    life.program.kill();
    life.endMs = System.currentTimeMillis();
  }

  /** Ends its process as {@code kill} does. */
  void stop() throws InterruptedException {
    look();
    Life life = life();
    life.status = life.program.stop();
    life.endMs = System.currentTimeMillis();
  }

  /** Whether its process has ended, and nobody here has ended it. */
  boolean crashed() {
    return life().program.endedByItself();
  }

  /** Connections that clients have open. */
  long open() {
    look();
    return life().counted("isotail_proxy_connections_open");
  }

  /** Keeps what the process tells of itself. */
  void look() {
    Life life = life();
    Scrape scrape = Scrape.of(httpPort);
    if (scrape != null && life == life()) {
      life.last = scrape;
    }
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + life.program.pid() + "/status"))) {
      lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .forEach(kb -> life.mostResidentKb = Math.max(kb, life.mostResidentKb));
    } catch (IOException | java.io.UncheckedIOException e) {
      // It has ended.
    }
  }

  private synchronized Life life() {
    return lives.get(lives.size() - 1);
  }
}

package io.isotail.ingest.chaos;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A program in a process of its own. What still runs when this JVM ends is killed. */
final class Program {
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
  private static final long STOP_MS = 60_000;

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final Process process;

  /** Set before this side ends it. */
  private volatile boolean asked;

  private Program(Process process) {
    this.process = process;
    RUNNING.add(process);
    process.onExit().thenAccept(RUNNING::remove);
  }

  /** Starts a program whose output is added to a log. */
  static Program start(Path log, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return new Program(builder.start());
  }

  /** Runs a program to its end, which must be a good one. */
  static void run(Path log, List<String> command) throws IOException, InterruptedException {
    int status = start(log, Map.of(), command).await();
    if (status != 0) {
      throw new IllegalStateException(
          "%s: exit status %d; its output is in %s"
              .formatted(String.join(" ", command), status, log));
    }
  }

  /** Waits until a condition holds; fails after a minute. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadlineNs) {
        throw new IllegalStateException("waited a minute in vain for: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Whether it has ended, and nobody here has ended it. */
  boolean endedByItself() {
    return !process.isAlive() && !asked;
  }

  /** As {@code kill -9}; returns when it is gone. */
  void kill() {
    asked = true;
    process.destroyForcibly().onExit().join();
  }

  /** As {@code kill}; returns its exit status. */
  int stop() throws InterruptedException {
    asked = true;
    process.destroy();
    if (!process.waitFor(STOP_MS, TimeUnit.MILLISECONDS)) {
      kill();
    }
    return process.exitValue();
  }

  /** Sends it a signal. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  /** Closes its standard input. */
  void closeInput() throws IOException {
    asked = true;
    process.getOutputStream().close();
  }

  /** Waits for its end. */
  int await() throws InterruptedException {
    return process.waitFor();
  }
}

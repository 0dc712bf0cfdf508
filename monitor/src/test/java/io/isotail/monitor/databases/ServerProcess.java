package io.isotail.monitor.databases;

import io.isotail.ingest.sandbox.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program of a database, run by a user of its own where tests run as root, since most servers
 * refuse to run as root. What still runs when this JVM ends is killed.
 */
final class ServerProcess {
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
  private static final long STOP_MS = 30_000;
  private static final long START_NS = TimeUnit.SECONDS.toNanos(90);

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final Process process;
  private final Path log;

  private ServerProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    RUNNING.add(process);
    process.onExit().thenAccept(RUNNING::remove);
  }

  /** Starts a program, whose output is added to a log. */
  static ServerProcess start(
      String user, Path log, Map<String, String> environment, List<String> command)
      throws IOException {
    List<String> whole = new ArrayList<>();
    if (isRoot()) {
      // The process of runuser would take a signal for itself; setpriv becomes the program.
      whole.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups"));
    }
    whole.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(whole)
            .directory(log.toAbsolutePath().getParent().toFile()) // This one's may be closed to it.
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    return new ServerProcess(builder.start(), log);
  }

  /** Runs a program to its end, which must be a good one. */
  static void run(String user, Path log, List<String> command)
      throws IOException, InterruptedException {
    run(user, log, Map.of(), command);
  }

  /** Runs a program to its end, which must be a good one. */
  static void run(String user, Path log, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    int status = start(user, log, environment, command).process.waitFor();
    if (status != 0) {
      throw new IllegalStateException(
          "%s ended with status %d: %s".formatted(command, status, end(log)));
    }
  }

  /** A condition that may fail while a server starts. */
  interface Condition {
    boolean holds() throws Exception;
  }

  /** Waits until it serves; fails when it ends, or after a minute and a half. */
  void await(Condition serving) throws InterruptedException {
    long deadlineNs = System.nanoTime() + START_NS;
    while (true) {
      String why = "";
      try {
        if (serving.holds()) {
          return;
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        why = e + "; ";
      }
      if (!process.isAlive() || System.nanoTime() - deadlineNs > 0) {
        stop();
        throw new IllegalStateException("it did not start: " + why + end(log));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  /** Asks it to end, and kills it if it does not. */
  void stop() {
    process.destroy();
    try {
      if (process.waitFor(STOP_MS, TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly().onExit().join();
  }

  /** Makes a folder that a server's user may write. */
  static Path folder(String user, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    own(user, folder);
    return folder;
  }

  /** Gives what is in a folder to a server's user. */
  static void own(String user, Path folder) throws IOException, InterruptedException {
    if (isRoot()
        && new ProcessBuilder("chown", "-R", user, folder.toString()).start().waitFor() != 0) {
      throw new IOException("found no user " + user + " for a server");
    }
  }

  /** A short folder of its own: the path of a socket has no more than some hundred characters. */
  static Path temporary(String user) throws IOException, InterruptedException {
    return folder(user, Files.createTempDirectory("isotail-db"));
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.deleteIfExists(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  /** Ports that nobody listens on now, all of them different. */
  static List<Integer> freePorts(int count) {
    return Stream.generate(FreePorts::next).distinct().limit(count).toList();
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static String end(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 8), lines.size()));
    } catch (IOException e) {
      return "its log is in " + log;
    }
  }
}

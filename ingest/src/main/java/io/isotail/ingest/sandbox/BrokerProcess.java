package io.isotail.ingest.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A broker in a process of its own, on this JVM's class path, that can be killed without warning
 * and started again on the same port with the same data. Not thread-safe.
 */
public final class BrokerProcess implements AutoCloseable {
  private final String address;
  private final Path dataDir;
  private @Nullable Process process;

  private BrokerProcess(String address, Path dataDir) {
    this.address = address;
    this.dataDir = dataDir;
  }

  /** Starts a broker on a free port of the loopback interface; returns when it serves clients. */
  public static BrokerProcess start(Path dataDir) {
    BrokerProcess broker = new BrokerProcess("127.0.0.1:" + FreePorts.next(), dataDir);
    broker.restart();
    return broker;
  }

  /** {@code host:port} for clients. */
  public String bootstrapServers() {
    return address;
  }

  /** Starts the broker unless it runs; returns when it serves clients. */
  public void restart() {
    if (process != null && process.isAlive()) {
      return;
    }
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            BrokerMain.class.getName(),
            address,
            dataDir.toString());
    try {
      Process started =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      process = started;
      awaitReady(started);
    } catch (IOException e) {
      throw new UncheckedIOException("the broker's process did not start", e);
    }
  }

  /** Ends the process at once, as {@code kill -9} does; returns when it is gone. */
  public void kill() {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().onExit().join();
    }
  }

  @Override
  public void close() {
    kill();
  }

  private void awaitReady(Process started) throws IOException {
    BufferedReader out = started.inputReader(StandardCharsets.UTF_8);
    String line;
    do {
      line = out.readLine();
    } while (line != null && !line.equals(BrokerMain.READY));
    if (line == null) {
      throw new IllegalStateException(
          "the broker's process ended with status %d before it served %s; expected '%s'"
              .formatted(started.onExit().join().exitValue(), address, BrokerMain.READY));
    }
    // A pipe that nobody reads fills up, and a broker that waits for it serves nobody.
    Thread drain = new Thread(() -> discard(out), "isotail-broker-output");
    drain.setDaemon(true);
    drain.start();
  }

  private static void discard(BufferedReader out) {
    try (out) {
      out.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // The process was killed: there is no more output.
    }
  }
}

package io.isotail.ingest.chaos;

import io.isotail.ingest.sandbox.BrokerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Kafka in a process of its own, which is killed, frozen and started again with the same data. */
final class ChaosBroker {
  private final Path work;
  private final String address;
  private Program process;
  private int starts;

  ChaosBroker(Path work, int port) throws IOException, InterruptedException {
    this.work = work;
    this.address = "127.0.0.1:" + port;
    this.process = started();
  }

  String address() {
    return address;
  }

  /** Starts it; returns when it serves clients. */
  void start() throws IOException, InterruptedException {
    process = started();
  }

  private Program started() throws IOException, InterruptedException {
    Path log = work.resolve("broker-" + ++starts + ".log");
    Program broker =
        Program.start(
            log,
            Map.of(),
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BrokerMain.class.getName(),
                address,
                work.resolve("broker").toString()));
    Program.await("the broker", () -> contains(log, BrokerMain.READY));
    return broker;
  }

  private static boolean contains(Path log, String text) {
    try {
      return Files.readString(log).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  void kill() {
    process.kill();
  }

  /** Stops it without ending it: its connections stay open, and nobody answers. */
  void freeze() throws IOException, InterruptedException {
    process.signal("STOP");
  }

  /** Lets it go on. */
  void thaw() throws IOException, InterruptedException {
    process.signal("CONT");
  }
}

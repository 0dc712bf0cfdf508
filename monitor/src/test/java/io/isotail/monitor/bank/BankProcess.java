package io.isotail.monitor.bank;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A bank in a process of its own, which can be killed. */
final class BankProcess implements AutoCloseable {
  private final Process process;
  private volatile boolean ready;
  private volatile BankCounters.Counts counts = BankCounters.Counts.NONE;

  BankProcess(String url, BankPlan plan, Path log) {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            BankMain.class.getName(),
            url,
            Integer.toString(BankPlan.KILLED_TELLERS),
            plan.levels().name(),
            Long.toString(plan.seed() + 1),
            Long.toString(plan.rebooking().ofKilled()));
    try {
      process = new ProcessBuilder(command).redirectError(Redirect.appendTo(log.toFile())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::follow, "bank-process-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Whether its connections are open. */
  boolean ready() {
    if (!ready && !process.isAlive()) {
      throw new IllegalStateException(
          "the bank's process ended with status %d before it was ready"
              .formatted(process.exitValue()));
    }
    return ready;
  }

  /** Lets its tellers work. */
  void open() {
    try {
      process.getOutputStream().write("open\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it has done, as it last said. */
  BankCounters.Counts counts() {
    return counts;
  }

  /** Lets it close in good order, unless it is gone. */
  void stop() throws InterruptedException {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It was killed before it had read what was said last.
    }
    process.waitFor();
  }

  /** Ends it as kill -9 does. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }

  private void follow() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        ready |= line.equals(BankMain.READY);
        BankCounters.Counts said = BankCounters.Counts.parse(line);
        if (said != null) {
          counts = said;
        }
      }
    } catch (IOException e) {
      // The process was killed.
    }
  }
}

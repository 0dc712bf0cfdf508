package io.isotail.monitor.demo;

import io.isotail.monitor.cli.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code isotail workload} in a process of its own, which can be killed. */
final class WorkloadProcess implements AutoCloseable {
  private static final Pattern LINE =
      Pattern.compile("workload: (\\d+) committed, \\d+ aborted, \\d+ retried, (\\d+) errors");

  private final Process process;
  private volatile long committed;
  private volatile long errors;

  WorkloadProcess(String url, String isolation, int rate, Path log) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "workload",
                "--url",
                url,
                "--isolation",
                isolation,
                "--rate",
                Integer.toString(rate)));
    try {
      process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::follow, "workload-output");
    reader.setDaemon(true);
    reader.start();
  }

  /** Transactions committed so far, as it last said. */
  long committed() {
    return committed;
  }

  /** Statements or connections that failed, as it last said. */
  long errors() {
    return errors;
  }

  /** Ends it as kill -9 does. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Ends it as Ctrl-C does. */
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  @Override
  public void close() {
    kill();
  }

  private void follow() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher matcher = LINE.matcher(line);
        if (matcher.matches()) {
          committed = Long.parseLong(matcher.group(1));
          errors = Long.parseLong(matcher.group(2));
        }
      }
    } catch (IOException e) {
      // The process was killed.
    }
  }
}

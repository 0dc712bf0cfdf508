package io.isotail.monitor.process;

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
public final class WorkloadProcess implements AutoCloseable {
  private static final Pattern LINE =
      Pattern.compile(
          "workload: (\\d+) committed, \\d+ aborted, \\d+ retried, (\\d+) errors,"
              + " \\d+ conflicting pairs");

  private final Process process;
  private volatile long committed;
  private volatile long errors;

  /**
   * Starts it.
   *
   * @param options further options of the command
   */
  public WorkloadProcess(String url, String isolation, int rate, Path log, String... options) {
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
    command.addAll(List.of(options));
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
  public long committed() {
    return committed;
  }

  /** Statements or connections that failed, as it last said. */
  public long errors() {
    return errors;
  }

  /** Ends it as kill -9 does. */
  public void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Ends it as Ctrl-C does. */
  public void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  /** The process. */
  public ProcessHandle handle() {
    return process.toHandle();
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

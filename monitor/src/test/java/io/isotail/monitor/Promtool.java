package io.isotail.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** Runs Prometheus's own checker. */
public final class Promtool {
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  private Promtool() {}

  /** What {@code promtool check metrics} says of these metrics; empty when they are clean. */
  public static String checkMetrics(String metrics) throws IOException, InterruptedException {
    if (!Files.isExecutable(PROMTOOL)) {
      String missing = "promtool is not installed; install Debian's package prometheus";
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException(missing);
      }
      Assumptions.abort(missing);
    }
    Process process =
        new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
            .redirectErrorStream(true)
            .start();
    try (var in = process.getOutputStream()) {
      in.write(metrics.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("promtool did not end");
    }
    return process.exitValue() == 0 ? said : said + "\nexit status " + process.exitValue();
  }
}

package io.isotail.monitor.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link FormatFuzz} for minutes and leaves the figures in a file. {@code deploy/verify
 * --campaign fuzz} starts it; by its name it is no test of the build.
 */
class FormatFuzzCampaign {
  @TempDir private Path folder;

  @Test
  void fuzz() throws Exception {
    long minutes = Long.getLong("isotail.fuzz.minutes", 60);
    long first = Long.getLong("isotail.fuzz.seed", 1);
    long startNs = System.nanoTime();
    long endNs = startNs + TimeUnit.MINUTES.toNanos(minutes);
    String found = "nothing";
    long seed = first;
    try (FormatFuzz fuzz = new FormatFuzz(folder)) {
      try {
        for (; System.nanoTime() < endNs; seed++) {
          fuzz.run(seed);
        }
      } catch (FormatFuzz.FoundException e) {
        found = e.getMessage();
        throw e;
      } finally {
        write(fuzz, first, seed, System.nanoTime() - startNs, found);
      }
    }
  }

  private static void write(FormatFuzz fuzz, long first, long next, long tookNs, String found)
      throws IOException {
    String text =
        String.format(
            Locale.ROOT,
            """
            # Damaged history files

            `deploy/verify --campaign fuzz`: valid files of every format, whole, cut at every length, and with bytes
            flipped, removed, repeated, put in or replaced by noise. Each must be refused with its place, or give the
            verdicts of the definitions.

            | | |
            |---|---|
            | commit | %s |
            | machine | %s, %d processors, Java %s |
            | took | %.1f min |
            | seeds | %d to %d |
            | files | %,d |
            | refused with their place | %,d |
            | read as a history | %,d |
            | judged by the naive checker | %,d |
            | verdicts compared | %,d pass, %,d fail |
            | found wrong | %s |
            """,
            System.getProperty("isotail.fuzz.commit", "unknown"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            Runtime.version(),
            tookNs / 60e9,
            first,
            Math.max(first, next - 1),
            fuzz.inputs,
            fuzz.refused,
            fuzz.read,
            fuzz.judged,
            fuzz.passed,
            fuzz.failed,
            found);
    System.out.println(text);
    String out = System.getProperty("isotail.fuzz.out");
    if (out != null) {
      Files.writeString(Path.of(out), text);
    }
  }
}

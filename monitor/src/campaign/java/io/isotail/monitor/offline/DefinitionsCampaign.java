package io.isotail.monitor.offline;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link RandomHistoriesInFiles} for long, and {@link ExpectedHistories} where there is such a
 * folder; leaves the figures as rows of a table in a file. {@code deploy/verify --campaign
 * definitions} starts it; by its name it is no test of the build.
 */
class DefinitionsCampaign {
  private static final int MAX_NAMED = 20;

  @TempDir private Path folder;

  @Test
  void randomHistoriesInFiles() throws Exception {
    int histories = Integer.getInteger("isotail.definitions.in.files", 100_000);
    long first = Seeds.FIRST;
    long startNs = System.nanoTime();
    String found = "nothing";
    RandomHistoriesInFiles run = new RandomHistoriesInFiles(folder);
    try {
      for (long seed = first; seed < first + histories; seed++) {
        run.run(seed);
      }
    } catch (AssertionError e) {
      found = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw e;
    } finally {
      append(
          """
          | random histories in files | seeds %d to %d, %,d histories, %.1f min |
          | files by format, half of them shuffled | %s |
          | verdicts compared with the naive checker's | %,d pass, %,d fail |
          | found wrong | %s |
          """,
          first,
          first + histories - 1,
          run.histories,
          (System.nanoTime() - startNs) / 60e9,
          run.files,
          run.passed,
          run.failed,
          found);
    }
  }

  @Test
  void expectedHistories() throws Exception {
    String histories = System.getProperty("isotail.definitions.folder", "");
    if (histories.isEmpty()) {
      append("| histories with known verdicts | none given |\n");
      return;
    }
    Path launcher = Path.of(System.getProperty("isotail.definitions.launcher"));
    ExpectedHistories run = new ExpectedHistories(Path.of(histories), folder, launcher);
    run.run();
    List<String> named = run.wrong.subList(0, Math.min(MAX_NAMED, run.wrong.size()));
    append(
        """
        | histories with known verdicts | %,d |
        | files by format: as they are, in every format, half of these shuffled | %s |
        | verdicts compared | %,d |
        | anomalies whose programs were asked of every level | %,d |
        | verdicts expected at levels that cannot be checked yet | %,d |
        | found wrong | %s |
        """,
        run.count,
        run.files,
        run.compared,
        run.programs,
        run.notDecided,
        run.wrong.isEmpty() ? "nothing" : run.wrong.size() + ": " + String.join("; ", named));
    assertThat(run.count).isPositive();
    assertThat(run.wrong).isEmpty();
  }

  private static void append(String format, Object... values) throws IOException {
    String text = String.format(Locale.ROOT, format, values);
    System.out.print(text);
    String out = System.getProperty("isotail.definitions.out");
    if (out != null) {
      Files.writeString(Path.of(out), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
  }
}

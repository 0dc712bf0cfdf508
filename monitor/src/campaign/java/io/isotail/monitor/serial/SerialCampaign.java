package io.isotail.monitor.serial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * Many serial runs, each with another seed, of which every fourth has an anomaly in it; the figures
 * go into a file. Its name keeps it out of ordinary builds; {@code deploy/verify --campaign serial}
 * runs it.
 */
final class SerialCampaign {
  private static final int RUNS = Integer.getInteger("isotail.serial.runs", 200);
  private static final long SEED = Long.getLong("isotail.serial.seed", 1);

  /** One planted run for so many honest ones. */
  private static final int HONEST_FOR_ONE_PLANTED = 4;

  @Test
  void noAlarmIsFalseAndWhatIsPlantedIsFound() throws Exception {
    SerialTotals honest = new SerialTotals();
    SerialTotals planted = new SerialTotals();
    SoftAssertions failures = new SoftAssertions();
    List<String> failed = new ArrayList<>();
    long startNs = System.nanoTime();
    try (SerialDatabase database = SerialDatabase.start()) {
      for (int i = 0; i < RUNS; i++) {
        run(SerialPlan.honest(SEED + i), database, honest, failures, failed);
        if (i % HONEST_FOR_ONE_PLANTED == 0) {
          int number = i / HONEST_FOR_ONE_PLANTED;
          Plant plant = Plant.values()[number % Plant.values().length];
          boolean unique = number / Plant.values().length % 2 == 1;
          run(SerialPlan.planted(SEED + i, plant, unique), database, planted, failures, failed);
        }
        if ((i + 1) % 20 == 0 || i + 1 == RUNS) {
          System.out.printf("serial: %d of %d runs: %s%n", i + 1, RUNS, honest.text());
          write(honest, planted, failed, (System.nanoTime() - startNs) / 1e9);
        }
      }
    }
    failures.assertThat(honest.share(TableKind.UNIQUE).decided()).isPositive();
    failures.assertThat(honest.share(TableKind.COUNTING).decided()).isPositive();
    failures.assertAll();
  }

  private static void run(
      SerialPlan plan,
      SerialDatabase database,
      SerialTotals totals,
      SoftAssertions failures,
      List<String> failed)
      throws Exception {
    SerialFigures figures = SerialRun.run(plan, database);
    totals.add(figures);
    int before = failures.assertionErrorsCollected().size();
    failures.check(figures::check);
    if (failures.assertionErrorsCollected().size() > before) {
      failed.add(plan.toString());
      System.out.printf("serial: FAILED %s%n", plan);
    }
  }

  /** Writes what there is so far: a campaign that is stopped leaves the runs that it made. */
  private static void write(
      SerialTotals honest, SerialTotals planted, List<String> failed, double seconds)
      throws IOException {
    String out = System.getProperty("isotail.serial.out");
    if (out == null) {
      return;
    }
    String head =
        String.format(
            Locale.ROOT,
            """
            # Strictly serial traffic: %d runs

            `deploy/verify --campaign serial --runs %d --seed %d` at commit %s; %d processors, Java %s, %.0f s.

            Each run: one to four captured connections of one or two applications and one past isotail, on a real
            PostgreSQL, never two transactions open at once. Rows were there before capture began; triggers, cascades,
            TRUNCATE, statements that are not understood, values that come back. Each history was checked four times:
            promises by level and strict serializability for everybody, in windows of 10 and of 100,000 transactions.
            Every anomaly is a false alarm, but in the runs with one planted, where it has to be found each time
            and nothing else may be.

            """,
            honest.runs(),
            RUNS,
            SEED,
            System.getProperty("isotail.serial.commit", "unknown"),
            Runtime.getRuntime().availableProcessors(),
            Runtime.version(),
            seconds);
    Files.writeString(
        Path.of(out), head + honest.table() + planted.plantedTable() + failures(failed));
  }

  private static String failures(List<String> failed) {
    return failed.isEmpty()
        ? "No run failed.\n"
        : "**Failed:**\n\n- " + String.join("\n- ", failed) + "\n";
  }
}

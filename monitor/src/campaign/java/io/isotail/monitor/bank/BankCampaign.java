package io.isotail.monitor.bank;

import io.isotail.monitor.bank.BankPlan.Rebooking;
import io.isotail.monitor.bank.BankPlan.Versions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many runs of the bank, each with another seed, whose figures go into a file. Its name keeps it
 * out of ordinary builds; {@code deploy/verify --campaign bank} runs it.
 */
final class BankCampaign {
  private static final int RUNS = Integer.getInteger("isotail.bank.runs", 10);
  private static final int SECONDS = Integer.getInteger("isotail.bank.seconds", 30);
  private static final long SEED = Long.getLong("isotail.bank.seed", 1);
  private static final Rebooking REBOOKING =
      Rebooking.valueOf(
          System.getProperty("isotail.bank.rebooking", "own").toUpperCase(Locale.ROOT));

  private static final Versions VERSIONS =
      Versions.valueOf(
          System.getProperty("isotail.bank.versions", "declared").toUpperCase(Locale.ROOT));
  private static final String DECLARED =
      """
      Accounts
      are declared as counting, every other setting of the history is the default; repeatable read and serializable
      promised causal, read committed promised read committed.
      """;
  private static final String KEPT =
      """
      Nothing
      is declared of the tables: xmin is the version. Repeatable read and serializable are promised snapshot isolation,
      read committed what it is called.
      """;

  @TempDir private Path folder;

  @Test
  void noRunRaisesAnAlarm() throws Exception {
    List<String> rows = new ArrayList<>();
    SoftAssertions failures = new SoftAssertions();
    for (int i = 0; i < RUNS; i++) {
      Duration traffic = Duration.ofSeconds(SECONDS);
      long seed = SEED + 10L * i;
      BankPlan plan =
          VERSIONS == Versions.KEPT
              ? BankPlan.unprepared(traffic, REBOOKING, seed)
              : BankPlan.honest(traffic, REBOOKING, seed);
      BankFigures figures = BankRun.run(plan, folder);
      System.out.printf("bank run %d of %d, seed %d: %s", i + 1, RUNS, plan.seed(), figures.text());
      rows.add(figures.row(Integer.toString(i + 1)));
      write(rows);
      failures.check(
          () -> {
            if (VERSIONS == Versions.KEPT) {
              figures.checkNoAlarmAndAllDecided(0.98, 0.98);
            } else {
              figures.checkNoAlarmAndCoverage(0.3);
            }
          });
    }
    failures.assertAll();
  }

  /** Writes what there is so far: a campaign that is stopped leaves the runs that it made. */
  private static void write(List<String> rows) throws IOException {
    String out = System.getProperty("isotail.bank.out");
    if (out == null) {
      return;
    }
    String head =
        String.format(
            Locale.ROOT,
            """
            # Bank: %d runs of %d s

            `deploy/verify --campaign bank --runs %d --seconds %d --seed %d --rebooking %s --versions %s` at commit %s;
            %d processors, %d MB of memory, Java %s, seeds %d to %d by 10.

            `lived` and `killed` write through isotail's driver and HikariCP, `unseen` past it; `killed` ends by
            kill -9 after a third of the time. Its own count is what it last said. The other counts are the
            checker's: `aborted`, `unknown`, `silent` proxies. Coverage is the share of reads decided. %s
            """,
            rows.size(),
            SECONDS,
            RUNS,
            SECONDS,
            SEED,
            REBOOKING.name().toLowerCase(Locale.ROOT),
            VERSIONS.name().toLowerCase(Locale.ROOT),
            System.getProperty("isotail.bank.commit", "unknown"),
            Runtime.getRuntime().availableProcessors(),
            memoryMegabytes(),
            Runtime.version(),
            SEED,
            SEED + 10L * (RUNS - 1),
            VERSIONS == Versions.KEPT ? KEPT : DECLARED);
    Files.writeString(Path.of(out), head + BankFigures.HEAD + String.join("", rows));
  }

  private static long memoryMegabytes() {
    return java.lang.management.ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize() >> 20
        : -1;
  }
}

package io.isotail.monitor.bank;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.bank.BankPlan.Rebooking;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real traffic through a real pool: nothing that PostgreSQL does right becomes an alarm. */
final class BankIT {
  private static final Duration TRAFFIC = Duration.ofSeconds(6);

  /** What is undecided just after the silence is a small part of what comes in such a time. */
  private static final Duration LONG_TRAFFIC = Duration.ofSeconds(15);

  @TempDir private Path folder;

  @Test
  void businessAtMixedLevelsBreaksNoPromise() throws Exception {
    BankPlan plan =
        BankPlan.honest(TRAFFIC, Rebooking.SHARED, 1).with("proxy.silent-after-ms", "3000");
    BankFigures figures = BankRun.run(plan, folder);
    System.out.print(figures.text());
    figures.checkNoAlarmAndCoverage(0.05);
    assertThat(figures.report().undecided())
        .as("the client past isotail and the killed one are felt")
        .containsKeys(UndecidedReason.UNKNOWN_WRITER, UndecidedReason.LOST_RECORDS);
  }

  @Test
  void anUnpreparedApplicationIsDecidedAndBreaksNoPromise() throws Exception {
    BankPlan plan =
        BankPlan.unprepared(LONG_TRAFFIC, Rebooking.SHARED, 3)
            .with("proxy.silent-after-ms", "3000");
    BankFigures figures = BankRun.run(plan, folder);
    System.out.print(figures.text());
    figures.checkNoAlarmAndAllDecided(0.9, 0.98);
  }

  @Test
  void lostUpdatesOfAnUnpreparedApplicationAreFound() throws Exception {
    BankFigures figures = BankRun.run(BankPlan.unpreparedCareless(4), folder);
    System.out.print(figures.text());
    assertThat(figures.report().anomalies().get(IsolationLevel.SNAPSHOT_ISOLATION))
        .containsKey(AnomalyKind.LOST_UPDATE);
  }

  @Test
  void readCommittedUnderAPromiseOfCausalIsFoundOut() throws Exception {
    BankFigures figures = BankRun.run(BankPlan.broken(2), folder);
    System.out.print(figures.text());
    assertThat(figures.anomalies()).isPositive();
  }
}

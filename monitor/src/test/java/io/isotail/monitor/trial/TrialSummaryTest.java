package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.coverage.CaptureReport;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.verdict.LevelReport;
import io.isotail.incremental.verdict.Moment;
import io.isotail.ingest.emit.EmitterStats;
import io.isotail.ingest.workload.WorkloadConfig;
import io.isotail.ingest.workload.WorkloadStats;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.terminal.Paint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a trial says of a database, by what it found and how much was decided. */
class TrialSummaryTest {
  private static final IsolationLevel PROMISE = IsolationLevel.SNAPSHOT_ISOLATION;
  private static final WorkloadStats TENSE = new WorkloadStats(1_000, 500, 10, 5, 0, 0, 40);
  private static final CheckerReport CLEAN = report(Verdict.PASS, 1_000, Map.of());

  private static CheckerReport report(
      Verdict verdict, long decidedOf1000, Map<IsolationLevel, Map<AnomalyKind, Long>> anomalies) {
    LevelReport level = new LevelReport(verdict, Moment.START, 1_000, 1_000, Map.of(), 0);
    return report(Map.of(PROMISE, level), decidedOf1000, anomalies);
  }

  private static CheckerReport report(
      Map<IsolationLevel, LevelReport> levels,
      long decidedOf1000,
      Map<IsolationLevel, Map<AnomalyKind, Long>> anomalies) {
    return new CheckerReport(
        levels,
        PROMISE,
        null,
        4,
        1_000,
        0,
        0,
        4_000,
        1_000,
        decidedOf1000,
        0,
        0,
        CaptureReport.NONE,
        Map.of(),
        anomalies,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1_000,
        0,
        4,
        1);
  }

  private static TrialVerdict verdict(
      CheckerReport report, WorkloadStats workload, long faults, boolean caughtUp) {
    return summary(
            report,
            workload,
            faults,
            caughtUp,
            SessionLevels.of(DatabaseIsolation.REPEATABLE_READ, PROMISE))
        .verdict();
  }

  private static TrialSummary summary(
      CheckerReport report,
      WorkloadStats workload,
      long faults,
      boolean caughtUp,
      SessionLevels levels) {
    TrialConfig config =
        new TrialConfig(
            "trial",
            new TrialDatabase() {
              @Override
              public String name() {
                return "none";
              }

              @Override
              public Running start() {
                throw new IllegalStateException("no database here");
              }
            },
            levels,
            WorkloadConfig.defaults(1),
            Duration.ofSeconds(1),
            Faults.NONE,
            null,
            0);
    return new TrialSummary(
        config,
        report,
        List.of(),
        List.of(),
        List.of(),
        workload,
        EmitterStats.NONE,
        Map.of(),
        faults,
        MonitorStatus.INITIAL,
        caughtUp,
        1,
        TrialTimes.NONE);
  }

  /** A trial whose sessions run at two levels, the stronger one in so many transactions. */
  private static TrialSummary mixed(long serializable) {
    LevelReport all = new LevelReport(Verdict.PASS, Moment.START, 43_312, 43_312, Map.of(), 0);
    LevelReport some =
        new LevelReport(Verdict.NOT_CHECKED, Moment.START, serializable, 43_312, Map.of(), 0);
    return summary(
        report(
            Map.of(IsolationLevel.READ_COMMITTED, all, IsolationLevel.SERIALIZABLE, some),
            1_000,
            Map.of()),
        TENSE,
        0,
        true,
        new SessionLevels(
            List.of(
                new SessionLevels.Level(
                    DatabaseIsolation.READ_COMMITTED, IsolationLevel.READ_COMMITTED, "db:rc"),
                new SessionLevels.Level(
                    DatabaseIsolation.SERIALIZABLE, IsolationLevel.SERIALIZABLE, "db:ser"))));
  }

  @Test
  void aLevelThatWasPromisedToFewHasNotHeld() {
    assertThat(mixed(21_656).verdict()).isEqualTo(TrialVerdict.PASS);
    assertThat(mixed(2).verdict()).isEqualTo(TrialVerdict.UNDECIDED);
    assertThat(mixed(2).text(Paint.PLAIN))
        .contains("read-committed: promised to 43,312 of 43,312 transactions\n")
        .contains(
            "serializable: promised to 2 of 43,312 transactions, too few to say that it held");
    assertThat(mixed(2).json().path("promised").path("serializable").asLong()).isEqualTo(2);
  }

  private static TrialVerdict of(CheckerReport report) {
    return verdict(report, TENSE, 0, true);
  }

  private static TrialVerdict of(WorkloadStats workload, long faults) {
    return verdict(CLEAN, workload, faults, true);
  }

  @Test
  void aPromiseThatHeldUnderConflictsPasses() {
    assertThat(of(CLEAN)).isEqualTo(TrialVerdict.PASS);
  }

  @Test
  void whatBreaksThePromiseFailsHoweverLittleWasDecided() {
    Map<AnomalyKind, Long> one = Map.of(AnomalyKind.LOST_UPDATE, 1L);
    CheckerReport broken = report(Verdict.FAIL, 10, Map.of(PROMISE, one));
    assertThat(of(broken)).isEqualTo(TrialVerdict.FAIL);
    assertThat(verdict(broken, new WorkloadStats(1, 0, 0, 0, 0, 99, 0), 0, false))
        .isEqualTo(TrialVerdict.FAIL);
    assertThat(of(report(Verdict.FAIL, 1_000, Map.of(IsolationLevel.READ_COMMITTED, one))))
        .as("a weaker level is promised too")
        .isEqualTo(TrialVerdict.FAIL);
  }

  @Test
  void whatBreaksAStrongerLevelBreaksNoPromise() {
    Map<AnomalyKind, Long> one = Map.of(AnomalyKind.WRITE_SKEW, 1L);
    assertThat(of(report(Verdict.PASS, 1_000, Map.of(IsolationLevel.SERIALIZABLE, one))))
        .isEqualTo(TrialVerdict.PASS);
  }

  @Test
  void tooLittleDecidedIsUndecided() {
    assertThat(of((CheckerReport) null)).isEqualTo(TrialVerdict.UNDECIDED);
    assertThat(verdict(CLEAN, TENSE, 0, false)).isEqualTo(TrialVerdict.UNDECIDED);
    assertThat(of(report(Verdict.PASS, 989, Map.of()))).isEqualTo(TrialVerdict.UNDECIDED);
    assertThat(of(report(Verdict.PASS, 990, Map.of()))).isEqualTo(TrialVerdict.PASS);
    assertThat(of(report(Verdict.UNDECIDED, 1_000, Map.of()))).isEqualTo(TrialVerdict.UNDECIDED);
    assertThat(of(report(Verdict.NOT_CHECKED, 1_000, Map.of()))).isEqualTo(TrialVerdict.UNDECIDED);
  }

  @Test
  void failuresBeyondOneInAHundredAndTheFaultsAreUndecided() {
    assertThat(of(new WorkloadStats(1_000, 500, 0, 0, 0, 10, 40), 0)).isEqualTo(TrialVerdict.PASS);
    assertThat(of(new WorkloadStats(1_000, 500, 0, 0, 0, 11, 40), 0))
        .isEqualTo(TrialVerdict.UNDECIDED);
    assertThat(of(new WorkloadStats(1_000, 500, 0, 0, 0, 13, 40), 3)).isEqualTo(TrialVerdict.PASS);
    assertThat(of(new WorkloadStats(1_000, 500, 0, 0, 0, 14, 40), 3))
        .isEqualTo(TrialVerdict.UNDECIDED);
  }

  @Test
  void withoutConflictsOrWritesNothingWasProvoked() {
    assertThat(of(new WorkloadStats(1_000, 500, 0, 0, 0, 0, 0), 0))
        .isEqualTo(TrialVerdict.NOT_PROVOKED);
    assertThat(of(new WorkloadStats(1_000, 0, 0, 0, 0, 0, 40), 0))
        .isEqualTo(TrialVerdict.NOT_PROVOKED);
  }
}

package io.isotail.monitor.bank;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.monitor.store.StoredAnomaly;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run did and what the monitor made of it.
 *
 * @param lived what the application that lived did
 * @param killed what the one that was killed had done, as it last said
 * @param unseen what the client past isotail did
 * @param beforeKill the checker's report just before the kill, or at the end if nobody was killed
 * @param noticed the checker's report when the silence was noticed, or at the end
 * @param report the checker's report at the end
 * @param alarms the anomalies
 * @param seconds how long the business lasted
 */
record BankFigures(
    BankCounters.Counts lived,
    BankCounters.Counts killed,
    BankCounters.Counts unseen,
    CheckerReport beforeKill,
    CheckerReport noticed,
    CheckerReport report,
    List<StoredAnomaly> alarms,
    double seconds) {

  /** Head of the table whose rows {@link #row} gives. */
  static final String HEAD =
      "| run | committed (lived / killed / unseen) | retried (40001 / 40P01 / stale) | refused |"
          + " aborted | unknown | alarms | silent | coverage before the kill | since it was noticed"
          + " | of the whole | decided with foreign writers, before and since | edges"
          + " | undecided by reason |\n"
          + "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";

  BankFigures {
    alarms = List.copyOf(alarms);
  }

  /** Least share of reads decided before the kill, in the first seconds of the business. */
  static final double MIN_COVERAGE_BEFORE = 0.5;

  /**
   * Checks that nothing was reported, that enough was decided for this to mean something, and that
   * all that a bank meets with was met with.
   *
   * @param coverageAfter least share of reads decided after the silence was noticed; a window of
   *     transactions cannot be, so it grows with the time
   */
  void checkNoAlarmAndCoverage(double coverageAfter) {
    checkHonestRun();
    assertThat(beforeKill.coverage()).as("coverage").isGreaterThan(MIN_COVERAGE_BEFORE);
    assertThat(coverageSince(noticed))
        .as("coverage since the silence was noticed")
        .isGreaterThan(coverageAfter);
  }

  /**
   * The same where versions name their writers. What the client past isotail wrote is decided too,
   * though it is no part of the coverage.
   *
   * @param before least share of reads decided before the kill
   * @param since least share of reads decided after the silence was noticed
   */
  void checkNoAlarmAndAllDecided(double before, double since) {
    checkHonestRun();
    assertThat(decidedBefore()).as("decided before the kill").isGreaterThan(before);
    assertThat(decidedSince()).as("decided since the silence was noticed").isGreaterThan(since);
    assertThat(report.readsForeign()).as("reads of the client past isotail").isPositive();
  }

  private void checkHonestRun() {
    assertThat(report.anomalies()).as("anomalies").isEmpty();
    assertThat(alarms).as("alarms").isEmpty();
    assertThat(report.edgesInferred()).as("edges inferred").isPositive();
    assertThat(report.silentProxies()).as("silent proxies").isEqualTo(1);
    assertThat(report.aborted()).as("aborted").isPositive();
    assertThat(lived.errors() + unseen.errors()).as("errors").isZero();
    assertThat(lived.retried()).as("retried").isPositive();
    assertThat(lived.refused()).as("refused statements").isPositive();
    assertThat(lived.savepoints()).as("rollbacks to a savepoint").isPositive();
    assertThat(unseen.committed()).as("unseen transactions").isPositive();
  }

  /** Distinct anomalies. */
  long anomalies() {
    return report.anomalies().values().stream()
        .flatMap(kinds -> kinds.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  /** Share of the reads decided that were checked after {@code earlier}. */
  double coverageSince(CheckerReport earlier) {
    long reads = report.reads() - earlier.reads();
    return reads == 0 ? 0 : (double) (report.readsDecided() - earlier.readsDecided()) / reads;
  }

  private double decidedBefore() {
    long decided = beforeKill.readsDecided() + beforeKill.readsForeign();
    return (double) decided / beforeKill.reads();
  }

  private double decidedSince() {
    long decided = report.readsDecided() + report.readsForeign();
    long earlier = noticed.readsDecided() + noticed.readsForeign();
    return (double) (decided - earlier) / (report.reads() - noticed.reads());
  }

  private Map<String, Long> undecided() {
    Map<String, Long> byName = new TreeMap<>();
    for (Map.Entry<UndecidedReason, Long> entry : report.undecided().entrySet()) {
      byName.put(entry.getKey().label(), entry.getValue());
    }
    return byName;
  }

  /** The figures as a row of a Markdown table. */
  String row(String run) {
    return String.format(
        Locale.ROOT,
        "| %s | %d / %d / %d | %d / %d / %d | %d | %d | %d | %d | %d | %.3f | %.3f | %.3f"
            + " | %.3f, %.3f | %d | %s |%n",
        run,
        lived.committed(),
        killed.committed(),
        unseen.committed(),
        lived.serializationFailures() + killed.serializationFailures(),
        lived.deadlocks() + killed.deadlocks(),
        lived.staleVersions() + killed.staleVersions(),
        lived.refused() + killed.refused(),
        report.aborted(),
        report.unknown(),
        anomalies(),
        report.silentProxies(),
        beforeKill.coverage(),
        coverageSince(noticed),
        report.coverage(),
        decidedBefore(),
        decidedSince(),
        report.edgesInferred(),
        undecided().toString().replaceAll("[{}]", ""));
  }

  /** The figures for people. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%.1f s; lived: %s%n  killed: %s%n  unseen: %s%n",
            seconds,
            lived.line(),
            killed.line(),
            unseen.line()));
    text.append(
        String.format(
            Locale.ROOT,
            "  checked %d committed, %d aborted, %d unknown; %d of %d reads decided, coverage %.3f"
                + " (%.3f before the kill, %.3f since, %.3f since it was noticed)%n"
                + "  undecided %s; silent proxies %d; edges inferred %d; verdicts %s%n",
            report.transactions(),
            report.aborted(),
            report.unknown(),
            report.readsDecided(),
            report.reads(),
            report.coverage(),
            beforeKill.coverage(),
            coverageSince(beforeKill),
            coverageSince(noticed),
            undecided(),
            report.silentProxies(),
            report.edgesInferred(),
            report.verdicts()));
    text.append(
        String.format(
            Locale.ROOT,
            "  decided with foreign writers %.3f before the kill, %.3f since%n",
            decidedBefore(),
            decidedSince()));
    text.append("  undecided before the kill ").append(beforeKill.undecided()).append('\n');
    text.append("  anomalies ").append(report.anomalies()).append('\n');
    for (StoredAnomaly alarm : alarms.subList(0, Math.min(5, alarms.size()))) {
      text.append("  ").append(alarm.explanation()).append('\n');
    }
    return text.toString();
  }
}

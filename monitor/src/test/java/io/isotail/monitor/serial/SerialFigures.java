package io.isotail.monitor.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

/**
 * What a run did and what the checkers made of it.
 *
 * @param committed captured transactions that committed
 * @param capturedChanges rows that captured connections changed, triggers and cascades included
 * @param outsideChanges rows that the connection past isotail changed
 * @param coverage reads of what other captured transactions wrote
 * @param findings every anomaly that was reported
 * @param history what was captured, for people
 * @param trafficSeconds how long the traffic took, with the connections
 * @param checkSeconds how long the checkers took
 */
record SerialFigures(
    SerialPlan plan,
    long committed,
    long capturedChanges,
    long outsideChanges,
    Map<TableKind, SerialChecks.Share> coverage,
    List<SerialChecks.Finding> findings,
    String history,
    double trafficSeconds,
    double checkSeconds) {

  /** Alarms that a failed check tells. */
  private static final int MAX_TOLD = 4;

  /** Checks that nothing was reported but what was planted, and that that was. */
  void check() {
    Plant plant = plan.plant();
    List<SerialChecks.Finding> alarms =
        findings.stream()
            .filter(
                finding ->
                    plant == null
                        || !finding.concerns(Planting.TABLE)
                        || (finding.promise().isEmpty() && !plant.atItsLevel()))
            .limit(MAX_TOLD)
            .toList();
    assertThat(alarms).as("false alarms of %s in%n%s", plan, history).isEmpty();
    if (plant != null) {
      for (String promise : SerialChecks.PROMISES) {
        for (String window : SerialChecks.WINDOWS) {
          if (!promise.isEmpty() || plant.atItsLevel()) {
            assertThat(findings)
                .as(
                    "%s under '%s' in window '%s' of %s in%n%s",
                    plant, promise, window, plan, history)
                .anyMatch(
                    finding ->
                        finding.promise().equals(promise)
                            && finding.window().equals(window)
                            && plant.violates().atLeast(finding.anomaly().level()));
          }
        }
      }
    }
  }
}

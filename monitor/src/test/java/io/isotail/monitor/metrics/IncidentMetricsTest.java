package io.isotail.monitor.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.cause.CauseReport;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.IncidentJson;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.StoredIncident;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class IncidentMetricsTest {
  private static final String SLOT =
      "isotail_incident_violations_total{history=\"shop\",slot=\"%s\"} ";

  private long nowMs = SampleAnomalies.COMMIT_NS / 1_000_000;

  private MonitorMetrics metrics() {
    return new MonitorMetrics(new StatusBoard(), "https://isotail.example", "", () -> nowMs);
  }

  private static StoredIncident incident(int slot) {
    return incident(SampleAnomalies.INCIDENT, slot);
  }

  private static StoredIncident incident(String id, int slot) {
    CauseReport cause = SampleAnomalies.cause("shop", "w1");
    String document =
        IncidentJson.of(SampleAnomalies.incident(cause), cause)
            .put("incident", id)
            .put("slot", slot)
            .toString();
    return StoredIncident.of(document.getBytes(StandardCharsets.UTF_8));
  }

  private static String scrape(MonitorMetrics metrics) {
    return new String(metrics.scrape(null).body(), StandardCharsets.UTF_8);
  }

  @Test
  void aCounterIsSeenAtZeroBeforeItMoves() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(incident(3));
      metrics.caused("shop", 3, 7);
      assertThat(scrape(metrics)).contains(SLOT.formatted(3) + "0.0", SLOT.formatted(0) + "0.0");
      assertThat(scrape(metrics)).contains(SLOT.formatted(3) + "7.0");
      metrics.caused("shop", 3, 2);
      assertThat(scrape(metrics))
          .contains(SLOT.formatted(3) + "9.0", SLOT.formatted(4) + "0.0")
          .contains("witness=\"w1\"", "url=\"https://isotail.example\"", "slot=\"3\"");
    }
  }

  /** What is woken up by it reads this, so that it is held to the letter. */
  @Test
  void itsWordsStandAloneAndChangeSeldom() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(incident(3));
      assertThat(scrape(metrics))
          .contains(
              "title=\"An update was lost in POST /pay of billing: promised snapshot-isolation, run at read committed\"",
              "radius=\"over 1,000 of over 20,000 transactions, over 20 rows of account\"",
              "counts=\"lost-update over 1,000\"",
              "wave=\"1\"",
              "root=\"promise\"",
              "again=\"\"",
              "ended=\"\"");
    }
  }

  @Test
  void anOldIncidentIsShownAndCountsNothing() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(incident(1));
      scrape(metrics);
      assertThat(scrape(metrics)).contains(SLOT.formatted(1) + "0.0", "isotail_incident_info{");
    }
  }

  @Test
  void anIncidentWithoutASlotCountsForAllOthers() {
    try (MonitorMetrics metrics = metrics()) {
      for (int slot : new int[] {0, -1, 4_711}) {
        metrics.knows(incident(slot));
        metrics.caused("shop", incident(slot).slot(), 1);
      }
      scrape(metrics);
      assertThat(scrape(metrics))
          .contains(SLOT.formatted(0) + "3.0")
          .doesNotContain("isotail_incident_info{");
    }
  }

  @Test
  void anIncidentThatHasBeenQuietForADayIsToldNoMoreAndItsCounterStays() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(incident(3));
      metrics.caused("shop", 3, 7);
      scrape(metrics);
      nowMs += IncidentMetrics.LIFE.toMillis() - 1;
      assertThat(scrape(metrics)).contains("isotail_incident_info{", SLOT.formatted(3) + "7.0");
      nowMs++;
      metrics.caused("shop", 3, 0);
      assertThat(scrape(metrics))
          .doesNotContain("isotail_incident_info{")
          .contains(SLOT.formatted(3) + "7.0");
      metrics.caused("shop", 3, 1);
      assertThat(scrape(metrics)).contains("isotail_incident_info{", SLOT.formatted(3) + "8.0");
    }
  }

  @Test
  void whatAnOldLogTellsNowIsToldInWords() {
    nowMs += 10 * IncidentMetrics.LIFE.toMillis();
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(incident(3));
      assertThat(scrape(metrics)).doesNotContain("isotail_incident_info{");
      metrics.caused("shop", 3, 7);
      assertThat(scrape(metrics)).contains("isotail_incident_info{");
    }
  }

  /** Ids come and go: there is one series for each slot at most, and one for each incident. */
  @Test
  void aSlotTellsTheIncidentThatHoldsItAndAnIncidentItsSlot() {
    try (MonitorMetrics metrics = metrics()) {
      for (int n = 0; n < 100; n++) {
        metrics.knows(incident("old" + n, 1));
      }
      metrics.knows(incident("one", 1));
      metrics.knows(incident("other", 2));
      assertThat(told(metrics)).containsExactly("1 one", "2 other");
      // The checker has forgotten all, and found them the other way round.
      metrics.knows(incident("other", 1));
      assertThat(told(metrics)).containsExactly("1 other");
      metrics.knows(incident("one", 2));
      assertThat(told(metrics)).containsExactly("1 other", "2 one");
    }
  }

  private static List<String> told(MonitorMetrics metrics) {
    return Pattern.compile("isotail_incident_info\\{.*?,incident=\"(\\w+)\",.*,slot=\"(\\d+)\"")
        .matcher(scrape(metrics))
        .results()
        .map(found -> found.group(2) + " " + found.group(1))
        .sorted()
        .toList();
  }

  @Test
  void whatIsMutedCountsApartAndBringsNoWordsBack() {
    nowMs += 10 * IncidentMetrics.LIFE.toMillis();
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(incident(3));
      scrape(metrics);
      metrics.causedMuted("shop", 5);
      assertThat(scrape(metrics))
          .contains(SLOT.formatted("muted") + "5.0", SLOT.formatted(3) + "0.0")
          .doesNotContain("isotail_incident_info{");
    }
  }
}

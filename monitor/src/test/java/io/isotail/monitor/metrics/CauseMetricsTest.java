package io.isotail.monitor.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.CauseJson;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.StoredCause;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class CauseMetricsTest {
  private static final String SLOT =
      "isotail_cause_violations_total{history=\"shop\",slot=\"%s\"} ";

  private long nowMs = SampleAnomalies.COMMIT_NS / 1_000_000;

  private MonitorMetrics metrics() {
    return new MonitorMetrics(new StatusBoard(), "https://isotail.example", "", () -> nowMs);
  }

  private static StoredCause cause(int slot) {
    String document =
        CauseJson.of(SampleAnomalies.cause("shop", "w1")).put("slot", slot).toString();
    return StoredCause.of(document.getBytes(StandardCharsets.UTF_8));
  }

  private static String scrape(MonitorMetrics metrics) {
    return new String(metrics.scrape(null).body(), StandardCharsets.UTF_8);
  }

  @Test
  void aCounterIsSeenAtZeroBeforeItMoves() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(cause(3));
      metrics.caused("shop", 3, 7);
      assertThat(scrape(metrics)).contains(SLOT.formatted(3) + "0.0", SLOT.formatted(0) + "0.0");
      assertThat(scrape(metrics)).contains(SLOT.formatted(3) + "7.0");
      metrics.caused("shop", 3, 2);
      assertThat(scrape(metrics))
          .contains(SLOT.formatted(3) + "9.0", SLOT.formatted(4) + "0.0")
          .contains("witness=\"w1\"", "url=\"https://isotail.example\"", "slot=\"3\"");
    }
  }

  @Test
  void anOldCauseIsShownAndCountsNothing() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(cause(1));
      scrape(metrics);
      assertThat(scrape(metrics)).contains(SLOT.formatted(1) + "0.0", "isotail_cause_info{");
    }
  }

  @Test
  void aCauseWithoutASlotCountsForAllOthers() {
    try (MonitorMetrics metrics = metrics()) {
      for (int slot : new int[] {0, -1, 4_711}) {
        metrics.knows(cause(slot));
        metrics.caused("shop", cause(slot).slot(), 1);
      }
      scrape(metrics);
      assertThat(scrape(metrics))
          .contains(SLOT.formatted(0) + "3.0")
          .doesNotContain("isotail_cause_info{");
    }
  }

  @Test
  void aCauseThatHasBeenQuietForADayIsToldNoMoreAndItsCounterStays() {
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(cause(3));
      metrics.caused("shop", 3, 7);
      scrape(metrics);
      nowMs += CauseMetrics.LIFE.toMillis() - 1;
      assertThat(scrape(metrics)).contains("isotail_cause_info{", SLOT.formatted(3) + "7.0");
      nowMs++;
      metrics.caused("shop", 3, 0);
      assertThat(scrape(metrics))
          .doesNotContain("isotail_cause_info{")
          .contains(SLOT.formatted(3) + "7.0");
      metrics.caused("shop", 3, 1);
      assertThat(scrape(metrics)).contains("isotail_cause_info{", SLOT.formatted(3) + "8.0");
    }
  }

  @Test
  void whatAnOldLogTellsNowIsToldInWords() {
    nowMs += 10 * CauseMetrics.LIFE.toMillis();
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(cause(3));
      assertThat(scrape(metrics)).doesNotContain("isotail_cause_info{");
      metrics.caused("shop", 3, 7);
      assertThat(scrape(metrics)).contains("isotail_cause_info{");
    }
  }

  @Test
  void whatIsMutedCountsApartAndBringsNoWordsBack() {
    nowMs += 10 * CauseMetrics.LIFE.toMillis();
    try (MonitorMetrics metrics = metrics()) {
      metrics.knows(cause(3));
      scrape(metrics);
      metrics.causedMuted("shop", 5);
      assertThat(scrape(metrics))
          .contains(SLOT.formatted("muted") + "5.0", SLOT.formatted(3) + "0.0")
          .doesNotContain("isotail_cause_info{");
    }
  }
}

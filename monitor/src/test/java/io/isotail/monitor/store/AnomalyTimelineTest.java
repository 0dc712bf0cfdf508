package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.store.AnomalyTimeline.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnomalyTimelineTest {
  private static final Instant NOW = Instant.parse("2026-11-22T10:30:40Z");

  @Test
  void anHourIsCountedByMinutesAndWhatLiesOutsideIsTold() {
    AnomalyTimeline timeline =
        AnomalyTimeline.of(
            ago(
                Duration.ZERO,
                Duration.ofSeconds(41),
                Duration.ofHours(1),
                Duration.ofHours(2),
                Duration.ofMinutes(-3)),
            Span.HOUR,
            NOW.toEpochMilli());

    assertThat(timeline.fromMs()).isEqualTo(Instant.parse("2026-11-22T09:30:00Z").toEpochMilli());
    assertThat(timeline.buckets()).isEqualTo(61);
    AnomalyTimeline.Lane lane = timeline.lanes().get(0);
    assertThat(lane.counts()).hasSize(61);
    assertThat(lane.counts().get(60)).isEqualTo(1);
    assertThat(lane.counts().get(59)).isEqualTo(1);
    assertThat(lane.counts().get(0)).isEqualTo(1);
    assertThat(timeline.earlier()).isEqualTo(1);
    assertThat(timeline.later()).isEqualTo(1);
  }

  @Test
  void withoutASpanTheShortestIsTakenThatHoldsTheLatest() {
    assertThat(spanOf(Duration.ofMinutes(5), Duration.ofDays(9))).isEqualTo(Span.HOUR);
    assertThat(spanOf(Duration.ofHours(5), Duration.ofDays(9))).isEqualTo(Span.DAY);
    assertThat(spanOf(Duration.ofDays(3), Duration.ofDays(9))).isEqualTo(Span.ALL);
    assertThat(spanOf()).isEqualTo(Span.HOUR);
  }

  @Test
  void allTimesAreCoveredWithABoundedNumberOfBuckets() {
    for (long seconds = 1;
        seconds < Duration.ofDays(20_000).toSeconds();
        seconds = seconds * 3 + 1) {
      AnomalyTimeline timeline =
          AnomalyTimeline.of(
              ago(Duration.ofSeconds(seconds), Duration.ofSeconds(-seconds / 7)),
              Span.ALL,
              NOW.toEpochMilli());
      assertThat(timeline.buckets()).isBetween(1, AnomalyTimeline.MAX_BUCKETS);
      assertThat(timeline.lanes().get(0).counts().stream().mapToInt(n -> n).sum()).isEqualTo(2);
    }
  }

  @Test
  void anAnomalyWithoutATimeIsCountedApart() {
    StoredAnomaly untimed =
        StoredAnomaly.of(
            "{\"id\":\"a\",\"history\":\"h\",\"anomaly\":\"lost-update\",\"level\":\"causal\",\"foundAt\":\"+1000000-01-01T00:00:00Z\"}"
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(untimed.atMs()).isEqualTo(StoredAnomaly.NO_TIME_MS);
    AnomalyTimeline timeline = AnomalyTimeline.of(List.of(untimed), Span.ALL, NOW.toEpochMilli());
    assertThat(timeline.untimed()).isEqualTo(1);
    assertThat(timeline.lanes()).isEmpty();
  }

  @Test
  void aSpanThatIsUnknownIsNamed() {
    assertThatThrownBy(() -> Span.ofLabel("2h"))
        .hasMessage("span '2h' is unknown; expected one of 1h, 24h, all");
  }

  private static Span spanOf(Duration... ago) {
    return AnomalyTimeline.of(ago(ago), null, NOW.toEpochMilli()).span();
  }

  private static List<StoredAnomaly> ago(Duration... ago) {
    return Arrays.stream(ago)
        .map(
            before ->
                StoredAnomaly.of(
                    AnomalyDocument.bytes(
                        SampleAnomalies.of(
                            "a" + before,
                            "shop",
                            IsolationLevel.CAUSAL,
                            AnomalyKind.CAUSALITY_VIOLATION),
                        NOW.minus(before).toEpochMilli(),
                        0)))
        .toList();
  }
}

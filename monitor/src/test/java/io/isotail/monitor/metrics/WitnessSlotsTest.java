package io.isotail.monitor.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.store.StoredAnomaly;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WitnessSlotsTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final WitnessSlots slots = new WitnessSlots(nowNs::get);

  private List<String> shown() {
    return slots.collect().getDataPoints().stream()
        .map(point -> point.getLabels().get("history") + " " + point.getLabels().get("witness"))
        .toList();
  }

  @Test
  void aFloodOfOneKindKeepsItsSeriesForAWhile() {
    slots.show(lostUpdate("first", "shop"));
    for (int i = 0; i < 10_000; i++) {
      slots.show(lostUpdate("w" + i, "shop"));
    }
    assertThat(shown()).containsExactly("shop first");
    nowNs.addAndGet(WitnessSlots.KEEP.toNanos());
    slots.show(lostUpdate("later", "shop"));
    assertThat(shown()).containsExactly("shop later");
  }

  @Test
  void aWitnessExpiresAndTheirNumberIsBounded() {
    for (int i = 0; i < 3 * WitnessSlots.MAX_SLOTS; i++) {
      slots.show(lostUpdate("w" + i, "history-" + i));
    }
    assertThat(shown()).hasSizeLessThanOrEqualTo(WitnessSlots.MAX_SLOTS).isNotEmpty();
    nowNs.addAndGet(WitnessSlots.LIFE.toNanos());
    assertThat(shown()).isEmpty();
  }

  private static StoredAnomaly lostUpdate(String id, String history) {
    return StoredAnomaly.of(AnomalyDocument.bytes(SampleAnomalies.lostUpdate(id, history), 1, 0));
  }
}

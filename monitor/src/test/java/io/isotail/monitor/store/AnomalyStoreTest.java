package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class AnomalyStoreTest {
  @Test
  void keepsTheLatestAndForgetsTheOldest() {
    AnomalyStore store = new AnomalyStore(3);
    for (int i = 0; i < 5; i++) {
      store.add(anomaly("a" + i));
    }

    assertThat(store.page(a -> true, null, null, 10).anomalies())
        .extracting(StoredAnomaly::id)
        .containsExactly("a4", "a3", "a2");
    assertThat(store.find("a0")).isEmpty();
    assertThat(store.size()).isEqualTo(3);
    assertThat(store.seen()).isEqualTo(5);
  }

  @Test
  void isReadPageByPageInBothDirections() {
    AnomalyStore store = new AnomalyStore(100);
    for (int i = 0; i < 10; i++) {
      store.add(anomaly("a" + i));
    }
    Predicate<StoredAnomaly> even = a -> (a.id().charAt(1) - '0') % 2 == 0;

    assertThat(page(store.page(even, null, null, 2))).isEqualTo("a8 a6 of 5, 0 newer");
    assertThat(page(store.page(even, "a6", null, 2))).isEqualTo("a4 a2 of 5, 2 newer");
    assertThat(page(store.page(even, "a2", null, 2))).isEqualTo("a0 of 5, 4 newer");
    assertThat(page(store.page(even, null, "a2", 2))).isEqualTo("a6 a4 of 5, 1 newer");
    assertThat(page(store.page(even, null, "a6", 2))).isEqualTo("a8 of 5, 0 newer");
    assertThat(page(store.page(even, "gone", null, 2))).isEqualTo(" of 5, 5 newer");
    assertThat(page(store.page(even, null, "gone", 2))).isEqualTo("a2 a0 of 5, 3 newer");
  }

  private static String page(AnomalyStore.Page page) {
    return "%s of %d, %d newer"
        .formatted(
            page.anomalies().stream().map(StoredAnomaly::id).collect(Collectors.joining(" ")),
            page.matching(),
            page.newer());
  }

  @Test
  void countsOccurrencesOfWhatIsKeptOnly() {
    AnomalyStore store = new AnomalyStore(1);
    store.add(anomaly("old"));
    store.repeated("old", 2);
    assertThat(store.find("old").orElseThrow().occurrences()).isEqualTo(2);

    store.add(anomaly("new"));
    store.repeated("old", 3);
    assertThat(store.all()).singleElement().extracting(StoredAnomaly::occurrences).isEqualTo(1L);
  }

  @Test
  void occurrencesThatAreToldBeforeTheAnomalyCount() {
    AnomalyStore store = new AnomalyStore(2);
    store.repeated("a", 7);
    store.add(anomaly("a"));
    assertThat(store.find("a").orElseThrow().json(List.of()).path("occurrences").asLong())
        .isEqualTo(7);
  }

  private static StoredAnomaly anomaly(String id) {
    return StoredAnomaly.of(AnomalyDocument.bytes(SampleAnomalies.causality(id), 1, 0));
  }

  @Test
  void theSameIdIsAddedOnce() {
    AnomalyStore store = new AnomalyStore(5);
    store.add(anomaly("a"));
    store.repeated("a", 4);
    store.add(anomaly("a"));

    assertThat(store.all()).singleElement().extracting(StoredAnomaly::occurrences).isEqualTo(4L);
  }

  @Test
  void aFloodTakesNoPlaceFromOtherHistoriesAndCauses() {
    AnomalyStore store = new AnomalyStore(10);
    store.add(of("rare-history", "quiet", "c1"));
    store.add(of("rare-cause", "loud", "c2"));
    for (int i = 0; i < 50; i++) {
      store.add(of("flood" + i, "loud", "c3"));
    }

    assertThat(store.all())
        .extracting(StoredAnomaly::id)
        .hasSize(10)
        .startsWith("rare-history", "rare-cause", "flood42")
        .endsWith("flood49");
  }

  @Test
  void roomIsSharedByCauses() {
    AnomalyStore store = new AnomalyStore(12);
    for (int i = 0; i < 300; i++) {
      store.add(of("a" + i, "h" + i % 3, "c" + i % 2));
    }
    Map<String, Long> shares =
        store.all().stream()
            .collect(Collectors.groupingBy(a -> a.history() + a.cause(), Collectors.counting()));
    assertThat(shares).hasSize(6).allSatisfy((of, share) -> assertThat(share).isBetween(1L, 3L));
  }

  private static StoredAnomaly of(String id, String history, String cause) {
    String document =
        new String(
            AnomalyDocument.bytes(
                SampleAnomalies.of(
                    id, history, IsolationLevel.CAUSAL, AnomalyKind.CAUSALITY_VIOLATION),
                1,
                0),
            StandardCharsets.UTF_8);
    return StoredAnomaly.of(
        document.replace(SampleAnomalies.CAUSE, cause).getBytes(StandardCharsets.UTF_8));
  }
}

package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import org.junit.jupiter.api.Test;

final class AnomalyStoreTest {
  @Test
  void keepsTheLatestAndForgetsTheOldest() {
    AnomalyStore store = new AnomalyStore(3);
    for (int i = 0; i < 5; i++) {
      store.add(anomaly("a" + i));
    }

    assertThat(store.newest(a -> true, 10))
        .extracting(StoredAnomaly::id)
        .containsExactly("a4", "a3", "a2");
    assertThat(store.find("a0")).isEmpty();
    assertThat(store.size()).isEqualTo(3);
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
    assertThat(store.find("a").orElseThrow().json().path("occurrences").asLong()).isEqualTo(7);
  }

  private static StoredAnomaly anomaly(String id) {
    return StoredAnomaly.of(AnomalyDocument.bytes(SampleAnomalies.causality(id), 1));
  }

  @Test
  void theSameIdIsAddedOnce() {
    AnomalyStore store = new AnomalyStore(5);
    store.add(anomaly("a"));
    store.repeated("a", 4);
    store.add(anomaly("a"));

    assertThat(store.all()).singleElement().extracting(StoredAnomaly::occurrences).isEqualTo(4L);
  }
}

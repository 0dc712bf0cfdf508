package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import org.junit.jupiter.api.Test;

final class AnomalyStoreTest {
  @Test
  void keepsTheLatestAndForgetsTheOldest() {
    AnomalyStore store = new AnomalyStore(3);
    for (int i = 0; i < 5; i++) {
      store.add(SampleAnomalies.causality("a" + i), i);
    }

    assertThat(store.newest(a -> true, 10))
        .extracting(a -> a.anomaly().id())
        .containsExactly("a4", "a3", "a2");
    assertThat(store.find("a0")).isEmpty();
    assertThat(store.size()).isEqualTo(3);
  }

  @Test
  void countsOccurrencesOfWhatIsKeptOnly() {
    AnomalyStore store = new AnomalyStore(1);
    store.add(SampleAnomalies.causality("old"), 1);
    store.repeated("old", 2);
    assertThat(store.find("old").orElseThrow().occurrences()).isEqualTo(2);

    store.add(SampleAnomalies.causality("new"), 2);
    store.repeated("old", 3);
    assertThat(store.all()).singleElement().extracting(StoredAnomaly::occurrences).isEqualTo(1L);
  }

  @Test
  void theSameIdIsAddedOnce() {
    AnomalyStore store = new AnomalyStore(5);
    store.add(SampleAnomalies.causality("a"), 1);
    store.repeated("a", 4);
    store.add(SampleAnomalies.causality("a"), 2);

    assertThat(store.all()).singleElement().extracting(StoredAnomaly::occurrences).isEqualTo(4L);
  }
}

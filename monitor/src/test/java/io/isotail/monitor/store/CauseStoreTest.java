package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class CauseStoreTest {
  private final CauseStore store = new CauseStore();

  private static StoredCause cause(String history, String id, long firstOffset, long violations) {
    return StoredCause.of(
        """
        {"cause":"%s","history":"%s","level":"%s","anomaly":"%s","firstOffset":%d,"violations":%d,
         "tables":["stock"],"services":["checkout"],
         "statements":[{"statement":"UPDATE stock SET n = ?"}]}
        """
            .formatted(
                id,
                history,
                IsolationLevel.CAUSAL.label(),
                AnomalyKind.LOST_UPDATE.label(),
                firstOffset,
                violations)
            .getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void whatIsPublishedLastHoldsAndComesFirst() {
    store.put(cause("shop", "a", 5, 3));
    store.put(cause("bank", "b", 6, 1));
    store.put(cause("shop", "a", 5, 10));
    assertThat(store.find("a").orElseThrow().violations()).isEqualTo(10);
    assertThat(store.list(null)).extracting(StoredCause::id).containsExactly("a", "b");
    // The log was cut back: it counts from the beginning, at smaller offsets.
    store.put(cause("shop", "a", 2, 1));
    assertThat(store.find("a").orElseThrow().violations()).isEqualTo(1);
    assertThat(store.find("c")).isEmpty();
  }

  @Test
  void noHistoryDrivesOutTheCausesOfAnother() {
    store.put(cause("calm", "rare", 0, 1));
    for (int i = 0; i < 3 * CauseStore.MAX_OF_HISTORY; i++) {
      store.put(cause("flood", "c" + i, i, 1));
    }
    assertThat(store.find("rare")).isPresent();
    assertThat(store.list("flood")).hasSize(CauseStore.MAX_OF_HISTORY);
    assertThat(store.list(null)).hasSize(CauseStore.MAX_OF_HISTORY + 1);
    assertThat(store.find("c0")).isEmpty();
  }

  @Test
  void aFloodDoesNotDriveOutTheProofsThatCausesLeadTo() {
    AnomalyStore anomalies = new AnomalyStore(10);
    anomalies.add(anomaly("simplest"));
    anomalies.causes().put(leading("a", 1, "simplest", "simplest"));
    for (int i = 0; i < 100; i++) {
      anomalies.add(anomaly("f" + i));
    }
    assertThat(anomalies.size()).isEqualTo(10);
    assertThat(anomalies.find("simplest")).isPresent();
    assertThat(anomalies.find("f99")).isPresent();
    assertThat(anomalies.find("f90")).isEmpty();
    // A simpler proof was found: nothing leads to the other one any more.
    anomalies.causes().put(leading("a", 2, "f99", "f99"));
    anomalies.add(anomaly("g"));
    assertThat(anomalies.find("simplest")).isEmpty();
    // Causes must not keep what is new from being seen.
    for (int i = 0; i < 30; i++) {
      anomalies.add(anomaly("p" + i));
      anomalies.causes().put(leading("c" + i, 1, "p" + i, "p" + i));
    }
    assertThat(anomalies.size()).isEqualTo(10);
    assertThat(anomalies.find("p29")).isPresent();
  }

  private static StoredAnomaly anomaly(String id) {
    return StoredAnomaly.of(
        AnomalyDocument.bytes(SampleAnomalies.lostUpdate(id, "shop"), 1_000, 0));
  }

  private static StoredCause leading(String id, long violations, String simplest, String latest) {
    String document = cause("shop", id, 0, violations).document().toString();
    String led =
        document.substring(0, document.length() - 1)
            + ",\"simplest\":\"%s\",\"latest\":\"%s\"}".formatted(simplest, latest);
    return StoredCause.of(led.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void itIsFoundByTableServiceAndStatement() {
    StoredCause cause = cause("shop", "a", 0, 1);
    assertThat(cause.has("tables", "stock")).isTrue();
    assertThat(cause.has("tables", "account")).isFalse();
    assertThat(cause.has("services", null)).isTrue();
    assertThat(cause.mentions("update STOCK")).isTrue();
    assertThat(cause.mentions("delete")).isFalse();
  }
}

package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.monitor.SampleAnomalies;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnomalyDocumentTest {
  private static final Anomaly SMALL = SampleAnomalies.lostUpdate("a", "h");

  @Test
  void aSmallOneHasEverything() throws IOException {
    JsonNode document = document(SMALL.explanation(), 1);
    assertThat(document.path("capsule")).hasSize(2);
    assertThat(document.path("transactions")).hasSize(2);
    assertThat(document.path("dot").asText()).startsWith("digraph");
    assertThat(document.path("proof").has("split")).isTrue();
    assertThat(document.path("clockUncertainty").asText()).isEqualTo("0.25s");
    assertThat(document.path("foundAt").asText()).isEqualTo("1970-01-01T00:00:01Z");
  }

  @Test
  void whatIsTooLargeForARecordIsLeftOutPieceByPiece() throws IOException {
    JsonNode large = document(SMALL.explanation(), 1_200);
    assertThat(large.has("dot")).isFalse();
    assertThat(large.path("capsule")).hasSize(2_400);

    JsonNode larger = document(SMALL.explanation(), 6_000);
    assertThat(larger.has("transactions")).isFalse();
    assertThat(larger.path("capsule")).isEmpty();
    assertThat(larger.path("proof").isNull()).isTrue();
    assertThat(larger.path("cycle")).hasSize(2);

    JsonNode huge = document(SMALL.explanation(), 1 + AnomalyDocument.MOST_LINES / 2);
    assertThat(huge.has("transactions") || huge.has("dot")).isFalse();
    assertThat(huge.path("capsule")).isEmpty();
    assertThat(huge.path("cycle")).hasSize(2);

    JsonNode largest = document("é".repeat(1 << 20), 1);
    assertThat(largest.path("cycle")).isEmpty();
    assertThat(largest.path("explanation").asText()).hasSize(10_001).endsWith("é…");
    assertThat(largest.path("history").asText()).isEqualTo("h");
  }

  private static JsonNode document(String explanation, int copies) throws IOException {
    List<CapsuleTransaction> capsule =
        Collections.nCopies(copies, SMALL.capsule()).stream().flatMap(List::stream).toList();
    Anomaly anomaly =
        new Anomaly(
            SMALL.id(),
            SMALL.history(),
            SampleAnomalies.CAUSE,
            SMALL.level(),
            SMALL.kind(),
            SMALL.adya(),
            explanation,
            SMALL.cycle(),
            capsule,
            SMALL.proof(),
            SMALL.evidence(),
            SMALL.table(),
            SMALL.service(),
            SMALL.offset(),
            SMALL.commitTimeNs());
    byte[] document = AnomalyDocument.bytes(anomaly, 1_000, 250_000_000);
    assertThat(document).hasSizeLessThanOrEqualTo(AnomalyDocument.MAX_BYTES);
    return new ObjectMapper().readTree(document);
  }
}

package io.isotail.monitor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.render.AnomalyJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StoredAnomalyTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void whatIsServedIsCutOutOfTheDocument() throws Exception {
    Anomaly anomaly = SampleAnomalies.hostileThinAirRead("a");
    byte[] document = AnomalyDocument.bytes(anomaly, 1_790_000_000_250L, 0);
    ObjectNode tree = (ObjectNode) JSON.readTree(document);

    StoredAnomaly stored = StoredAnomaly.of(document).observed(7);
    assertThat(stored.explanation()).isEqualTo(anomaly.explanation());
    assertThat(stored.table()).isEqualTo(tree.path("table").asText());
    assertThat(stored.dot()).isEqualTo(tree.path("dot").asText()).isNotEmpty();
    assertThat(stored.atMs()).isEqualTo(1_790_000_000_250L);
    assertThat(stored.capsule())
        .isEqualTo(anomaly.capsule().stream().map(AnomalyJson::capsuleLine).toList());
    tree.put("occurrences", 7).remove("dot");
    JsonNode served = JSON.readTree(stored.json(List.of("dot")).toString());
    assertThat(served).isEqualTo(tree);
    assertThat(served.toString()).as("the order of the fields").isEqualTo(tree.toString());
  }

  @Test
  void aDocumentMayHaveSpaceAndFieldsThatAreNotKnown() throws Exception {
    String text =
        """
         { "more" : [ { "level" : 1 }, 2.5e3 , null ], "id": "a\\u00e9", "history" : "h", "level": "prefix",
          "anomaly":"lost-update", "capsule" : [ {"session": "é"} , 7 ], "level" : "causal" } rest""";
    StoredAnomaly stored = StoredAnomaly.of(text.getBytes(StandardCharsets.UTF_8));
    assertThat(stored.id()).isEqualTo("aé");
    assertThat(stored.level().label()).isEqualTo("causal");
    assertThat(stored.capsule()).containsExactly("{\"session\": \"é\"}", "7");
    assertThat(stored.table()).isEmpty();
    assertThat(JSON.readTree(stored.json(List.of()).toString()).at("/more/1").asInt())
        .isEqualTo(2_500);
  }

  @Test
  void whatIsNoAnomalyIsRefused() {
    refused("", "not JSON: no JSON object");
    refused("[]", "not JSON: no JSON object");
    refused("{\"id\":\"a\"", "not JSON");
    refused("{\"id\":1}", "field 'id' is missing");
    refused("{\"id\":\"a\",\"history\":\"h\",\"level\":\"linear\"}", "level 'linear' is unknown");
  }

  private static void refused(String document, String why) {
    assertThatThrownBy(() -> StoredAnomaly.of(document.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }
}

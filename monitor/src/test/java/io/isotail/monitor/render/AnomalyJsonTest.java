package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.SampleAnomalies;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AnomalyJsonTest {
  @Test
  void theFieldsAreThoseOfTheCommandLineAndWhereItHappened() throws IOException {
    JsonNode json = printed(SampleAnomalies.causality("a"), 3);

    assertThat(json.properties().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder(
            "id",
            "history",
            "cause",
            "level",
            "anomaly",
            "adya",
            "explanation",
            "occurrences",
            "table",
            "service",
            "offset",
            "cycle",
            "capsule",
            "evidence",
            "proof");
    assertThat(json.at("/cycle/0").toString())
        .isEqualTo(
            "{\"from\":\"s1/12\",\"to\":\"s2/7\",\"kind\":\"wr\",\"key\":\"x\","
                + "\"because\":\"s2/7 read x=4, which s1/12 wrote\"}");
    assertThat(json.at("/occurrences").asLong()).isEqualTo(3);
    assertThat(json.at("/capsule/1/session").asText()).isEqualTo("s2");
    assertThat(json.at("/capsule/1/txn").asLong()).isEqualTo(7);
    assertThat(json.at("/capsule/1/ops").toString())
        .startsWith("[[\"r\",\"x\",4,{")
        .contains("[\"w\",\"x\",5,{", "[\"w\",\"y\",5,{", "\"table\":\"account\"");
    assertThat(json.at("/evidence").isNull()).isTrue();
  }

  @Test
  void aProofTellsTransactionsByTheirPlacesInTheCapsule() throws IOException {
    JsonNode cycle = printed(SampleAnomalies.causality("a"), 1).at("/proof/cycle");
    assertThat(cycle.at("/0/from").asInt(-1)).isZero();
    assertThat(cycle.at("/1/kind").asText()).isEqualTo("co");
    assertThat(cycle.at("/1/reader").asInt()).isEqualTo(2);
    assertThat(cycle.at("/1/because/0/operation").asInt(-1)).isZero();
    JsonNode split = printed(SampleAnomalies.lostUpdate("b", "h"), 1).at("/proof/split");
    assertThat(split.at("/ifSecond/cycle/1/source").asText()).isEqualTo("initial");
    assertThat(split.at("/ifFirst/cycle/0").has("reader")).isFalse();
    assertThat(printed(SampleAnomalies.hostileThinAirRead("c"), 1).at("/proof").isNull()).isTrue();
  }

  private static JsonNode printed(Anomaly anomaly, long occurrences) throws IOException {
    return new ObjectMapper().readTree(AnomalyJson.full(anomaly, occurrences).toString());
  }
}

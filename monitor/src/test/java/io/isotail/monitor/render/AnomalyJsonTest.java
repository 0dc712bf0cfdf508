package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.isotail.monitor.SampleAnomalies;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AnomalyJsonTest {
  @Test
  void theFieldsAreThoseOfTheCommandLineAndWhereItHappened() {
    JsonNode json = AnomalyJson.full(SampleAnomalies.causality("a"), 3);

    assertThat(json.properties().stream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrder(
            "id",
            "history",
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
            "evidence");
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
}

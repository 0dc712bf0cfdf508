package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.SampleAnomalies;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A document read back is the anomaly again, as far as people see it. */
final class WitnessReaderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void whatIsReadBackIsWrittenTheSame() throws IOException {
    for (Anomaly anomaly :
        List.of(
            SampleAnomalies.causality("a"),
            SampleAnomalies.lostUpdate("b", "h"),
            SampleAnomalies.hostileThinAirRead("c"))) {
      ObjectNode document = document(anomaly);
      Witness witness = WitnessReader.read(document);
      ObjectNode again =
          (ObjectNode) JSON.readTree(AnomalyDocument.bytes(witness.anomaly(), 1_000, 0));
      // Of the proof only the judge has need.
      again.remove("proof");
      document.remove("proof");

      assertThat(again).isEqualTo(document);
      assertThat(Dot.of(witness.anomaly())).isEqualTo(document.path("dot").asText());
      assertThat(witness.loggedAt()).isEqualTo("1970-01-01T00:00:01Z");
    }
  }

  @Test
  void whatALargeDocumentDoesWithoutIsMissing() throws IOException {
    ObjectNode document = document(SampleAnomalies.lostUpdate("a", "h"));
    document.remove(AnomalyDocument.EXTRAS);
    Witness bare = WitnessReader.read(document);
    assertThat(bare.anomaly().capsule()).hasSize(2);
    assertThat(bare.anomaly().capsule().get(0).name()).isEqualTo("s1/3");
    assertThat(bare.anomaly().capsule().get(0).session().service()).isNull();

    document.putArray("capsule");
    assertThat(WitnessReader.read(document).anomaly().capsule()).isEmpty();
    assertThat(WitnessReader.read(document).anomaly().cycle()).hasSize(2);
  }

  @Test
  void whatIsNoAnomalyIsSaidToBeNone() throws IOException {
    ObjectNode document = document(SampleAnomalies.lostUpdate("a", "h"));
    assertThatThrownBy(() -> WitnessReader.read(document.deepCopy().put("level", "solid")))
        .hasMessageStartingWith("found level 'solid'; expected one of read-committed");
    assertThatThrownBy(() -> WitnessReader.read(document.deepCopy().without("explanation")))
        .hasMessageContaining("found no field 'explanation'; expected an anomaly");
    ObjectNode broken = document.deepCopy();
    broken.putArray("capsule").addObject().put("session", "s");
    assertThatThrownBy(() -> WitnessReader.read(broken))
        .hasMessageContaining("transaction 1 of the capsule: found no field txn");
  }

  private static ObjectNode document(Anomaly anomaly) throws IOException {
    return (ObjectNode) JSON.readTree(AnomalyDocument.bytes(anomaly, 1_000, 0));
  }
}

package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.terminal.Paint;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a statement that may have written rows it is told which, where it names one. */
final class OpaqueTextTest {
  @Test
  void theRowThatItNamesIsTold() {
    Operations.Builder operations =
        new Operations.Builder().statement(new Statement("stock", "CALL p(?)"));
    operations.opaque(7).opaque().statement(Statement.NONE).opaque();
    Anomaly sample = SampleAnomalies.lostUpdate("a", "h");
    CapsuleTransaction told = sample.capsule().get(0).with(operations.build());
    Anomaly anomaly = SampleAnomalies.with(sample, "c", List.of(told));
    assertThat(AnomalyJson.transactions(anomaly).get(0).at("/operations").findValuesAsText("text"))
        .containsExactly("w stock#0000000000000007=?", "w stock, any key", "w any table, any key");
    assertThat(ExplainText.of(new Witness(anomaly, 1, null, null), Paint.PLAIN))
        .contains("wrote   stock#0000000000000007=?", "wrote   stock, any key");
  }
}

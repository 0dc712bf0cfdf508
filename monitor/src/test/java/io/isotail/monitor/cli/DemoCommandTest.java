package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The demo as a newcomer runs it, only shorter. */
class DemoCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  @Test
  void readCommittedBreaksAPromiseOfCausalWithProofs() throws Exception {
    int status = run("demo", "--duration", "8s", "--json", "--seed", "1");
    JsonNode summary = new ObjectMapper().readTree(out.toString());
    assertThat(status).as(err.toString()).isEqualTo(ExitCode.VIOLATION);
    assertThat(summary.path("isolation").asText()).isEqualTo("read-committed");
    assertThat(summary.path("promise").asText()).isEqualTo("causal");
    assertThat(summary.path("coverage").asDouble()).isGreaterThanOrEqualTo(0.99);
    assertThat(summary.path("workload").path("errors").asLong()).isZero();
    assertThat(summary.path("emitter").path("dropped").asLong()).isZero();
    assertThat(summary.path("transactions").path("committed").asLong())
        .isEqualTo(summary.path("workload").path("committed").asLong());
    assertThat(summary.path("examples").size()).isGreaterThanOrEqualTo(2);
    for (JsonNode example : summary.path("examples")) {
      assertThat(example.path("capsule")).isNotEmpty();
      assertThat(example.path("explanation").asText()).isNotBlank();
    }
    assertThat(err.toString()).contains("page and API: http://").contains("ANOMALY");
  }

  @Test
  void serializableKeepsIt() throws Exception {
    int status = run("demo", "--isolation", "serializable", "--duration", "6s", "--json");
    JsonNode summary = new ObjectMapper().readTree(out.toString());
    assertThat(status).as(err.toString() + out).isEqualTo(ExitCode.PASSED);
    assertThat(summary.path("anomaliesTotal").asLong()).isZero();
    assertThat(summary.path("coverage").asDouble()).isGreaterThanOrEqualTo(0.99);
    assertThat(summary.path("transactions").path("committed").asLong()).isPositive();
    assertThat(summary.path("verdicts").path("causal").asText()).isEqualTo("pass");
  }

  @Test
  void badOptionsSayWhatWasExpected() {
    assertThat(run("demo", "--promise", "serializable")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--isolation", "chaos")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--duration", "soon")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--keys", "1")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains(
            "--promise serializable cannot be checked; the strongest level that can is causal")
        .contains("'chaos' is no isolation level")
        .contains("--duration soon; expected a time as in 30s")
        .contains("keys=1; expected 4");
  }
}

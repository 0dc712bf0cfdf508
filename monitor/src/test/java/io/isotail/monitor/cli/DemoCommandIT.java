package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.monitor.offline.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The demo as a newcomer runs it, only shorter. */
class DemoCommandIT {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  @Test
  void theShopShowsItsOneBugWithItsCauseSoon() throws Exception {
    JsonNode summary = demo(ExitCode.VIOLATION, "--duration", "10s", "--seed", "1");
    assertThat(summary.path("promise").asText()).isEqualTo("serializable");
    assertThat(kinds(summary)).contains("lost-update");
    assertThat(summary.path("coverage").asDouble()).isEqualTo(1.0);
    assertThat(summary.path("incidents").findValuesAsText("title"))
        .anyMatch(
            t ->
                t.endsWith(
                    " in /stocktake of warehouse: promised serializable, run at read committed"));
    JsonNode cause = summary.path("causes").path(0);
    assertThat(texts(cause, "services")).containsExactly("warehouse");
    assertThat(texts(cause, "endpoints")).containsExactly("/stocktake");
    assertThat(cause.at("/advice/0/what").asText())
        .contains("FOR UPDATE", "SELECT amount FROM stock WHERE item = ?");
    assertThat(summary.path("firstAnomalySeconds").asDouble()).isPositive();
    assertThat(summary.path("firstCauseSeconds").isNumber()).isTrue();
    assertThat(summary.path("greatestLagSeconds").isNumber()).isTrue();
    assertThat(summary.at("/lag/records").asLong()).isZero();
    assertThat(err.toString())
        .contains("PostgreSQL at postgresql://", "Kafka at 127.0.0.1:", "page and API: http://")
        .containsOnlyOnce("ANOMALY lost-update")
        .contains(
            "INCIDENT ",
            ": promised serializable, run at read committed",
            "/incidents/",
            "CAUSE",
            "/causes/");
  }

  @Test
  void theShopIsRightWhereAllOfItRunsAtSerializable() throws Exception {
    JsonNode kept = demo(ExitCode.PASSED, "--isolation", "serializable", "--duration", "8s");
    assertThat(kept.path("promise").asText()).isEqualTo("serializable");
    assertThat(kept.path("verdicts").path("serializable").asText()).isEqualTo("pass");
    assertThat(kept.path("firstAnomalySeconds").isNull()).isTrue();
  }

  @Test
  void readCommittedBreaksAPromiseOfSnapshotIsolationWithProofs() throws Exception {
    JsonNode summary = registers(ExitCode.VIOLATION, "--duration", "8s", "--seed", "1");
    assertThat(summary.path("isolation").asText()).isEqualTo("read-committed");
    assertThat(summary.path("promise").asText()).isEqualTo("snapshot-isolation");
    assertThat(kinds(summary)).contains("lost-update");
    assertThat(summary.path("examples").size()).isGreaterThanOrEqualTo(2);
    for (JsonNode example : summary.path("examples")) {
      assertThat(example.path("capsule")).isNotEmpty();
      assertThat(example.path("explanation").asText()).isNotBlank();
    }
    assertThat(err.toString()).contains("page and API: http://").contains("ANOMALY");
  }

  @Test
  void repeatableReadIsSnapshotIsolationAndNotSerializable() throws Exception {
    JsonNode kept =
        registers(ExitCode.PASSED, "--isolation", "repeatable-read", "--duration", "8s");
    assertThat(kept.path("promise").asText()).isEqualTo("snapshot-isolation");
    assertThat(kept.path("anomaliesTotal").asLong()).isZero();
    assertThat(kept.path("verdicts").path("snapshot-isolation").asText()).isEqualTo("pass");
    JsonNode broken =
        registers(
            ExitCode.VIOLATION,
            "--isolation=repeatable-read",
            "--promise=serializable",
            "--keys=8",
            "--duration=14s"); // One in a hundred commits breaks it; a busy machine makes forty a
    // second.
    assertThat(kinds(broken))
        .isNotEmpty()
        .isSubsetOf("write-skew", "dangerous-structure", "read-only-anomaly", "commit-order-cycle");
    assertThat(broken.path("verdicts").path("snapshot-isolation").asText()).isEqualTo("pass");
  }

  @Test
  void serializableKeepsIt() throws Exception {
    JsonNode summary = registers(ExitCode.PASSED, "--isolation=serializable", "--duration=8s");
    assertThat(summary.path("promise").asText()).isEqualTo("serializable");
    assertThat(summary.path("anomaliesTotal").asLong()).isZero();
    assertThat(summary.path("verdicts").path("serializable").asText()).isEqualTo("pass");
  }

  @Test
  void throughTheProxyTheSameIsFound() throws Exception {
    JsonNode broken = demo(ExitCode.VIOLATION, "--through=proxy", "--duration", "8s");
    assertThat(kinds(broken)).contains("lost-update");
    JsonNode kept =
        registers(ExitCode.PASSED, "--through=proxy", "--isolation=serializable", "--duration=6s");
    assertThat(kept.path("verdicts").path("serializable").asText()).isEqualTo("pass");
  }

  private JsonNode registers(int expectedStatus, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--workload", "registers"));
    arguments.addAll(List.of(options));
    return demo(expectedStatus, arguments.toArray(String[]::new));
  }

  private JsonNode demo(int expectedStatus, String... options) throws Exception {
    out.getBuffer().setLength(0);
    List<String> arguments = new ArrayList<>(List.of("demo", "--json"));
    arguments.addAll(List.of(options));
    int status = run(arguments.toArray(String[]::new));
    assertThat(status).as(err.toString() + out).isEqualTo(expectedStatus);
    JsonNode summary = new ObjectMapper().readTree(out.toString());
    assertThat(summary.path("coverage").asDouble()).isGreaterThanOrEqualTo(0.99);
    assertThat(summary.path("workload").path("errors").asLong()).isZero();
    assertThat(summary.path("emitter").path("dropped").asLong()).isZero();
    assertThat(summary.path("transactions").path("committed").asLong())
        .isPositive()
        .isEqualTo(summary.path("workload").path("committed").asLong());
    return summary;
  }

  private static List<String> texts(JsonNode document, String list) {
    List<String> texts = new ArrayList<>();
    document.path(list).forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private static Set<String> kinds(JsonNode summary) {
    Set<String> kinds = new HashSet<>();
    summary.path("examples").forEach(each -> kinds.add(each.path("anomaly").asText()));
    return kinds;
  }

  @Test
  void badOptionsSayWhatWasExpected() {
    assertThat(run("demo", "--promise", "serial")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--isolation", "chaos")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--duration", "soon")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--workload=registers", "--keys", "1")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--keys", "20")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--workload", "bank")).isEqualTo(ExitCode.BAD);
    assertThat(run("demo", "--rate=-1")).isEqualTo(ExitCode.BAD);
    assertThat(err.toString())
        .contains("'serial' is unknown")
        .contains("'chaos' is no isolation level")
        .contains("--duration soon; expected a time as in 30s")
        .contains("keys=1; expected 4")
        .contains("--keys 20: the shop has 40 items")
        .contains("--workload bank; expected shop or registers")
        .contains("maxTransactionsPerSecond=-1; expected 0");
  }
}

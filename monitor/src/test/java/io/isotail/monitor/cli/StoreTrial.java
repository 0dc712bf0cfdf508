package io.isotail.monitor.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/** A trial of a store of three seconds, held to strict serializability. */
final class StoreTrial {
  private final CommandRun command = new CommandRun("verify-database");
  private final int status;

  /** Runs it. */
  StoreTrial(String url, String... options) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--json",
                "--duration=3s",
                "--fault-interval=1s",
                "--promise=strict-serializable",
                "--url=" + url));
    all.addAll(List.of(options));
    status = command.run(all.toArray(String[]::new));
  }

  /** Its exit status. */
  int status() {
    return status;
  }

  /** Checks that it ended so, and that it has seen everything. */
  void require(int expectedStatus) throws Exception {
    assertThat(status).as("%s%s", command.err, command.out).isEqualTo(expectedStatus);
    assertThat(summary().path("coverage").asDouble()).isGreaterThanOrEqualTo(0.99);
    assertThat(summary().path("emitter").path("dropped").asLong()).isZero();
    assertThat(summary().path("workload").path("errors").asLong()).isZero();
    assertThat(summary().path("workload").path("cut").asLong()).isPositive();
  }

  /** What it says. */
  JsonNode summary() throws Exception {
    return new ObjectMapper().readTree(command.out.toString());
  }
}

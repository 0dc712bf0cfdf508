package io.isotail.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The soak campaign in small: many windows long, every anomaly found, nothing else. */
class SoakTest {
  @Test
  void everyAnomalyInALongStreamIsFoundAndNothingElse() throws Exception {
    SoakConfig config =
        new SoakConfig(300_000, 200, 10_000, Long.getLong("isotail.random.seed", 1));
    SoakRun.Result result = new SoakRun(config).run(sample -> {});
    assertThat(result.failures()).as("%s%n%s", config, result.report()).isEmpty();
    assertThat(result.ledger().foundByKind()).containsOnlyKeys(SoakConfig.FOUND);
    assertThat(result.report().truncated()).isGreaterThan(250_000);
    assertThat(result.report().sessions()).as("sessions come and go").isGreaterThan(900);
    assertThat(result.report().liveSessions()).isLessThan(200);
  }
}

package io.isotail.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The soak campaign in small: many windows long, every anomaly found, nothing else. */
class SoakTest {
  private static final long SEED = Seeds.FIRST;

  @Test
  void everyAnomalyInALongStreamIsFoundAndNothingElse() throws Exception {
    SoakConfig config =
        new SoakConfig(
            300_000,
            200,
            10_000,
            SEED,
            IsolationLevel.CAUSAL,
            false,
            SoakConfig.SESSION_TRANSACTIONS);
    SoakRun.Result result = new SoakRun(config).run(sample -> {});
    assertThat(result.failures()).as("%s%n%s", config, result.report()).isEmpty();
    assertThat(result.ledger().foundByKind()).containsOnlyKeys(config.found());
    assertThat(result.report().truncated()).isGreaterThan(250_000);
    assertThat(result.report().sessions()).as("sessions come and go").isGreaterThan(900);
    assertThat(result.report().liveSessions()).isLessThan(200);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theSameAtEveryLevel(boolean mini) throws Exception {
    SoakConfig config =
        new SoakConfig(
            150_000,
            130,
            5_000,
            SEED,
            IsolationLevel.STRICT_SERIALIZABLE,
            mini,
            SoakConfig.SESSION_TRANSACTIONS);
    SoakRun.Result result = new SoakRun(config).run(sample -> {});
    assertThat(result.failures()).as("%s%n%s", config, result.report()).isEmpty();
    assertThat(result.ledger().foundByKind())
        .containsOnlyKeys(config.found())
        .containsKeys(AnomalyKind.LONG_FORK, AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW);
    assertThat(result.report().truncated()).isGreaterThan(140_000);
  }
}

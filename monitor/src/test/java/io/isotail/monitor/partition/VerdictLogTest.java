package io.isotail.monitor.partition;

import static io.isotail.incremental.level.Verdict.FAIL;
import static io.isotail.incremental.level.Verdict.PASS;
import static io.isotail.incremental.level.Verdict.UNDECIDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.status.VerdictTrack.Change;
import org.junit.jupiter.api.Test;

final class VerdictLogTest {
  private static final long MINUTE_MS = 60_000;
  private static final long T0_MS = 20_000 * MINUTE_MS;

  private final VerdictLog log = new VerdictLog();

  @Test
  void aVerdictHoldsUntilTheNextOne() {
    log.sample(T0_MS + 10, PASS);
    log.sample(T0_MS + 3 * MINUTE_MS, PASS);
    log.sample(T0_MS + 5 * MINUTE_MS, FAIL);
    log.sample(T0_MS + 9 * MINUTE_MS, PASS);
    log.sample(T0_MS + 11 * MINUTE_MS, PASS);

    assertThat(log.track().changes())
        .containsExactly(
            new Change(T0_MS + 10, PASS),
            new Change(T0_MS + 5 * MINUTE_MS, FAIL),
            new Change(T0_MS + 9 * MINUTE_MS, PASS));
    assertThat(log.track().untilMs()).isEqualTo(T0_MS + 11 * MINUTE_MS);
  }

  @Test
  void ofAMinuteTheWorstIsKept() {
    log.sample(T0_MS, PASS);
    log.sample(T0_MS + MINUTE_MS, UNDECIDED);
    log.sample(T0_MS + MINUTE_MS + 1_000, FAIL);
    log.sample(T0_MS + MINUTE_MS + 2_000, PASS);
    log.sample(T0_MS + 2 * MINUTE_MS, UNDECIDED);
    log.sample(T0_MS + 2 * MINUTE_MS + 1, FAIL);

    assertThat(log.track().changes())
        .as("the third minute is as bad as the second")
        .containsExactly(new Change(T0_MS, PASS), new Change(T0_MS + MINUTE_MS, FAIL));
  }

  @Test
  void aMinuteThatBeginsAsTheOneBeforeEndedIsNoBetterThanThat() {
    log.sample(T0_MS + 50_000, FAIL);
    log.sample(T0_MS + MINUTE_MS + 5_000, FAIL);
    log.sample(T0_MS + MINUTE_MS + 30_000, PASS);
    assertThat(log.track().changes()).containsExactly(new Change(T0_MS + 50_000, FAIL));
    log.sample(T0_MS + 2 * MINUTE_MS, PASS);
    log.sample(T0_MS + 3 * MINUTE_MS, PASS);
    log.sample(T0_MS + 3 * MINUTE_MS + 1, UNDECIDED);
    assertThat(log.track().changes())
        .containsExactly(
            new Change(T0_MS + 50_000, FAIL),
            new Change(T0_MS + 2 * MINUTE_MS, PASS),
            new Change(T0_MS + 3 * MINUTE_MS, UNDECIDED));
  }

  @Test
  void howeverOftenItChangesTheLatestAreKept() {
    for (int i = 0; i < 1_000; i++) {
      log.sample(T0_MS + i * MINUTE_MS, i % 2 == 0 ? PASS : UNDECIDED);
    }
    assertThat(log.track().changes())
        .hasSize(VerdictLog.MAX_CHANGES)
        .endsWith(new Change(T0_MS + 999 * MINUTE_MS, UNDECIDED));
  }
}

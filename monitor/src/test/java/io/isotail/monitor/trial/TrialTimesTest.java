package io.isotail.monitor.trial;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrialTimesTest {
  @Test
  void keepsWhatCameFirst() {
    TrialTimes times = TrialTimes.NONE.withFirstAnomaly(1).withFirstCause(2);
    times = times.withFirstAnomaly(3).withFirstCause(4);
    assertThat(times.firstAnomaly()).isEqualTo(1);
    assertThat(times.firstCause()).isEqualTo(2);
  }

  @Test
  void theLagOfTheFirstSecondsIsToldApart() {
    TrialTimes cold = TrialTimes.NONE.withLag(3, 1).withLag(4, 9.9);
    assertThat(cold.greatestLag()).isEqualTo(4);
    assertThat(cold.laterLag()).isNull();
    TrialTimes warm = cold.withLag(0, 10);
    assertThat(warm.laterLag()).isZero();
    warm = warm.withLag(1.5, 11).withLag(1, 12).withFirstAnomaly(13);
    assertThat(warm.laterLag()).isEqualTo(1.5);
    assertThat(warm.greatestLag()).isEqualTo(4);
  }
}

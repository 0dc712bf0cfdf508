package io.isotail.ingest.emit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DensityTest {
  private Density density = new Density(32_768);
  private long nowNs = -7_000_000_000L;

  @Test
  void recordsAreDenseWhenMoreThanTwoThousandFiveHundredComeInASecond() {
    assertThat(density.pauseNs(nowNs)).isZero();
    come(51, 20_000_000);
    assertThat(density.pauseNs(nowNs)).as("2,550 in a second").isEqualTo(50_000_000);
    come(10, 1_000_000);
    assertThat(density.pauseNs(nowNs)).as("until the span is over").isEqualTo(50_000_000);
    come(39, 19_000_000);
    assertThat(density.pauseNs(nowNs)).as("2,450 in a second").isZero();
    come(100, 20_000_000);
    assertThat(density.pauseNs(nowNs)).isPositive();
    come(1, 3_600_000_000_000L);
    assertThat(density.pauseNs(nowNs)).as("after an hour with one").isZero();
  }

  @Test
  void aPauseFillsNoMoreThanAnEighthOfTheQueue() {
    density = new Density(80);
    assertThat(density.pauseNs(nowNs)).isZero();
    come(200, 20_000_000);
    assertThat(density.pauseNs(nowNs)).as("10 records of 0.1 ms").isEqualTo(1_000_000);
  }

  private void come(int records, long withinNs) {
    for (int i = 0; i < records; i++) {
      density.came();
    }
    nowNs += withinNs;
  }
}

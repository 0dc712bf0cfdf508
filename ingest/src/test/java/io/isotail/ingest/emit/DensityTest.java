package io.isotail.ingest.emit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DensityTest {
  private final Density density = new Density();
  private long nowNs = -7_000_000_000L;

  @Test
  void recordsAreDenseWhenMoreThanTwoThousandFiveHundredComeInASecond() {
    assertThat(density.isDense(nowNs)).isFalse();
    come(51, 20_000_000);
    assertThat(density.isDense(nowNs)).as("2,550 in a second").isTrue();
    come(10, 1_000_000);
    assertThat(density.isDense(nowNs)).as("until the span is over").isTrue();
    come(39, 19_000_000);
    assertThat(density.isDense(nowNs)).as("2,450 in a second").isFalse();
    come(100, 20_000_000);
    assertThat(density.isDense(nowNs)).isTrue();
    come(1, 3_600_000_000_000L);
    assertThat(density.isDense(nowNs)).as("after an hour with one").isFalse();
  }

  private void come(int records, long withinNs) {
    for (int i = 0; i < records; i++) {
      density.came();
    }
    nowNs += withinNs;
  }
}

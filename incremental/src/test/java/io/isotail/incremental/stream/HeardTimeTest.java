package io.isotail.incremental.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeardTimeTest {
  private final HeardTime time = new HeardTime(10_000);

  @Test
  void itGoesAsTheStreamDoesWhileSomebodySpeaks() {
    time.hear(1_796_073_531_725L);
    assertThat(time.nowMs()).isZero();
    for (int i = 1; i <= 60; i++) {
      time.hear(1_796_073_531_725L + i * 1_000L);
    }
    assertThat(time.nowMs()).isEqualTo(60_000);
  }

  @Test
  void whileNobodySpeaksItStandsStill() {
    time.hear(1);
    time.hear(3_600_001);
    assertThat(time.nowMs()).isEqualTo(2_000);
    time.hear(3_600_101);
    assertThat(time.nowMs()).isEqualTo(2_100);
  }

  @Test
  void aClockThatIsSetBackDoesNotMatter() {
    time.hear(3_600_000);
    time.hear(1);
    time.hear(101);
    assertThat(time.nowMs()).isEqualTo(100);
    time.hear(50);
    time.hear(201);
    assertThat(time.nowMs()).as("two brokers, nearly alike").isEqualTo(200);
  }
}

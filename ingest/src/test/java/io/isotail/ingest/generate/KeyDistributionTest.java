package io.isotail.ingest.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDistributionTest {
  private static final int DRAWS = 1_000_000;
  private static final int KEYS = 1_000;

  @Test
  void zipfianKeysOfRankOneAndTwoComeAsOftenAsTheFormulaSays() {
    double zeta = 0;
    for (int i = 1; i <= KEYS; i++) {
      zeta += Math.pow(i, -0.99);
    }
    long[] counts = sorted("zipfian", KEYS);
    assertThat(counts[0] / (double) DRAWS).isCloseTo(1 / zeta, within(0.003));
    assertThat(counts[1] / (double) DRAWS).isCloseTo(Math.pow(2, -0.99) / zeta, within(0.003));
    assertThat(Arrays.stream(counts).limit(100).sum() / (double) DRAWS)
        .isCloseTo(partial(100) / zeta, within(0.02));
  }

  @Test
  void aSmallerExponentIsFlatter() {
    assertThat(sorted("zipfian:0.5", KEYS)[0]).isLessThan(sorted("zipfian:0.9", KEYS)[0] / 2);
  }

  @Test
  void hotKeysGetTheRestOfTheShare() {
    long[] counts = sorted("hotspot:0.1", KEYS);
    assertThat(Arrays.stream(counts).limit(100).sum() / (double) DRAWS)
        .isCloseTo(0.9, within(0.005));
  }

  @Test
  void anExponentialShareOfTheKeysGets95Percent() {
    long[] counts = sorted("exponential:0.2", KEYS);
    assertThat(Arrays.stream(counts).limit(200).sum() / (double) DRAWS)
        .isCloseTo(0.95, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(strings = {"uniform", "zipfian:0.2", "hotspot:0.9", "exponential:0.99"})
  void everyKeyOfASmallSpaceIsDrawnAndNoOther(String name) {
    for (int keys : new int[] {1, 2, 3, 7, 10}) {
      assertThat(sorted(name, keys)).as("%d keys", keys).hasSize(keys).doesNotContain(0);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"zipf", "", "zipfian:1", "zipfian:0", "zipfian:x", "hotspot:2", "uniform:0.5"})
  void aMistakeIsNamed(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyDistribution.Spec.parse(text))
        .withMessageContaining("expected");
  }

  private static double partial(int ranks) {
    double sum = 0;
    for (int i = 1; i <= ranks; i++) {
      sum += Math.pow(i, -0.99);
    }
    return sum;
  }

  /** How often each key was drawn, most popular first. */
  private static long[] sorted(String name, int keys) {
    KeyDistribution distribution = KeyDistribution.Spec.parse(name).over(keys);
    Prng random = new Prng(42);
    long[] counts = new long[keys];
    for (int i = 0; i < DRAWS; i++) {
      counts[distribution.next(random)]--;
    }
    Arrays.sort(counts);
    return Arrays.stream(counts).map(count -> -count).toArray();
  }
}

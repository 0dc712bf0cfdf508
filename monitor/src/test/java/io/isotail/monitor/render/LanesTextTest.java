package io.isotail.monitor.render;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.monitor.SampleAnomalies;
import org.junit.jupiter.api.Test;

class LanesTextTest {
  /** Both have read before either commits, and one writes when the other has committed. */
  @Test
  void aLostUpdateIsToldAsItCanHaveGone() {
    String lanes = LanesText.of(SampleAnomalies.lostUpdate("a", "h"));
    assertThat(lanes)
        .isEqualTo(
            """
              s1/3                        s2/9
              read  account[balance]=7
                                          read  account[balance]=7
              wrote account[balance]=41
              commit
                                          wrote account[balance]=42
                                          commit
            """);
  }

  @Test
  void whatNoSingleCopyShowsHasNoOrder() {
    assertThat(LanesText.of(SampleAnomalies.causality("a"))).isNull();
  }

  @Test
  void manyTransactionsAreNotToldSideBySide() {
    assertThat(LanesText.of(SampleAnomalies.manyTransactions("a", "h", 12))).isNull();
  }
}

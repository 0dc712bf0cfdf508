package io.isotail.incremental.level;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.AnomalyKind;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Numbers that stand in ids and metrics, and must outlive the order of constants. */
final class CodesTest {
  @Test
  void codesOfLevelsAreThoseOfTheFirstRelease() {
    assertThat(Arrays.stream(IsolationLevel.values()).map(l -> l.code() + " " + l.label()))
        .containsExactly(
            "0 read-committed",
            "1 read-atomic",
            "2 causal",
            "3 prefix",
            "4 snapshot-isolation",
            "5 serializable",
            "6 strict-serializable");
  }

  @Test
  void codesOfKindsAreThoseOfTheFirstRelease() {
    List<String> kinds =
        Arrays.stream(AnomalyKind.values()).map(k -> k.code() + " " + k.label()).toList();
    assertThat(kinds)
        .contains(
            "0 thin-air-read",
            "1 aborted-read",
            "2 future-read",
            "3 not-my-last-write",
            "4 not-my-own-write",
            "5 intermediate-read",
            "6 non-repeatable-reads");
    assertThat(Arrays.stream(AnomalyKind.values()).map(AnomalyKind::code)).doesNotHaveDuplicates();
  }
}

package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A session on a replica that is stuck violates a weak level again and again, and not only that.
 */
final class HiddenViolationTest {
  private static final String STUCK = "a: wx1 wk1 ; b: rx1 wx2 ; s: rx2 ; s: rx1 ; ";

  @Test
  void aRepeatedStaleReadDoesNotHideALostUpdateOfAnotherKey() {
    CheckRun run = check(STUCK + "c: rk1 wk2 ; s: rx1 rk1 wk3");
    assertThat(kindsOf(run, AnomalyKind.LOST_UPDATE)).isEqualTo(1);
    assertThat(lastExplanation(run)).contains("k=1").doesNotContain("x=");
  }

  @Test
  void aStaleReadDoesNotHideTheUpdateThatItLoses() {
    CheckRun run = check(STUCK + "s: rx1 wx3");
    assertThat(kindsOf(run, AnomalyKind.LOST_UPDATE)).isEqualTo(1);
  }

  @Test
  void eachOfManyLostUpdatesIsFound() {
    String keys = "defghij";
    String updates =
        IntStream.range(0, keys.length())
            .mapToObj(keys::charAt)
            .map(k -> "a: w%c1 ; c: r%c1 w%c2 ; s: rx1 r%c1 w%c3".formatted(k, k, k, k, k))
            .collect(Collectors.joining(" ; "));
    CheckRun run = check(STUCK + updates);
    assertThat(kindsOf(run, AnomalyKind.LOST_UPDATE)).isEqualTo(keys.length());
  }

  @Test
  void whatFollowsFromAStaleReadAloneIsToldOnce() {
    CheckRun run = check(STUCK + "s: rx1 wz1 ; s: rx1 wz2");
    assertThat(run.anomalies).hasSize(1);
  }

  /** Who lost an update is left out; who overwrote it all the same lost the next one. */
  @Test
  void aLostUpdateDoesNotHideTheNextOneOfTheRow() {
    for (int pairs = 1; pairs <= 5; pairs++) {
      CheckRun run = check(lostUpdates(pairs));
      assertThat(kindsOf(run, AnomalyKind.LOST_UPDATE)).as("%d pairs", pairs).isEqualTo(pairs);
    }
  }

  /** Each pair overwrites what the second of the pair before has written. */
  private static String lostUpdates(int pairs) {
    return IntStream.range(0, pairs)
        .mapToObj(i -> "a: rx%1$d wx%2$d ; b: rx%1$d wx%3$d".formatted(2 * i, 2 * i + 1, 2 * i + 2))
        .collect(Collectors.joining(" ; "));
  }

  private static CheckRun check(String history) {
    return CheckRun.of(
        CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE), Dsl.history(history));
  }

  private static long kindsOf(CheckRun run, AnomalyKind kind) {
    return run.anomalies.stream().map(Anomaly::kind).filter(kind::equals).count();
  }

  private static String lastExplanation(CheckRun run) {
    return run.anomalies.get(run.anomalies.size() - 1).explanation();
  }
}

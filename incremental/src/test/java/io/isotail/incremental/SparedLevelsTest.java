package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * As long as a strong level holds over all of the window the weak ones need no edges, though the
 * order of delivery is no commit order; and what violates them after that is found all the same.
 */
final class SparedLevelsTest {
  /** b committed before a, and comes after it: c has read both. */
  private static final String OUT_OF_ORDER = "a: wx1 ; b: wx2 wy2 ; c: ry2 rx1";

  @Test
  void noEdgesAreInferredWhileAStrongLevelHolds() {
    assertThat(check(IsolationLevel.CAUSAL, OUT_OF_ORDER).report.edgesInferred()).isPositive();
    CheckRun run = check(IsolationLevel.SERIALIZABLE, OUT_OF_ORDER + " ; d: rx1 wx3 ; a: rx3");
    assertThat(run.report.edgesInferred()).isZero();
    assertThat(run.report.verdicts().values()).containsOnly(Verdict.PASS);
  }

  @Test
  void aWeakViolationIsFoundAfterThat() {
    for (String last : new String[] {"c: rx2", "d: rx1 ; d: ry2 rx2", "e: ry2 ; e: rx0"}) {
      String history = OUT_OF_ORDER + " ; " + last;
      CheckRun strong = check(IsolationLevel.SERIALIZABLE, history);
      CheckRun weak = check(IsolationLevel.CAUSAL, history);
      assertThat(weak.anomalies).as(history).isNotEmpty();
      assertThat(strong.anomalies)
          .as(history)
          .extracting(a -> a.level())
          .containsExactlyElementsOf(weak.anomalies.stream().map(a -> a.level()).toList());
    }
  }

  @Test
  void whatStandsAloneAfterTheViolationIsNotHeldAgainstTheWeakLevels() {
    CheckRun run = check(IsolationLevel.SERIALIZABLE, OUT_OF_ORDER + " ; d: rx1 wx3 ; e: rx1 wx4");
    Map<IsolationLevel, Verdict> verdicts = run.report.verdicts();
    assertThat(verdicts.get(IsolationLevel.CAUSAL)).isEqualTo(Verdict.PASS);
    assertThat(verdicts.get(IsolationLevel.SNAPSHOT_ISOLATION)).isEqualTo(Verdict.FAIL);
    assertThat(run.report.edgesInferred()).isPositive();
  }

  private static CheckRun check(IsolationLevel strongest, String history) {
    return CheckRun.of(CheckerConfig.forFile("h", strongest), Dsl.history(history));
  }
}

package io.isotail.explore.junit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.code.CodeProgram;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.level.IsolationLevel;
import org.junit.jupiter.api.Test;

/** A test whose exploration ended at a limit fails, and says at which. */
final class VerdictsTest {
  private static final Program PROGRAM = CodeProgram.named("p").session("a", tx -> {}).build();

  private static AssertionVerdict endedAt(Limit limit) {
    return new AssertionVerdict(IsolationLevel.CAUSAL, false, limit, 7, 0, null);
  }

  @Test
  void theLimitIsSaid() {
    assertThatThrownBy(() -> Verdicts.requireHold(PROGRAM, endedAt(Limit.TIME), 50))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("causal was not exhausted: 7 histories in timeLimitMs = 50");
    assertThatThrownBy(() -> Verdicts.requireHold(PROGRAM, endedAt(Limit.VALUES), 50))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            "causal was not exhausted: after 7 histories without a failure, it held as many"
                + " different values as it may; let sessions or transactions be fewer");
  }
}

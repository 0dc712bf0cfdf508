package io.isotail.explore.junit;

import io.isotail.incremental.explore.Limit;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;

/** Tells what an exploration said, in the words of a test that fails. */
final class Verdicts {
  private Verdicts() {}

  /**
   * Fails the test unless every history was seen and all assertions hold.
   *
   * @throws AssertionError that tells why not
   */
  static void requireHold(Program program, AssertionVerdict verdict, long timeLimitMs) {
    ExploredWitness witness = verdict.witness();
    if (witness != null) {
      throw new AssertionError(told(program, verdict, witness));
    }
    if (!verdict.exhausted()) {
      Limit limit = verdict.limit();
      throw new AssertionError(
          limit == null || limit == Limit.TIME
              ? "%s was not exhausted: %,d histories in timeLimitMs = %d, and no failure so far; let sessions or transactions be fewer, or the limit larger"
                  .formatted(verdict.level(), verdict.histories(), timeLimitMs)
              : "%s was not exhausted: after %,d histories without a failure, %s; let sessions or transactions be fewer"
                  .formatted(verdict.level(), verdict.histories(), limit.reason()));
    }
  }

  private static String told(Program program, AssertionVerdict verdict, ExploredWitness witness) {
    StringBuilder text = new StringBuilder(witness.what());
    String allowing = (program.isMixed() ? "the mix with " : "") + verdict.level();
    text.append("%nOne history that %s allows:%n%n".formatted(allowing));
    witness.timeline().forEach(line -> text.append("  %s%n".formatted(line)));
    witness
        .anomaly()
        .ifPresent(
            anomaly ->
                text.append(
                    "%n%s: it violates %s%n%s%n"
                        .formatted(anomaly.kind(), anomaly.level(), anomaly.explanation())));
    return text.toString();
  }
}

package io.isotail.monitor.explore;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.witness.AnswersJson;
import io.isotail.monitor.explore.witness.AnswersText;
import io.isotail.monitor.explore.witness.LevelAnswers;
import io.isotail.monitor.explore.witness.Raise;
import io.isotail.monitor.explore.witness.WitnessProgram;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Asks levels of an anomaly. All searches for one anomaly share one limit of time; each has a limit
 * of histories of its own.
 */
final class WitnessRun {
  private final Anomaly anomaly;
  private final LevelRun.Limits limits;
  private final LongSupplier clockNs;
  private final long startNs;

  private WitnessRun(Anomaly anomaly, LevelRun.Limits limits, LongSupplier clockNs) {
    this.anomaly = anomaly;
    this.limits = limits;
    this.clockNs = clockNs;
    this.startNs = clockNs.getAsLong();
  }

  /**
   * What is printed.
   *
   * @param known whether every question has an answer
   */
  record Said(String text, boolean known) {}

  /** The program alone. */
  static Said printed(WitnessProgram witness) {
    return new Said(witness.text(), true);
  }

  /** What levels say of it. */
  static Said of(WitnessProgram witness, LevelRun.Limits limits, boolean json)
      throws InterruptedException {
    LevelAnswers answers = answers(witness, limits, System::nanoTime);
    return new Said(
        json
            ? AnswersJson.of(witness, answers).toPrettyString() + System.lineSeparator()
            : AnswersText.of(witness, answers),
        answers.isKnown(witness));
  }

  /**
   * The answers.
   *
   * @param clockNs tells the time that passes, in ns
   */
  static LevelAnswers answers(WitnessProgram witness, LevelRun.Limits limits, LongSupplier clockNs)
      throws InterruptedException {
    return LevelAnswers.of(witness, new WitnessRun(witness.anomaly(), limits, clockNs)::search);
  }

  /** Every transaction declares a level, so that the one that is explored is none's. */
  private LevelAnswers.Search search(Program program) throws InterruptedException {
    long leftNs = limits.nanos() - (clockNs.getAsLong() - startNs);
    if (leftNs <= 0) {
      return LevelAnswers.Search.NOT_EXHAUSTED;
    }
    IsolationLevel weakest = IsolationLevel.weakest();
    AssertionVerdict verdict =
        new LevelRun(
                program,
                weakest,
                Exploration.Method.SWAPPING,
                limits.within(leftNs).upToTheFirst(),
                history -> violation(ExploredWitness.of(history, weakest)).isPresent())
            .run()
            .verdict();
    ExploredWitness witness = verdict.witness();
    return new LevelAnswers.Search(
        witness == null ? null : violation(witness).orElseThrow(), verdict.exhausted());
  }

  /**
   * The anomaly by which a history violates the level that the anomaly of the witness violates: one
   * of the same kind, if there is one, and else that of the weakest level.
   */
  private Optional<Raise.Found> violation(ExploredWitness history) {
    return history.anomalies().stream()
        .filter(found -> anomaly.level().atLeast(found.level()))
        .min(
            Comparator.<Anomaly, Boolean>comparing(found -> found.kind() != anomaly.kind())
                .thenComparing(Anomaly::level))
        .map(found -> new Raise.Found(found.kind(), found.level()));
  }
}

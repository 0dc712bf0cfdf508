package io.isotail.monitor.explore;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.explore.Exploration;
import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.verdict.AssertionVerdict;
import io.isotail.incremental.explore.verdict.ExploredWitness;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.monitor.explore.witness.AnswersJson;
import io.isotail.monitor.explore.witness.AnswersText;
import io.isotail.monitor.explore.witness.LevelAnswers;
import io.isotail.monitor.explore.witness.WitnessProgram;

/** Asks levels of an anomaly, within limits. */
final class WitnessRun {
  private WitnessRun() {}

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
    AnomalyKind kind = witness.anomaly().kind();
    LevelAnswers answers = LevelAnswers.of(witness, program -> search(program, kind, limits));
    return new Said(
        json
            ? AnswersJson.of(witness, answers).toPrettyString() + System.lineSeparator()
            : AnswersText.of(witness, answers),
        answers.isKnown(witness));
  }

  /** Every transaction declares a level, so that the one that is explored is none's. */
  private static LevelAnswers.Search search(
      Program program, AnomalyKind kind, LevelRun.Limits limits) throws InterruptedException {
    IsolationLevel weakest = IsolationLevel.weakest();
    AssertionVerdict verdict =
        new LevelRun(
                program,
                weakest,
                Exploration.Method.SWAPPING,
                limits.upToTheFirst(),
                history ->
                    ExploredWitness.of(history, weakest).anomalies().stream()
                        .anyMatch(anomaly -> anomaly.kind() == kind))
            .run()
            .verdict();
    return verdict.fail()
        ? LevelAnswers.Search.FOUND
        : verdict.exhausted() ? LevelAnswers.Search.NONE : LevelAnswers.Search.NOT_EXHAUSTED;
  }
}

package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import io.isotail.incremental.explore.language.SourceError;
import io.isotail.incremental.explore.verdict.Raising;
import io.isotail.incremental.level.IsolationLevel;

/**
 * Whether it is enough to raise one transaction.
 *
 * @param others the level of the other ones
 */
record RaiseQuestion(IsolationLevel others) implements Question {
  @Override
  public int ask(Program program, Explorer explorer, AnswerOptions answer)
      throws InterruptedException {
    ExploreText text = answer.text(program);
    text.program();
    Raising.Explorer<InterruptedException> first =
        (mixed, level) ->
            explorer.first(mixed, level, history -> history.failure() != null).verdict();
    Raising raising = Raising.of(program, others, first);
    text.raising(raising);
    if (raising.base().error() instanceof SourceError error) {
      explorer.tellError(program, raising.base().level(), error);
    }
    answer.object(ExploreJson.of(program, raising));
    return ExploreStatus.of(raising);
  }
}

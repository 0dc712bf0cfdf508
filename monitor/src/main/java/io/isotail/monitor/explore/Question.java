package io.isotail.monitor.explore;

import io.isotail.incremental.explore.Program;
import java.io.IOException;

/** What is asked of the levels of a program. */
interface Question {
  /**
   * Explores, and gives the answer.
   *
   * @return the exit status
   */
  int ask(Program program, Explorer explorer, AnswerOptions answer)
      throws InterruptedException, IOException;
}

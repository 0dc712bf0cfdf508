package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transactions of unknown outcome that turn out to have committed after their session went on. */
final class LatePromotionTest {
  private static final int ANY = Integer.MAX_VALUE;

  @Test
  void oneWhoseSuccessorIsPromotedToIsStillBeforeTheRestOfItsSession() {
    violates(
        5,
        IsolationLevel.READ_ATOMIC,
        "a?: wx1 ; a?: ry9 wz1 ; a: wu1 ; b: rz1 ; c: rx1 ; a: rx0 ; "
            + "f: wq1 ; f: wq2 ; f: wq3 ; f: wq4 ; f: wq5 ; f: wq6 ; g: wy9");
  }

  @Test
  void anEdgeToWhatCameBeforeTwoPromotedOnesIsSeenToCloseACycle() {
    violates(
        ANY,
        IsolationLevel.READ_COMMITTED,
        "a: wx1 ; a?: wv1 ; a?: ry9 wz1 ; a: wu1 ; b: ru1 wx2 ww1 ; c: rz1 ; e: rv1 ; h: rw1 rx1");
  }

  @Test
  void oneWhoseSuccessorHasLeftTheWindowIsStillBeforeTheRestOfItsSession() {
    violates(
        5,
        IsolationLevel.READ_ATOMIC,
        "a?: wx1 ry9 ; a: wu1 ; b: rx1 ; f: wq1 ; f: wq2 ; a: rx0 ; f: wq3 ; f: wq4 ; g: wy9");
  }

  @Test
  void aReadOfWhatItOverwroteIsBeyondReachWhereThatHasLeftTheWindow() {
    String text = "a: wx6 ; a?: wx7 ; a: wq1 ; a: rx6 ; a: rx7";
    violates(ANY, IsolationLevel.READ_ATOMIC, text);
    says(Verdict.PASS, 3, IsolationLevel.READ_ATOMIC, text);
  }

  @Test
  void oneWhoseSuccessorLeavesTheWindowLaterOnIsStillBeforeTheRestOfItsSession() {
    violates(
        5,
        IsolationLevel.READ_ATOMIC,
        "t: wv1 ; a?: rv1 wx3 ; a: wx4 ; b: rx3 ; f: wf1 ; a: wx5 ; a: rx3");
  }

  private static void violates(int window, IsolationLevel level, String text) {
    says(Verdict.FAIL, window, level, text);
  }

  private static void says(Verdict verdict, int window, IsolationLevel level, String text) {
    List<TransactionRecord> history = Dsl.history(text);
    for (Tuning tuning : List.of(Tuning.DEFAULT, Tuning.DEFAULT.saturating())) {
      CheckRun run =
          new CheckRun(
              CheckerConfig.forFile("h", IsolationLevel.CAUSAL).withWindow(window), tuning);
      history.forEach(record -> run.accept(0, record));
      run.finish();
      assertThat(run.report.verdicts().get(level)).as("%s", tuning).isEqualTo(verdict);
    }
  }
}

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

  /** Those in between violate the level, so that they are no part of its graph. */
  @Test
  void oneIsBeforeTheRestOfItsSessionWhenAllBetweenThemAreLeftOut() {
    CheckRun run =
        new CheckRun(
            CheckerConfig.forFile("h", IsolationLevel.SERIALIZABLE).withWindow(11), Tuning.DEFAULT);
    Dsl.history(
            "a?: wx1 ; a: wq1 ; f: wq2 ; d: rv0 wu1 ; a: ru0 wv1 ; d: rt0 ws1 ; a: rs0 wt1 ; d: rm0 wn1 ; "
                + "a: rn0 wm1 ; c: rx1 ; d: rk0 wl1 ; a: rl0 wk1 ; e: rx0 wy1 ; a: ry0")
        .forEach(record -> run.accept(0, record));
    run.finish();
    assertThat(run.anomalies).hasSize(5);
  }

  /** The first of its session is kept for what it wrote, and the third has been linked to it. */
  @Test
  void oneStandsBetweenOneThatHasLeftTheWindowAndItsSuccessor() {
    for (String text :
        List.of(
            "a: wx1 ; a?: wy1 ; a: wz1 ; f: wq1 ; f: wq2 ; b: ry1 ; c: rz1 rx0",
            "a: wx1 ; a?: wy1 ; a: wz1 ; f: wq1 ; f: wq2 ; f: wq3 ; b: ry1 ; c: rz1 wx2 ; c: rx0")) {
      for (int window = 3; window <= 8; window++) {
        for (IsolationLevel level : List.of(IsolationLevel.PREFIX, IsolationLevel.SERIALIZABLE)) {
          CheckRun run =
              new CheckRun(CheckerConfig.forFile("h", level).withWindow(window), Tuning.DEFAULT);
          Dsl.history(text).forEach(record -> run.accept(0, record));
          run.finish();
          assertThat(run.report.verdicts().get(level))
              .as("%s, window %d, %s", text, window, level)
              .isEqualTo(Verdict.FAIL);
        }
      }
    }
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

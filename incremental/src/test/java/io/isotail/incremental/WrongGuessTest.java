package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which of two writers came first is guessed by when they ended. Where a reader shows that the
 * guess was wrong, transactions get other numbers, and nothing is searched for.
 */
class WrongGuessTest {
  private static final long FIRST = 100;
  private static final long SECOND = 200;

  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"PREFIX", "SNAPSHOT_.*", ".*SERIALIZABLE"})
  private @interface AtEachStrongLevel {}

  private CheckRun run;
  private int sessions;

  private void begin(IsolationLevel level) {
    run = new CheckRun(CheckerConfig.forFile("h", level));
  }

  /** A transaction in a session of its own. */
  private void took(long beginNs, long endNs, Operations.Builder ops) {
    SessionInfo session = new SessionInfo(++sessions, "s" + sessions, "p", null, null, null, 0);
    run.accept(
        0,
        new TransactionRecord(
            session, 0, 0, 0, Outcome.COMMITTED, null, beginNs, endNs, "clock", ops.build()));
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  private void requirePassWithoutSearch(IsolationLevel level) {
    run.finish();
    assertThat(run.report.verdicts()).containsEntry(level, Verdict.PASS);
    assertThat(run.report.searches()).isZero();
  }

  @AtEachStrongLevel
  void writersSwap(IsolationLevel level) {
    begin(level);
    took(0, 50, ops().write(1, FIRST));
    took(10, 90, ops().write(1, SECOND));
    took(100, 110, ops().read(1, FIRST));
    requirePassWithoutSearch(level);
  }

  @AtEachStrongLevel
  void whoReadTheFirstOfThemMovesWithIt(IsolationLevel level) {
    begin(level);
    took(0, 50, ops().write(1, FIRST).write(2, FIRST));
    took(40, 60, ops().read(2, FIRST).write(3, SECOND));
    took(45, 70, ops().read(3, SECOND).write(4, SECOND));
    took(10, 90, ops().write(1, SECOND));
    took(100, 110, ops().read(1, FIRST).read(4, SECOND));
    requirePassWithoutSearch(level);
  }

  @AtEachStrongLevel
  void anOverwriterThatWasReadMovesWithItsReader(IsolationLevel level) {
    begin(level);
    took(0, 10, ops().write(1, FIRST));
    took(0, 20, ops().write(1, SECOND));
    took(0, 25, ops().read(1, SECOND));
    took(0, 30, ops().write(9, FIRST));
    took(0, 40, ops().read(1, FIRST).read(9, FIRST));
    requirePassWithoutSearch(level);
  }

  @AtEachStrongLevel
  void whatTheClockShowsDoesNotMove(IsolationLevel level) {
    begin(level);
    took(0, 50, ops().write(1, FIRST));
    took(60, 90, ops().write(1, SECOND));
    took(100, 110, ops().read(1, FIRST));
    if (level == IsolationLevel.STRICT_SERIALIZABLE) {
      run.finish();
      assertThat(run.anomalies).hasSize(1);
    } else {
      requirePassWithoutSearch(level);
    }
  }

  @AtEachStrongLevel
  void whatAReadShowsDoesNotMove(IsolationLevel level) {
    begin(level);
    took(0, 50, ops().write(1, FIRST).write(2, FIRST));
    took(10, 90, ops().read(2, FIRST).write(1, SECOND).write(3, SECOND));
    took(100, 110, ops().read(3, SECOND).read(1, FIRST));
    run.finish();
    assertThat(run.report.verdicts()).containsEntry(level, Verdict.FAIL);
  }

  @AtEachStrongLevel
  void writersThatHaveLeftTheWindowSwapToo(IsolationLevel level) {
    run = new CheckRun(CheckerConfig.forFile("h", level).withWindow(4));
    took(0, 50, ops().write(1, FIRST).write(2, FIRST));
    took(10, 90, ops().write(1, SECOND).write(3, SECOND));
    for (int i = 10; i < 20; i++) {
      took(10 * i, 10 * i + 5, ops().write(i, FIRST));
    }
    took(1000, 1010, ops().read(1, FIRST).read(2, FIRST).read(3, SECOND));
    requirePassWithoutSearch(level);
    assertThat(run.report.edgesDropped()).isPositive();
  }
}

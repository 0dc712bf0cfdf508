package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.NotCaptured.Kind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Coverage is of what applications did, not of what was recorded of it. */
final class CoverageTest {
  private final CheckRun run = new CheckRun(CheckerConfig.forLive("h"));
  private long heartbeats;

  private void heartbeat(@Nullable CaptureCounts counts) {
    run.accept(1, new Heartbeat("p", heartbeats++, List.of(), counts));
  }

  private static CaptureCounts unread(long reads) {
    return new CaptureCounts(
        "shop", 0, List.of(new NotCaptured("select 1", Kind.UNREAD, "aggregate", 1, reads)));
  }

  private void readsItsOwn(int reads) {
    Operations.Builder operations = new Operations.Builder().write(1, 7);
    for (int i = 0; i < reads; i++) {
      operations.read(1, 7);
    }
    SessionInfo session = new SessionInfo(1, "s", "p", "shop", "a", "db", 1);
    run.accept(
        1,
        new TransactionRecord(
            session, 0, 0, 0, Outcome.COMMITTED, null, 1, 2, "c", operations.build()));
  }

  @Test
  void whereNothingIsReadNothingIsCovered() {
    assertThat(run.report.coverage()).isZero();
    run.accept(1, new Hello("p", "shop", "a", 100));
    heartbeat(null);
    assertThat(run.report.coverage()).isZero();
  }

  @Test
  void whatWasReadAndNotCapturedCountsAgainstWhatWas() {
    run.accept(1, new Hello("p", "shop", "a", 100));
    readsItsOwn(3);
    heartbeat(null);
    heartbeat(null);
    heartbeat(null);
    assertThat(run.report.coverage()).isOne();
    heartbeat(unread(1));
    assertThat(run.report.coverage()).isEqualTo(0.75);
    heartbeat(unread(2));
    assertThat(run.report.coverage()).isEqualTo(0.5);
    assertThat(run.report.reads()).isEqualTo(3);
  }

  /** Ids below 1000 had ended when capture began; 1001 was captured, and 1500 is nobody's. */
  @Test
  void whatNobodyCapturedIsAShareOfItsOwn() {
    run.accept(1, new Hello("p", "shop", "a", 100, 1_000));
    commit(0, byXmin().read(7, 900).write(9, 1_001));
    commit(1, byXmin().read(9, 1_001).read(7, 900).read(5, 1_500));
    heartbeat(null);
    heartbeat(null);
    heartbeat(null);
    assertThat(run.report.reads()).isEqualTo(4);
    assertThat(run.report.readsDecided()).isEqualTo(3);
    assertThat(run.report.readsBeforeCapture()).isEqualTo(2);
    assertThat(run.report.readsForeign()).isEqualTo(1);
    assertThat(run.report.readsUndecided()).isZero();
    assertThat(run.report.coverage()).isEqualTo(0.75);
    assertThat(run.report.verdicts().get(IsolationLevel.SNAPSHOT_ISOLATION))
        .as("it is checked all the same")
        .isEqualTo(Verdict.PASS);
  }

  private static Operations.Builder byXmin() {
    return new Operations.Builder().statement(new Statement("orders", "", true));
  }

  private void commit(long sequence, Operations.Builder operations) {
    SessionInfo session = new SessionInfo(1, "s", "p", "shop", "a", "db", 1);
    run.accept(
        1,
        new TransactionRecord(
            session,
            sequence,
            sequence,
            0,
            Outcome.COMMITTED,
            "postgresql:repeatable-read",
            1,
            2,
            "c",
            operations.build()));
  }
}

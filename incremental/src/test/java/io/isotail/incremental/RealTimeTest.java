package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What strict-serializable makes of times: which are believed, and how an alert tells of them. */
final class RealTimeTest {
  private static final IsolationLevel STRICT = IsolationLevel.STRICT_SERIALIZABLE;

  /** A write, and a read of the version before it. */
  private static final List<TransactionRecord> STALE = Dsl.history("a: wx1 ; b: rx0");

  private static TransactionRecord at(TransactionRecord t, String clock, long begin, long end) {
    return at(t, clock, begin, end, t.outcome());
  }

  private static TransactionRecord at(
      TransactionRecord t, String clock, long begin, long end, Outcome outcome) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        0,
        outcome,
        null,
        begin,
        end,
        clock,
        t.operations());
  }

  private static CheckRun check(long uncertaintyNs, TransactionRecord... history) {
    CheckerConfig config = CheckerConfig.forFile("h", STRICT).withClockUncertainty(uncertaintyNs);
    return CheckRun.of(config, List.of(history));
  }

  private static Verdict strict(CheckRun run) {
    assertThat(run.report.verdicts().get(IsolationLevel.SERIALIZABLE)).isEqualTo(Verdict.PASS);
    return run.report.verdicts().get(STRICT);
  }

  @Test
  void aReadOfWhatWasOverwrittenBeforeItBeganIsToldWithTheTimeBetween() {
    CheckRun run =
        check(0, at(STALE.get(0), "c", 0, 1_000_000), at(STALE.get(1), "c", 3_500_000, 4_000_000));
    assertThat(strict(run)).isEqualTo(Verdict.FAIL);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.level()).isEqualTo(STRICT);
    assertThat(anomaly.cycle()).extracting(edge -> edge.kind()).contains(EdgeKind.RT, EdgeKind.RW);
    assertThat(anomaly.explanation())
        .isEqualTo(
            "b/1 read x=initial although a/1 had overwritten it with x=1: a/1 had ended 2.500 ms"
                + " before b/1 began.");
    assertThat(anomaly.cycle())
        .extracting(edge -> edge.because())
        .contains("a/1 had ended 2.500 ms before b/1 began, by the same clock");
    assertThat(anomaly.capsule()).hasSize(2).allMatch(t -> t.times().orderable());
  }

  @Test
  void anEndBeforeTheBeginOfOneThatHasLeftTheWindowLeavesTheLevelUndecided() {
    List<TransactionRecord> others = Dsl.history("z: wz1 ; z: wz2 ; z: wz3");
    for (int window = 2; window <= 10; window += 8) {
      for (String reader : List.of("c", "d")) {
        CheckRun run =
            CheckRun.of(
                CheckerConfig.forFile("h", STRICT).withClockUncertainty(5).withWindow(window),
                List.of(
                    at(STALE.get(1), reader, 100, 110),
                    at(others.get(0), "c", 100, 120),
                    at(others.get(1), "c", 121, 122),
                    at(others.get(2), "c", 123, 124),
                    at(STALE.get(0), "c", 0, 10)));
        assertThat(strict(run)).isEqualTo(window > 5 ? Verdict.FAIL : Verdict.UNDECIDED);
        assertThat(run.report.undecided().containsKey(UndecidedReason.LATE_END))
            .isEqualTo(window <= 5);
      }
    }
  }

  @Test
  void transactionsThatOverlapOrMeetAreNotOrdered() {
    assertThat(strict(check(0, at(STALE.get(0), "c", 0, 10), at(STALE.get(1), "c", 10, 20))))
        .isEqualTo(Verdict.PASS);
    assertThat(strict(check(0, at(STALE.get(0), "c", 0, 10), at(STALE.get(1), "c", 11, 20))))
        .isEqualTo(Verdict.FAIL);
  }

  @Test
  void timesOfTwoClocksAreOrderedOnlyBeyondTheUncertainty() {
    TransactionRecord write = at(STALE.get(0), "c", 0, 10);
    TransactionRecord read = at(STALE.get(1), "d", 30, 40);
    CheckRun never = check(CheckerConfig.NEVER_COMPARED, write, read);
    assertThat(strict(never)).isEqualTo(Verdict.UNDECIDED);
    assertThat(never.report.undecided())
        .containsExactly(Map.entry(UndecidedReason.CLOCKS_NOT_COMPARED, 1L));
    assertThat(never.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
    assertThat(strict(check(20, write, read))).isEqualTo(Verdict.PASS);
    CheckRun run = check(19, write, read);
    assertThat(strict(run)).isEqualTo(Verdict.FAIL);
    assertThat(run.anomalies.get(0).explanation()).contains("by clocks c and d");
    assertThat(strict(check(19, read, write))).isEqualTo(Verdict.FAIL);
  }

  @Test
  void timesFarApartAreNoSurprise() {
    long first = Long.MIN_VALUE + 1;
    long last = Long.MAX_VALUE;
    List<TransactionRecord> seen = Dsl.history("a: wx1 wy2 ; b: ry2 rx1 ; c: wx3");
    CheckRun run =
        check(
            0,
            at(seen.get(0), "c", first, 19),
            at(seen.get(1), "c", first, 11),
            at(seen.get(2), "c", 14, 17));
    assertThat(strict(run)).isEqualTo(Verdict.PASS);
    for (long uncertaintyNs : new long[] {0, 1, last - 1}) {
      run =
          check(
              uncertaintyNs,
              at(STALE.get(0), "c", first, first),
              at(STALE.get(1), "d", last, last));
      assertThat(strict(run)).isEqualTo(Verdict.FAIL);
      assertThat(run.anomalies.get(0).explanation()).contains("ended 18446744073709.55");
    }
  }

  @Test
  void anUnknownOutcomeEndsNever() {
    List<TransactionRecord> seen = Dsl.history("a?: wx1 ; b: rx0 ; c: rx1");
    CheckRun run =
        check(
            0,
            at(seen.get(0), "c", 0, 10, Outcome.UNKNOWN),
            at(seen.get(1), "c", 20, 30),
            at(seen.get(2), "c", 40, 50));
    assertThat(strict(run)).isEqualTo(Verdict.PASS);
  }

  @Test
  void withoutTimesOrWithTimesThatContradictEachOtherItIsUndecidedAndSaysWhy() {
    TransactionRecord read = at(STALE.get(1), "c", 20, 30);
    for (TransactionRecord write :
        List.of(
            STALE.get(0),
            at(STALE.get(0), null, 0, 10),
            at(STALE.get(0), "c", 10, 0),
            at(STALE.get(0), "c", TransactionRecord.NO_TIME, 10),
            at(STALE.get(0), "c", 0, TransactionRecord.NO_TIME))) {
      CheckRun run = check(0, write, read);
      assertThat(strict(run)).as("%s", write).isEqualTo(Verdict.UNDECIDED);
      assertThat(run.report.undecided()).containsEntry(UndecidedReason.NO_TIMES, 1L);
    }
  }

  private static TransactionRecord of(
      String session, long number, long beginNs, long endNs, Operations.Builder ops) {
    SessionInfo info = SessionInfo.ofFile(session.hashCode(), session);
    return new TransactionRecord(
        info, number, number, 0, Outcome.COMMITTED, null, beginNs, endNs, "c", ops.build());
  }

  private static Operations.Builder ops() {
    return new Operations.Builder();
  }

  /** So many that not all are told apart by time, and one of them comes to stand elsewhere. */
  @Test
  void aStaleReadIsFoundWhereItsWriterHasMovedAmongVeryMany() {
    int many = 8_192;
    long step = 1_000;
    List<TransactionRecord> history = new ArrayList<>();
    for (int i = 1; i <= many; i++) {
      int key = i == many / 2 ? 1 : 100 + i;
      history.add(of("s", i - 1, i * step, i * step + 500, ops().write(key, 1_000_000 + i)));
    }
    long middle = many / 2 * step;
    history.add(of("l", 0, middle - 300, middle + 200, ops().write(2, 7)));
    history.add(of("m", 0, middle - 100, middle + 300, ops().read(2, 7).readInitial(1)));
    history.add(of("n", 0, middle + 700, middle + 800, ops().readInitial(1)));
    CheckerConfig config = CheckerConfig.forFile("h", STRICT).withWindow(20_000);
    CheckRun run = CheckRun.of(config, history);
    assertThat(strict(run)).isEqualTo(Verdict.FAIL);
  }
}

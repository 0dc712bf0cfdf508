package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two applications of one history tell versions of one table differently: one by a column that the
 * applications keep, the other by {@code xmin}. So each write has two versions, of which its record
 * has one.
 */
final class MixedVersionsTest {
  private static final long ROW = 7;
  private static final long OTHER = 8;
  private static final long NEXT = 9;
  private static final Statement BY_COLUMN = new Statement("t", "");
  private static final Statement BY_XMIN = new Statement("t", "", true);
  private static final Statement ELSEWHERE = new Statement("u", "");

  /** The row is written once, as xmin 757 and as version 6, and everybody sees that. */
  private static final List<TransactionRecord> CORRECT =
      List.of(
          committed(1, ops(BY_XMIN).write(ROW, 757).statement(ELSEWHERE).write(OTHER, 1)),
          committed(2, ops(BY_COLUMN).read(ROW, 6).statement(ELSEWHERE).write(NEXT, 1)),
          committed(3, ops(ELSEWHERE).read(NEXT, 1).statement(BY_XMIN).read(ROW, 757)),
          committed(4, ops(ELSEWHERE).read(OTHER, 1).statement(BY_COLUMN).read(ROW, 6)));

  private static final CheckerConfig OPEN =
      CheckerConfig.forLive("h")
          .withPromise(IsolationLevel.CAUSAL)
          .withUniqueVersions(true)
          .withDeletes(false);

  @ParameterizedTest
  @ValueSource(strings = {"open, unique", "open, counting", "closed, unique", "closed, counting"})
  void noAlarmFollowsAndNoPass(String declared) {
    CheckerConfig config =
        OPEN.withClosed(declared.startsWith("closed"))
            .withUniqueVersions(declared.endsWith("unique"))
            .withCountingTables(Set.of("t", "u"));
    CheckRun run = CheckRun.of(config, CORRECT);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.undecided()).containsEntry(UndecidedReason.MIXED_VERSIONS, 3L);
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.CAUSAL, Verdict.UNDECIDED);
  }

  @Test
  void whatStandsOnOtherTablesIsDecided() {
    CheckRun run = CheckRun.of(OPEN, CORRECT);
    assertThat(run.report.readsDecided()).isEqualTo(2);
    CheckRun stale =
        CheckRun.of(
            OPEN,
            Stream.concat(
                    CORRECT.stream(),
                    Stream.of(
                        committed(5, ops(ELSEWHERE).read(NEXT, 1).write(NEXT, 2).write(OTHER, 2)),
                        committed(6, ops(ELSEWHERE).read(OTHER, 2).read(NEXT, 1))))
                .toList());
    assertThat(stale.anomalies).hasSize(1);
  }

  @Test
  void theDoubtIsSaved() {
    Checker checker = new Checker(OPEN, new CheckRun(OPEN), Tuning.DEFAULT);
    checker.accept(0, 0, CORRECT.get(0));
    checker.accept(1, 0, CORRECT.get(1));
    List<byte[]> saved = new ArrayList<>();
    checker.save(saved::add);
    Iterator<byte[]> chunks = saved.iterator();
    CheckRun after = new CheckRun(OPEN);
    Checker restored =
        Checker.restore(OPEN, after, Tuning.DEFAULT, () -> chunks.hasNext() ? chunks.next() : null);
    restored.accept(2, 0, CORRECT.get(2));
    restored.accept(3, 0, CORRECT.get(3));
    restored.finish();
    assertThat(after.anomalies).isEmpty();
  }

  private static Operations.Builder ops(Statement statement) {
    return new Operations.Builder().statement(statement);
  }

  private static TransactionRecord committed(long session, Operations.Builder ops) {
    return new TransactionRecord(
        SessionInfo.ofFile(session, "s" + session),
        0,
        session,
        0,
        Outcome.COMMITTED,
        "causal",
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops.build());
  }
}

package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Verdict;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A database that takes the place of another one under one history gives out the ids of its
 * transactions anew, and has other rows under the same keys.
 */
final class SeveralDatabasesTest extends WritersByName {
  private static final CheckerConfig OPEN = CheckerConfig.forLive("h");
  private static final CheckerConfig CLOSED = OPEN.withClosed(true);
  private static final long OLD = 0x1111;
  private static final long NEW = 0x2222;
  private static final long UNKNOWN = SessionInfo.NO_DATABASE;
  private static final long BEGIN = 700;
  private static final long NEW_BEGIN = 760;

  private final long[] nextSequence = new long[1_000];

  /** Without a word about the database this is a lost update, though nobody has lost one. */
  @Test
  void anIdThatIsGivenOutAgainIsOfAnotherTransaction() {
    for (boolean told : new boolean[] {true, false}) {
      CheckRun run = begin(OPEN);
      in(run, 1, told ? OLD : UNKNOWN, ops().read(7, 500).write(7, 750));
      in(run, 2, told ? OLD : UNKNOWN, ops().read(7, 750).write(7, 760));
      in(run, 3, told ? NEW : UNKNOWN, ops().read(7, 750).write(7, 770));
      beat(run);
      if (told) {
        assertThat(run.anomalies).isEmpty();
        assertThat(run.report.coverage()).isOne();
        assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
      } else {
        assertThat(run.anomalies)
            .extracting(Anomaly::kind)
            .containsExactly(AnomalyKind.LOST_UPDATE);
      }
    }
  }

  @Test
  void recordsOfBothMayComeInAnyOrder() {
    CheckRun run = begin(OPEN);
    for (int i = 0; i < 100; i++) {
      long id = 761 + i;
      long before = i == 0 ? 500 : id - 1;
      in(run, 1, OLD, ops().read(7, before).write(7, id));
      in(run, 2, NEW, ops().read(7, before).write(7, id));
    }
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.undecided()).isEmpty();
  }

  @Test
  void whatNobodySawIsKnownByItsIdInItsOwnDatabaseAlone() {
    CheckRun run = begin(OPEN);
    in(run, 1, OLD, ops().write(7, 770));
    in(run, 2, NEW, ops().write(8, 770));
    in(run, 3, NEW, ops().read(9, 770).read(8, 770));
    in(run, 4, NEW, ops().read(7, 500).read(9, 770));
    beat(run);
    assertThat(run.anomalies).isEmpty();
    assertThat(run.report.coverage()).isOne();
    assertThat(run.report.verdicts()).containsEntry(IsolationLevel.SERIALIZABLE, Verdict.PASS);
  }

  @Test
  void anAnomalyOfTheSecondDatabaseIsToldWithTheKeysOfItsRecords() {
    CheckRun run = begin(OPEN);
    in(run, 1, OLD, ops().read(7, 500).write(7, 750));
    in(run, 2, NEW, ops().read(7, 500).write(7, 770));
    in(run, 3, NEW, ops().read(7, 500).write(7, 771));
    beat(run);
    assertThat(run.anomalies).extracting(Anomaly::kind).containsExactly(AnomalyKind.LOST_UPDATE);
    Anomaly anomaly = run.anomalies.get(0);
    assertThat(anomaly.explanation()).contains("xmin 500").contains("t#0000000000000007");
    assertThat(anomaly.capsule())
        .allSatisfy(t -> assertThat(t.operations().key(0)).isEqualTo(7))
        .allSatisfy(t -> assertThat(t.operations().version(0)).isLessThan(1_000));
    assertThat(run.checker.incidents().get(0).radius().most().get(0).row().key()).isEqualTo(7);
  }

  /** Sessions of old drivers, and of those that may not ask, are in the one database there is. */
  @Test
  void whoDoesNotTellIsInTheOnlyDatabaseAndInNoKnownOneOnceThereAreTwo() {
    CheckRun run = begin(OPEN);
    in(run, 1, UNKNOWN, ops().read(7, 500).write(7, 750));
    in(run, 2, OLD, ops().read(7, 750).write(7, 751));
    in(run, 1, UNKNOWN, ops().read(7, 751).write(7, 752));
    beat(run);
    assertThat(run.report.coverage()).isOne();
    in(run, 3, NEW, ops().read(7, 500).write(7, 770));
    in(run, 4, UNKNOWN, ops().read(7, 750).write(7, 753));
    in(run, 5, UNKNOWN, ops().read(7, 750).write(7, 751));
    beat(run);
    assertThat(run.anomalies).isEmpty();
  }

  @Test
  void theDatabasesAreSaved() {
    CheckRun run = begin(OPEN);
    in(run, 1, OLD, ops().read(7, 500).write(7, 770));
    in(run, 2, NEW, ops().read(7, 500).write(7, 770));
    beat(run);
    List<byte[]> saved = new ArrayList<>();
    run.checker.save(saved::add);
    Iterator<byte[]> chunks = saved.iterator();
    Checker restored =
        Checker.restore(OPEN, new CheckRun(OPEN), () -> chunks.hasNext() ? chunks.next() : null);
    List<byte[]> again = new ArrayList<>();
    restored.save(again::add);
    assertThat(again).containsExactlyElementsOf(saved);
  }

  @Test
  void aRestoredRowOfAClosedHistoryIsNoThinAir() {
    Statement counting = new Statement("c", "");
    CheckRun run = begin(CLOSED);
    in(run, 1, OLD, new Operations.Builder().statement(counting).write(7, 1).write(8, 1));
    in(run, 2, NEW, new Operations.Builder().statement(counting).read(7, 1).write(7, 2));
    in(run, 3, NEW, ops().read(9, 740).write(9, 770));
    beat(run);
    assertThat(run.anomalies).isEmpty();
  }

  private CheckRun begin(CheckerConfig config) {
    Arrays.fill(nextSequence, 0);
    return start(config, BEGIN);
  }

  private void in(CheckRun run, int session, long database, Operations.Builder ops) {
    this.database = database;
    oldestRunning = database == UNKNOWN ? Hello.NOT_KNOWN : database == NEW ? NEW_BEGIN : BEGIN;
    committed(run, session, nextSequence[session]++, ops);
  }
}

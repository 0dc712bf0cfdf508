package io.isotail.incremental;

import static io.isotail.incremental.FollowedLog.OTHER_ROW;
import static io.isotail.incremental.FollowedLog.ROW;
import static io.isotail.incremental.FollowedLog.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A transaction reads a row as transaction 4 has left it, with the content 2, and sets it to 3,
 * which it has already: transaction 6 has changed it. The log tells nothing of that.
 */
final class UnchangedRowsTest {
  private static final Statement READS = new Statement("t", "SELECT …", false, false, List.of("a"));
  private static final Statement SETS = new Statement("t", "UPDATE …", false, false, List.of("a"));

  private static final Statement OF_SERVER = new Statement(Statement.ELSEWHERE, "", true);

  private static final String LOST = "READ 4, WRITE UNKNOWN replacing 6";
  private static final String NOTHING = "READ 4";

  @Test
  void whoSetsWhatAnotherHasSetOverwritesItUnseen() {
    assertThat(log().capturedWithoutLog(setting(2, 3)).handedOne()).isEqualTo(LOST);
  }

  @Test
  void itsWriteHasItsNameIfTheLogHasOneForIt() {
    FollowedLog log = log().tellsWithOthers(7, List.of());
    assertThat(log.captured(7, setting(2, 3)).handedOne()).isEqualTo("READ 4, WRITE 7 replacing 6");
  }

  /** It held the row's lock until its end, and so the one behind it in the log is behind it. */
  @Test
  void itsPlaceIsDirectlyBehindTheLastWriterBeforeIt() {
    FollowedLog log = log().tellsWithOthers(7, List.of()).tells(8, change(3, 9));
    assertThat(log.captured(7, setting(2, 3)).handedOne()).isEqualTo("READ 4, WRITE 7 replacing 6");
    FollowedLog other = log().tells(8, change(3, 9)).tellsWithOthers(9, List.of());
    assertThat(other.captured(9, setting(2, 3)).handedOne()).isEqualTo(NOTHING);
  }

  /** Nothing tells which of them was first. */
  @Test
  void ofSeveralThatSetWhatAnotherHasSetOneIsToldUnlessTheLogOrdersThem() {
    FollowedLog log = log().capturedWithoutLog(setting(2, 3)).capturedWithoutLog(setting(2, 3));
    assertThat(log.handed()).containsExactly(LOST, NOTHING);
    FollowedLog named = log().tellsWithOthers(7, List.of());
    named.capturedWithoutLog(setting(2, 3)).captured(7, setting(2, 3));
    assertThat(named.handed()).containsExactly(LOST, NOTHING);
    FollowedLog other = log().tellsWithOthers(7, List.of());
    other.captured(7, setting(2, 3)).capturedWithoutLog(setting(2, 3));
    assertThat(other.handed()).containsExactly("READ 4, WRITE 7 replacing 6", NOTHING);
    FollowedLog both = log().tellsWithOthers(7, List.of()).tellsWithOthers(8, List.of());
    both.captured(7, setting(2, 3)).captured(8, setting(2, 3));
    assertThat(both.handed())
        .containsExactly("READ 4, WRITE 7 replacing 6", "READ 4, WRITE 8 replacing 7");
  }

  @Test
  void whatIsDeliveredTwiceHasOneVersion() {
    FollowedLog log = log().tellsWithOthers(7, List.of());
    log.captured(7, setting(2, 3)).captured(7, setting(2, 3));
    assertThat(log.handed()).containsExactly("READ 4, WRITE 7 replacing 6", NOTHING);
  }

  @Test
  void whoHasReadWhatIsThereOverwritesNothingUnseen() {
    assertThat(log().capturedWithoutLog(setting(3, 3)).handedOne()).isEqualTo("READ 6");
  }

  @Test
  void whoHasNotReadTheRowIsNotJudged() {
    Operations.Builder ops = new Operations.Builder().statement(SETS).opaque(ROW, 3);
    assertThat(log().capturedWithoutLog(ops).handedOne()).isEmpty();
  }

  /** The read may have been of the version of the one that set it again, which looks the same. */
  @Test
  void nothingIsSaidIfSomebodyWasToldToHaveReadWhatItFound() {
    Operations.Builder reads = new Operations.Builder().statement(READS).read(ROW, 3);
    FollowedLog log = log().captured(0, reads).capturedWithoutLog(setting(2, 3));
    assertThat(log.handed()).containsExactly("READ 6", NOTHING);
  }

  @Test
  void aReadBehindItIsOfOneOfTwo() {
    Operations.Builder reads = new Operations.Builder().statement(READS).read(ROW, 3);
    FollowedLog log = log().capturedWithoutLog(setting(2, 3)).captured(0, reads);
    assertThat(log.handed()).containsExactly(LOST, "READ UNKNOWN");
  }

  @Test
  void nothingIsSaidIfTheContentMayBeOfTwoWriters() {
    FollowedLog log = log().tells(8, change(3, 9)).tells(9, change(9, 3));
    assertThat(log.capturedWithoutLog(setting(2, 3)).handedOne()).isEqualTo(NOTHING);
  }

  /** Triggers may have set something else, and values may be stored in another way. */
  @Test
  void nothingIsSaidIfNobodyHasLeftTheContent() {
    assertThat(log().capturedWithoutLog(setting(2, 5)).handedOne()).isEqualTo(NOTHING);
  }

  /** The server counts a row that an update has found, be it that a savepoint takes it back. */
  @Test
  void nothingIsSaidBehindWhatWasTakenBack() {
    Operations.Builder ops = new Operations.Builder().statement(READS).read(ROW, 2);
    ops.statement(SETS).opaque(ROW, 3).undoFrom(1);
    ops.statement(SETS).opaque(ROW, 3);
    assertThat(log().capturedWithoutLog(ops).handedOne()).isEqualTo(NOTHING);
  }

  /** Perhaps the log has its change under an id that nobody has told. */
  @Test
  void nothingIsSaidIfTheServerHasToldNothing() {
    assertThat(log().captured(0, setting(2, 3)).handedOne()).isEqualTo(NOTHING);
  }

  /**
   * Two transactions set the same rows, the one in this order and the other one in that, and each
   * finds one of them as it leaves it. Only the log knows the one, and its record comes later: to
   * put both behind the version that they found would be to guess who was first.
   */
  @Test
  void twoThatSetTheSameRowsKeepWhatMariaDbPromises() {
    CheckRun run =
        new CheckRun(
            CheckerConfig.forLive("h").withPromise(IsolationLevel.PREFIX).withClosed(true));
    run.accept(1, new LogStart("log", 1, 2, Set.of("t")));
    run.accept(1, new Hello("p", "shop", "i", 100, 2, 1, Hello.NOT_KNOWN));
    run.accept(2, logged(0, 4, ROW, 1, 2)).accept(2, logged(1, 5, OTHER_ROW, 1, 2));
    run.accept(3, logged(2, 6, ROW, 2, 3)).accept(3, logged(3, 7, OTHER_ROW, 2, 3));
    Operations.Builder u = new Operations.Builder().statement(READS).read(ROW, 2);
    u.read(OTHER_ROW, 2).statement(SETS).opaque(OTHER_ROW, 3).opaque(ROW, 3);
    run.accept(4, captured(1, u.statement(OF_SERVER).opaque()));
    Operations.Builder t = new Operations.Builder().statement(READS).read(ROW, 2);
    t.statement(SETS).opaque(ROW, 3).opaque(OTHER_ROW, 3);
    run.accept(4, captured(2, t.statement(OF_SERVER).write(1, 7)));
    for (int i = 0; i < 4; i++) {
      run.accept(5 + i, new Heartbeat("p", i, List.of()));
      run.accept(5 + i, new LogMark("log", 4));
    }
    run.finish();
    assertThat(run.report.reads()).isEqualTo(3);
    assertThat(run.report.readsDecided()).isEqualTo(3);
    assertThat(run.anomalies).isEmpty();
  }

  private static Changes logged(long sequence, long id, long row, long before, long after) {
    RowChange change =
        new RowChange(FollowedLog.TABLE, row, new long[] {before}, new long[] {after});
    return new Changes("log", sequence, id, true, List.of(change));
  }

  private static TransactionRecord captured(long session, Operations.Builder ops) {
    SessionInfo info =
        new SessionInfo(session, "s" + session, "p", "shop", "i", null, 0, 1, Hello.NOT_KNOWN);
    return new TransactionRecord(
        info, 0, 0, 0, Outcome.COMMITTED, "mariadb:repeatable-read", 1, 9, "c", ops.build());
  }

  private static FollowedLog log() {
    return new FollowedLog().tells(6, change(2, 3));
  }

  private static Operations.Builder setting(long read, long set) {
    Operations.Builder ops = new Operations.Builder();
    return ops.statement(READS).read(ROW, read).statement(SETS).opaque(ROW, set);
  }
}

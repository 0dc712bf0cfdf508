package io.isotail.incremental;

import static io.isotail.incremental.FollowedLog.ROW;
import static io.isotail.incremental.FollowedLog.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A transaction reads a row as transaction 4 has left it, with the content 2, and sets it to 3,
 * which it has already: transaction 6 has changed it. The log tells nothing of that.
 */
final class UnchangedRowsTest {
  private static final Statement READS = new Statement("t", "SELECT …", false, false, List.of("a"));
  private static final Statement SETS = new Statement("t", "UPDATE …", false, false, List.of("a"));

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

  private static FollowedLog log() {
    return new FollowedLog().tells(6, change(2, 3));
  }

  private static Operations.Builder setting(long read, long set) {
    Operations.Builder ops = new Operations.Builder();
    return ops.statement(READS).read(ROW, read).statement(SETS).opaque(ROW, set);
  }
}

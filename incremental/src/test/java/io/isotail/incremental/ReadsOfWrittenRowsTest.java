package io.isotail.incremental;

import static io.isotail.incremental.FollowedLog.change;
import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A transaction reads a row that it has written before or writes later: what the log and the
 * contents tell of that. Row {@value FollowedLog#ROW} has the content 2 of transaction 4, and is
 * changed to 3 by the transaction itself, of id 5.
 */
final class ReadsOfWrittenRowsTest {
  private static final long ROW = FollowedLog.ROW;
  private static final long OTHER_ROW = FollowedLog.OTHER_ROW;
  private static final Statement WRITES = new Statement("t", "UPDATE t …");
  private static final Statement WRITES_OTHER = new Statement("u", "UPDATE u …");
  private static final Statement READS = new Statement("t", "SELECT …", false, false, List.of("a"));

  private static final RowChange REMOVED =
      new RowChange(FollowedLog.TABLE, ROW, new long[] {2}, null);
  private static final RowChange MADE = new RowChange(FollowedLog.TABLE, ROW, null, new long[] {3});

  @Test
  void aReadBehindAWriteOfAnotherTableIsOfWhoeverLeftTheContent() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES_OTHER).opaque().statement(READS).read(ROW, 2);
    ops.statement(WRITES).opaque();
    assertThat(ofRow(ops, change(2, 3))).isEqualTo("READ 4, WRITE 5");
  }

  @Test
  void aReadBehindAWriteThatNamesAnotherRowIsOfWhoeverLeftTheContent() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).writeUnknown(OTHER_ROW).statement(READS).read(ROW, 2);
    ops.statement(WRITES).writeUnknown(ROW);
    assertThat(ofRow(ops, change(2, 3))).isEqualTo("READ 4, WRITE 5");
  }

  /** A statement that names a row counts as a write of it, and need not have changed it. */
  @Test
  void aReadBehindAStatementThatNamesTheRowIsOfItselfIfNobodyElseLeftTheContent() {
    Operations.Builder other = new Operations.Builder();
    other.statement(WRITES).opaque(ROW).statement(READS).read(ROW, 2);
    other.statement(WRITES).opaque(OTHER_ROW);
    assertThat(ofRow(other, change(2, 3))).isEqualTo("READ UNKNOWN, WRITE 5");
    Operations.Builder own = new Operations.Builder();
    own.statement(WRITES).opaque(ROW).statement(READS).read(ROW, 3);
    own.statement(WRITES).opaque(OTHER_ROW);
    assertThat(ofRow(own, change(2, 3))).isEqualTo("WRITE 5, READ 5");
    Operations.Builder both = new Operations.Builder();
    both.statement(WRITES).opaque(ROW).statement(READS).read(ROW, 1);
    both.statement(WRITES).opaque(OTHER_ROW);
    assertThat(ofRow(both, change(2, 1))).isEqualTo("READ UNKNOWN, WRITE 5");
  }

  /** It found the row as somebody had changed it behind the snapshot, and left it like that. */
  @Test
  void aStatementThatNamesARowIsNotWhereItWasWritten() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).opaque(ROW).statement(READS).readInitial(ROW);
    ops.statement(WRITES_OTHER).opaque();
    assertThat(ofRow(ops, List.of(REMOVED), List.of(MADE))).isEqualTo("READ 6, WRITE 5");
  }

  /** It may be of somebody who was rolled back. */
  @Test
  void aReadOfWhatItLeavesLaterIsNotOfItselfIfNothingTellsThatItHasWrittenTheRow() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES_OTHER).opaque().statement(READS).read(ROW, 3);
    ops.statement(WRITES).opaque();
    assertThat(ofRow(ops, change(2, 3))).isEqualTo("READ UNKNOWN, WRITE 5");
  }

  @Test
  void aReadOfAContentThatTheLogDoesNotTellIsNotKnown() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).opaque(ROW).statement(READS).read(ROW, 3);
    ops.statement(WRITES_OTHER).opaque();
    assertThat(ofRow(ops, change(2, RowChange.NOT_KNOWN))).isEqualTo("READ UNKNOWN, WRITE 5");
  }

  /** If the write before has changed the row, the read has missed its own write. */
  @Test
  void aReadBehindAWriteThatMayHaveChangedTheRowIsNotKnown() {
    Operations.Builder opaque = new Operations.Builder();
    opaque.statement(WRITES).opaque().statement(READS).read(ROW, 2);
    opaque.statement(WRITES).writeUnknown(ROW);
    assertThat(ofRow(opaque, change(2, 3))).isEqualTo("READ UNKNOWN, WRITE 5");
    Operations.Builder named = new Operations.Builder();
    named.statement(WRITES).writeUnknown(ROW).statement(READS).read(ROW, 2);
    named.statement(WRITES).writeUnknown(OTHER_ROW);
    assertThat(ofRow(named, change(2, 3))).isEqualTo("WRITE 5, READ UNKNOWN");
  }

  @Test
  void aReadBehindAllWritesIsNotOfAnother() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES_OTHER).opaque().statement(READS).read(ROW, 2);
    assertThat(ofRow(ops, change(2, 3))).isEqualTo("WRITE 5, READ UNKNOWN");
  }

  @Test
  void aReadOfWhatNobodyElseLeftIsOfItself() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).opaque().statement(READS).read(ROW, 3);
    ops.statement(WRITES_OTHER).opaque();
    assertThat(ofRow(ops, change(2, 3))).isEqualTo("WRITE 5, READ 5");
  }

  @Test
  void aReadOfWhatAnotherOneLeftTooIsNotKnown() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES_OTHER).opaque().statement(READS).read(ROW, 1);
    ops.statement(WRITES).opaque();
    assertThat(ofRow(ops, change(2, 1))).isEqualTo("READ UNKNOWN, WRITE 5");
  }

  /** What a row that was changed twice had between is not kept. */
  @Test
  void aReadOfARowThatWasWrittenTwiceIsNotKnown() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES_OTHER).opaque().statement(READS).read(ROW, 2);
    ops.statement(WRITES).opaque();
    assertThat(ofRow(ops, change(2, 9), change(9, 3))).isEqualTo("READ UNKNOWN, WRITE 5");
  }

  /** What a savepoint took back the log does not tell. */
  @Test
  void aReadBehindWhatWasTakenBackIsNotKnown() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).writeUnknown(OTHER_ROW);
    ops.undoFrom(0);
    ops.statement(READS).read(ROW, 2);
    ops.statement(WRITES).writeUnknown(ROW);
    assertThat(ofRow(ops, change(2, 3))).isEqualTo("READ UNKNOWN, WRITE 5");
  }

  /** Rows of a result may be taken one by one, while others are written. */
  @Test
  void aReadOfAnotherContentBehindItsOwnIsNotKnown() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).opaque(ROW).statement(READS).read(ROW, 3).read(ROW, 2);
    ops.statement(READS).readInitial(ROW);
    ops.statement(WRITES_OTHER).opaque();
    assertThat(ofRow(ops, List.of(REMOVED), List.of(MADE)))
        .isEqualTo("WRITE 5, READ 5, READ UNKNOWN, READ UNKNOWN");
  }

  /** A statement that is not understood need not have written the row: a trigger did, later. */
  @Test
  void whatATransactionLeftIsPutBehindAReadThatDidNotFindTheRow() {
    Operations.Builder ops = new Operations.Builder();
    ops.statement(WRITES).opaque().statement(READS).readInitial(ROW);
    ops.statement(WRITES).writeUnknown(OTHER_ROW);
    assertThat(ofRow(ops, List.of(REMOVED), List.of(MADE))).isEqualTo("READ 6, WRITE 5");
  }

  private static String ofRow(Operations.Builder ops, RowChange... own) {
    return ofRow(ops, List.of(), List.of(own));
  }

  /**
   * What becomes of a transaction's operations on the row.
   *
   * @param before changes of transaction 6, behind those of 4
   */
  private static String ofRow(Operations.Builder ops, List<RowChange> before, List<RowChange> own) {
    FollowedLog log = new FollowedLog();
    if (!before.isEmpty()) {
      log.tells(6, before.toArray(RowChange[]::new));
    }
    String handed = log.tellsWithOthers(5, own).captured(5, ops).handedOne();
    return handed.replaceAll(" replacing \\d+", "");
  }
}

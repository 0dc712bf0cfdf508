package io.isotail.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.changes.CommitFault;
import io.isotail.incremental.changes.LogFollower;
import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.LoggedTable;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A transaction reads a row that it has written before or writes later: what the log and the
 * contents tell of that. Row {@value #ROW} has the content 2 of transaction 4, and is changed to 3
 * by the transaction itself, of id 5.
 */
final class ReadsOfWrittenRowsTest {
  private static final long ROW = 7;
  private static final long OTHER_ROW = 8;
  private static final LoggedTable TABLE = new LoggedTable("t", List.of("a"));
  private static final LoggedTable OTHER = new LoggedTable("u", List.of("a"));
  private static final Statement WRITES = new Statement("t", "UPDATE t …");
  private static final Statement WRITES_OTHER = new Statement("u", "UPDATE u …");
  private static final Statement READS = new Statement("t", "SELECT …", false, false, List.of("a"));

  private static final RowChange REMOVED = new RowChange(TABLE, ROW, new long[] {2}, null);
  private static final RowChange MADE = new RowChange(TABLE, ROW, null, new long[] {3});

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

  private static RowChange change(long before, long after) {
    return new RowChange(TABLE, ROW, new long[] {before}, new long[] {after});
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
    LogFollower follower = new LogFollower(60_000);
    List<Operations> handed = new ArrayList<>();
    LogFollower.Next next =
        new LogFollower.Next() {
          @Override
          public void accept(long offset, long timeMs, StreamRecord record) {
            if (record instanceof TransactionRecord t && t.session().name().equals("s")) {
              handed.add(t.operations());
            }
          }

          @Override
          public void fault(CommitFault fault) {
            throw new AssertionError(fault);
          }
        };
    int at = 0;
    long sequence = 0;
    follower.accept(at++, 1, new LogStart("log", 1, 2, Set.of("t", "u")), next);
    follower.accept(at++, 1, new Hello("p", "shop", "i", 100, 2, 1, Hello.NOT_KNOWN), next);
    RowChange first = change(1, 2);
    follower.accept(at++, 2, new Changes("log", sequence++, 4, true, List.of(first)), next);
    if (!before.isEmpty()) {
      follower.accept(at++, 2, new Changes("log", sequence++, 6, 5, true, before), next);
    }
    List<RowChange> all = new ArrayList<>(own);
    all.add(new RowChange(OTHER, 1, new long[] {1}, new long[] {2}));
    all.add(new RowChange(TABLE, OTHER_ROW, new long[] {1}, new long[] {2}));
    follower.accept(at++, 2, new Changes("log", sequence++, 5, 6, true, all), next);
    ops.statement(new Statement(Statement.ELSEWHERE, "", true)).write(1, 5);
    SessionInfo session = new SessionInfo(1, "s", "p", "shop", "i", null, 0, 1, Hello.NOT_KNOWN);
    TransactionRecord record =
        new TransactionRecord(session, 0, 0, 0, Outcome.COMMITTED, null, 1, 2, null, ops.build());
    follower.accept(at++, 3, record, next);
    for (int i = 0; i < 4; i++) {
      follower.accept(at++, 4, new Heartbeat("p", i, List.of()), next);
      follower.accept(at++, 4, new LogMark("log", sequence), next);
    }
    assertThat(handed).hasSize(1);
    return words(handed.get(0));
  }

  private static String words(Operations ops) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.key(i) == ROW && ops.kind(i) != OperationKind.OPAQUE) {
        boolean known = ops.versionKind(i) == VersionKind.KNOWN;
        words.add(ops.kind(i) + " " + (known ? ops.version(i) : ops.versionKind(i)));
      }
    }
    return String.join(", ", words);
  }
}

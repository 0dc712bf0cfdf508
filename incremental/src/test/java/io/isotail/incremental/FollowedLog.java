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

/**
 * A log of tables t and u that is followed, and what becomes of the operations of captured
 * transactions on row {@value #ROW} of t. That row has the content 2 of transaction 4.
 */
final class FollowedLog {
  static final long ROW = 7;
  static final long OTHER_ROW = 8;
  static final LoggedTable TABLE = new LoggedTable("t", List.of("a"));
  private static final LoggedTable OTHER = new LoggedTable("u", List.of("a"));
  private static final Statement OF_SERVER = new Statement(Statement.ELSEWHERE, "", true);

  private final LogFollower follower = new LogFollower(60_000);
  private final List<String> handed = new ArrayList<>();
  private final LogFollower.Next next =
      new LogFollower.Next() {
        @Override
        public void accept(long offset, long timeMs, StreamRecord record) {
          if (record instanceof TransactionRecord t && t.session().name().equals("s")) {
            handed.add(words(t.operations()));
          }
        }

        @Override
        public void fault(CommitFault fault) {
          throw new AssertionError(fault);
        }
      };
  private int at;
  private long sequence;
  private long positions = 4;

  /** Follows it from its beginning. */
  FollowedLog() {
    follower.accept(at++, 1, new LogStart("log", 1, 2, Set.of("t", "u")), next);
    follower.accept(at++, 1, new Hello("p", "shop", "i", 100, 2, 1, Hello.NOT_KNOWN), next);
    tells(4, change(1, 2));
  }

  /** A change of the row. */
  static RowChange change(long before, long after) {
    return new RowChange(TABLE, ROW, new long[] {before}, new long[] {after});
  }

  /** The log tells a transaction. */
  FollowedLog tells(long id, RowChange... changes) {
    Changes record = new Changes("log", sequence++, id, positions++, true, List.of(changes));
    follower.accept(at++, 2, record, next);
    return this;
  }

  /** The log tells a transaction that has changed other rows, too. */
  FollowedLog tellsWithOthers(long id, List<RowChange> changes) {
    List<RowChange> all = new ArrayList<>(changes);
    all.add(new RowChange(OTHER, 1, new long[] {1}, new long[] {2}));
    all.add(new RowChange(TABLE, OTHER_ROW, new long[] {1}, new long[] {2}));
    return tells(id, all.toArray(RowChange[]::new));
  }

  /** A transaction was captured that the server has called so; 0 if it has told nothing of it. */
  FollowedLog captured(long id, Operations.Builder ops) {
    if (id != 0) {
      ops.statement(OF_SERVER).write(1, id);
    }
    SessionInfo session = new SessionInfo(1, "s", "p", "shop", "i", null, 0, 1, Hello.NOT_KNOWN);
    long number = at;
    TransactionRecord record =
        new TransactionRecord(
            session, number, number, 0, Outcome.COMMITTED, null, 1, 2, null, ops.build());
    follower.accept(at++, 3, record, next);
    return this;
  }

  /** A transaction was captured of which the log has nothing, as the server has told. */
  FollowedLog capturedWithoutLog(Operations.Builder ops) {
    ops.statement(OF_SERVER).opaque();
    return captured(0, ops);
  }

  /** What was handed on of the row by each captured transaction. */
  List<String> handed() {
    for (int i = 0; i < 4; i++) {
      follower.accept(at++, 4, new Heartbeat("p", i, List.of()), next);
      follower.accept(at++, 4, new LogMark("log", sequence), next);
    }
    return handed;
  }

  /** What was handed on of the row by the only captured transaction. */
  String handedOne() {
    assertThat(handed()).hasSize(1);
    return handed.get(0);
  }

  private static String words(Operations ops) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.key(i) == ROW && ops.kind(i) != OperationKind.OPAQUE) {
        boolean known = ops.versionKind(i) == VersionKind.KNOWN;
        String replaced = ops.replaces(i) ? " replacing " + ops.replaced(i) : "";
        words.add(ops.kind(i) + " " + (known ? ops.version(i) : ops.versionKind(i)) + replaced);
      }
    }
    return String.join(", ", words);
  }
}

package io.isotail.incremental;

import io.isotail.incremental.naive.NaiveChecker;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A random history in which versions are the ids of their writers, some writes are not seen and
 * some transactions not captured: as it is captured, and as the definitions are to judge it.
 *
 * <p>To these a write that was not seen is one as soon as a captured transaction reads it, before
 * the first such read of its own or else at the end; and a transaction that nobody captured is one
 * that wrote what was read of it, and nothing else. What nobody reads does not exist.
 */
final class HiddenWriters {
  private static final long FIRST_ID = 1001;
  private static final String RAN_AT = "postgresql:repeatable-read";
  private static final int NOBODYS_SESSION = 1_000;
  private static final long FIRST_OWN_KEY = 2_000;

  /** What the proxies see, in an order that keeps each session's. */
  final List<TransactionRecord> captured = new ArrayList<>();

  /** What is known to have happened. */
  final List<NaiveChecker.Input> known = new ArrayList<>();

  /** Writes that are known from reads only. */
  int unseen;

  /** Transactions that are known from reads only. */
  int foreign;

  private final Random random;
  private final List<TransactionRecord> committed = new ArrayList<>();
  private final Map<List<Long>, Integer> writers = new HashMap<>();
  private final Set<Integer> uncaptured = new HashSet<>();

  /** Number of the transaction, and key, of each write that is not seen. */
  private final Set<List<Long>> hidden = new HashSet<>();

  /** Those of them that a captured transaction reads. */
  private final Set<List<Long>> read = new HashSet<>();

  HiddenWriters(List<TransactionRecord> history, long seed) {
    random = Seeds.random(seed);
    for (TransactionRecord t : history) {
      if (t.outcome() == Outcome.COMMITTED) {
        committed.add(t);
      }
    }
    for (int n = 0; n < committed.size(); n++) {
      Operations ops = committed.get(n).operations();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.isWrite(i)) {
          writers.put(List.of(ops.key(i), ops.version(i)), n);
        }
      }
      hide(n, ops);
    }
    List<List<long[]>> all = new ArrayList<>();
    for (int n = 0; n < committed.size(); n++) {
      all.add(operations(n));
    }
    Map<Long, Long> sequences = new HashMap<>();
    for (int n = 0; n < committed.size(); n++) {
      if (uncaptured.contains(n)) {
        addUncaptured(n);
      } else {
        long session = committed.get(n).session().id();
        add(n, all.get(n), sequences.merge(session, 1L, Long::sum) - 1);
      }
    }
  }

  private void hide(int n, Operations ops) {
    if (random.nextInt(6) == 0) {
      uncaptured.add(n);
    }
    boolean some = random.nextInt(3) > 0;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.isWrite(i) && some && random.nextInt(3) > 0) {
        hidden.add(List.of((long) n, ops.key(i)));
      }
    }
  }

  /** Kind, key and id of each operation; one write of a key, and no read of it before that. */
  private List<long[]> operations(int n) {
    Operations ops = committed.get(n).operations();
    List<long[]> all = new ArrayList<>();
    Set<Long> written = new HashSet<>();
    for (int i = 0; i < ops.size(); i++) {
      long key = ops.key(i);
      if (ops.isWrite(i) && written.add(key)) {
        all.add(new long[] {OperationKind.WRITE.ordinal(), key, id(n)});
      } else if (ops.kind(i) == OperationKind.READ && !ops.undone(i)) {
        if (ops.versionKind(i) == VersionKind.INITIAL) {
          all.add(new long[] {OperationKind.READ.ordinal(), key, 0});
          continue;
        }
        Integer writer = writers.get(List.of(key, ops.version(i)));
        if (writer == null || (writer == n && !written.contains(key))) {
          continue;
        }
        all.add(new long[] {OperationKind.READ.ordinal(), key, id(writer)});
        if (!uncaptured.contains(n)) {
          read.add(List.of((long) writer, key));
        }
      }
    }
    return all;
  }

  private void add(int n, List<long[]> all, long sequence) {
    Operations.Builder shown = builder();
    Operations.Builder real = builder();
    Set<Long> atEnd = new HashSet<>();
    if (all.stream().anyMatch(op -> op[0] == OperationKind.WRITE.ordinal())) {
      // A row of its own shows its id.
      shown.write(FIRST_OWN_KEY + n, id(n));
      real.write(FIRST_OWN_KEY + n, id(n));
    }
    for (long[] op : all) {
      List<Long> place = List.of((long) n, op[1]);
      boolean write = op[0] == OperationKind.WRITE.ordinal();
      if (write && hidden.contains(place)) {
        if (read.contains(place)) {
          unseen++;
          atEnd.add(op[1]);
        }
      } else if (write) {
        shown.write(op[1], op[2]);
        real.write(op[1], op[2]);
      } else if (op[2] == 0) {
        shown.readInitial(op[1]);
        real.readInitial(op[1]);
      } else {
        if (op[2] == id(n) && atEnd.remove(op[1])) {
          real.write(op[1], op[2]);
        }
        shown.read(op[1], op[2]);
        real.read(op[1], op[2]);
      }
    }
    atEnd.forEach(key -> real.write(key, id(n)));
    long session = committed.get(n).session().id();
    captured.add(record(session, sequence, shown.build()));
    known.add(input(session, sequence, real.build()));
  }

  private void addUncaptured(int n) {
    Operations.Builder real = builder();
    for (List<Long> place : read) {
      if (place.get(0) == n) {
        real.write(place.get(1), id(n));
      }
    }
    if (real.size() > 0) {
      foreign++;
      known.add(input(NOBODYS_SESSION + n, 0, real.build()));
    }
  }

  private static Operations.Builder builder() {
    return new Operations.Builder().statement(new Statement("t", "", true));
  }

  /** Ids of nobody captured come first: what is read under a later id may be the reader's own. */
  private long id(int n) {
    return FIRST_ID + n + (uncaptured.contains(n) ? 0 : committed.size());
  }

  static TransactionRecord record(long session, long sequence, Operations ops) {
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, "p", "service", "1", "db", 0),
        sequence,
        sequence,
        0,
        Outcome.COMMITTED,
        RAN_AT,
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops);
  }

  private static NaiveChecker.Input input(long session, long sequence, Operations ops) {
    return new NaiveChecker.Input(session, sequence, Outcome.COMMITTED, Times.NONE, ops);
  }

  /** One that wrote under the first id, so that all others are known to be later. */
  static TransactionRecord first() {
    return record(NOBODYS_SESSION - 1, 0, builder().write(NOBODYS_SESSION, FIRST_ID - 1).build());
  }
}

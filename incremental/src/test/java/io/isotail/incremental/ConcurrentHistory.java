package io.isotail.incremental;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Random small histories of a store with snapshots, whose transactions overlap: general ones, some
 * that mostly write, some that read what they overwrite and some that append to lists. A third is
 * serializable, a third satisfies snapshot isolation, a third prefix; in some of each a read then
 * returns another version. A third has no times, a third those of one clock, a third those of a
 * clock for each session; in some of these the times of two transactions are swapped.
 */
final class ConcurrentHistory {
  /** How far a session's clock may be from the true time, in ns. */
  static final int MAX_OFFSET_NS = 4;

  private static final int LISTS = 3;

  private final Random random;
  private final int keys;
  private final int style;
  private final int store;
  private final long[] latest;

  /** The versions of each key in the order of their commits. */
  private final List<List<Long>> lists = new ArrayList<>();

  private final Clocks clocks;
  private final long[] offsets = new long[6];
  private long tick;
  private long nextVersion = 1;
  private final List<TransactionRecord> done = new ArrayList<>();

  /** Who tells the times. */
  enum Clocks {
    NONE,
    ONE,
    EACH_SESSION
  }

  private static final class Running {
    final int session;
    final long[] snapshot;
    final List<List<Long>> lists;
    final long beginNs;

    Running(int session, long[] snapshot, List<List<Long>> lists, long beginNs) {
      this.lists = List.copyOf(lists);
      this.session = session;
      this.snapshot = snapshot;
      this.beginNs = beginNs;
    }
  }

  private ConcurrentHistory(long seed) {
    random = Seeds.random(seed);
    keys = 1 + random.nextInt(4);
    style = random.nextInt(4);
    store = random.nextInt(3);
    latest = new long[keys];
    for (int key = 0; key < keys; key++) {
      lists.add(List.of());
    }
    clocks = Clocks.values()[random.nextInt(3)];
    for (int s = 0; s < offsets.length && clocks == Clocks.EACH_SESSION; s++) {
      offsets[s] = random.nextInt(2 * MAX_OFFSET_NS + 1) - MAX_OFFSET_NS;
    }
  }

  /** The transactions in the order of their commits. */
  static List<TransactionRecord> of(long seed) {
    return of(seed, 0);
  }

  /**
   * {@code fixedCount} transactions in the order of their commits; with 0 the seed draws the
   * number.
   */
  static List<TransactionRecord> of(long seed, int fixedCount) {
    ConcurrentHistory history = new ConcurrentHistory(seed);
    int drawn = 2 + history.random.nextInt(8);
    history.generate(fixedCount == 0 ? drawn : fixedCount);
    for (int n = history.random.nextInt(4) - 1; n > 0; n--) {
      history.distort();
    }
    for (int n = history.random.nextInt(4) - 2; n > 0; n--) {
      history.swapTimes();
    }
    return history.done;
  }

  private void generate(int count) {
    int sessions = 2 + random.nextInt(4);
    Map<Integer, Running> running = new HashMap<>();
    while (done.size() < count) {
      int s = random.nextInt(sessions);
      tick += 1 + random.nextInt(3);
      Running t = running.get(s);
      if (t == null) {
        running.put(s, new Running(s, latest.clone(), lists, tick + offsets[s]));
      } else {
        running.remove(s);
        commit(t);
      }
    }
  }

  private void commit(Running t) {
    // One at a time if serializable: it reads as it commits.
    long[] view = store == 0 ? latest.clone() : t.snapshot.clone();
    Operations.Builder ops = new Operations.Builder();
    int length = 1 + random.nextInt(4);
    Map<Integer, Long> own = new HashMap<>();
    Map<Integer, List<Long>> appended = new HashMap<>();
    for (int o = 0; o < length; o++) {
      int key = random.nextInt(keys);
      boolean write = random.nextInt(6) < (style == 1 ? 4 : 2);
      if (!write || style == 2) {
        long version = own.getOrDefault(key, view[key]);
        if (style == LISTS) {
          List<Long> list = new ArrayList<>(store == 0 ? lists.get(key) : t.lists.get(key));
          list.addAll(appended.getOrDefault(key, List.of()));
          readList(ops, key, list);
        } else if (version == 0) {
          ops.readInitial(key);
        } else {
          ops.read(key, version);
        }
      }
      if (write) {
        own.put(key, nextVersion);
        appended.computeIfAbsent(key, k -> new ArrayList<>()).add(nextVersion);
        ops.write(key, nextVersion++);
      }
    }
    if (store == 1) {
      for (int key : own.keySet()) {
        if (latest[key] != t.snapshot[key]) {
          return; // the first committer wins
        }
      }
    }
    own.forEach((key, version) -> latest[key] = version);
    appended.forEach(
        (key, versions) -> {
          List<Long> longer = new ArrayList<>(lists.get(key));
          longer.addAll(versions);
          lists.set(key, longer);
        });
    long sequence = done.stream().filter(other -> other.session().id() == t.session).count();
    done.add(record(t, sequence, ops.build()));
  }

  /** A whole list, or what is behind its front. */
  private void readList(Operations.Builder ops, int key, List<Long> list) {
    if (list.isEmpty()) {
      ops.readInitial(key);
      return;
    }
    int front = random.nextInt(3) > 0 ? -1 : random.nextInt(list.size());
    if (front < 0) {
      ops.add(OperationKind.LISTED, key, VersionKind.INITIAL, 0);
    }
    for (int i = Math.max(0, front); i < list.size() - 1; i++) {
      ops.add(OperationKind.LISTED, key, VersionKind.KNOWN, list.get(i));
    }
    ops.read(key, list.get(list.size() - 1));
  }

  private TransactionRecord record(Running t, long sequence, Operations ops) {
    boolean timed = clocks != Clocks.NONE && random.nextInt(40) > 0;
    return new TransactionRecord(
        SessionInfo.ofFile(t.session, "s" + t.session),
        sequence,
        sequence,
        0,
        Outcome.COMMITTED,
        null,
        timed ? t.beginNs : TransactionRecord.NO_TIME,
        timed ? tick + offsets[t.session] : TransactionRecord.NO_TIME,
        timed ? (clocks == Clocks.ONE ? "clock" : "clock-" + t.session) : null,
        ops);
  }

  /** Swaps the times of two transactions of different sessions by the same clock. */
  private void swapTimes() {
    int a = random.nextInt(done.size());
    int b = random.nextInt(done.size());
    TransactionRecord first = done.get(a);
    TransactionRecord second = done.get(b);
    if (Objects.equals(first.clock(), second.clock())) {
      done.set(a, at(second, first, first.operations()));
      done.set(b, at(first, second, second.operations()));
    }
  }

  private static TransactionRecord at(
      TransactionRecord times, TransactionRecord t, Operations operations) {
    return new TransactionRecord(
        t.session(),
        t.sequence(),
        t.transaction(),
        0,
        t.outcome(),
        null,
        times.beginNs(),
        times.endNs(),
        times.clock(),
        operations);
  }

  /** Lets a read return another version of its key. */
  private void distort() {
    int changed = random.nextInt(done.size());
    TransactionRecord t = done.get(changed);
    Operations ops = t.operations();
    Operations.Builder other = new Operations.Builder();
    int at = random.nextInt(ops.size());
    for (int i = 0; i < ops.size(); i++) {
      long version = i == at ? someVersion(ops.key(i)) : -1;
      if (i == at && ops.kind(i) == OperationKind.READ) {
        if (version < 0) {
          other.readInitial(ops.key(i));
        } else {
          other.read(ops.key(i), version);
        }
      } else if (i == at && ops.kind(i) == OperationKind.LISTED && version >= 0) {
        other.add(OperationKind.LISTED, ops.key(i), VersionKind.KNOWN, version);
      } else {
        other.addOne(ops, i);
      }
    }
    done.set(changed, at(t, t, other.build()));
  }

  private long someVersion(long key) {
    List<Long> versions = new ArrayList<>(List.of(-1L));
    for (TransactionRecord t : done) {
      for (int i = 0; i < t.operations().size(); i++) {
        boolean write = t.operations().kind(i) == OperationKind.WRITE;
        if (write && t.operations().key(i) == key) {
          versions.add(t.operations().version(i));
        }
      }
    }
    return versions.get(random.nextInt(versions.size()));
  }
}

package io.isotail.incremental.naive;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.naive.NaiveTransaction.Op;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Decides a small history by trying every commit order against the definitions (Def. 2.3 to 2.8 of
 * the AWDIT paper). Shares nothing with the kernel but the record type that it reads.
 *
 * <p>Versions are unique. Transaction 0 is the initial one: it writes the initial version of every
 * key and precedes every other in session order.
 */
public final class NaiveChecker {
  private static final int INITIAL = 0;

  private final List<NaiveTransaction> txns;
  private final boolean closed;
  private final long uncertaintyNs;
  private final NaiveLists lists;

  /** For each list read the writers of its elements. */
  private final Map<List<Integer>, List<Integer>> listedBy = new HashMap<>();

  /** The pairs of writers that a list shows one after the other; null before they are asked for. */
  private Set<List<Integer>> listed;

  private NaiveChecker(List<NaiveTransaction> txns, boolean closed, long uncertaintyNs) {
    this.txns = txns;
    this.closed = closed;
    this.uncertaintyNs = uncertaintyNs;
    this.lists = new NaiveLists(txns, closed);
  }

  /** One transaction of the input. */
  public record Input(
      long session, long position, Outcome outcome, Times times, Operations operations) {

    /** A record of a whole transaction. */
    public static Input of(TransactionRecord t) {
      return new Input(
          t.session().id(), t.sequence(), t.outcome(), Times.of(t, t.beginNs()), t.operations());
    }
  }

  /**
   * Whether the history satisfies the level.
   *
   * @param closed whether a version that nobody wrote is a thin-air read; otherwise such a read is
   *     ignored
   */
  public static boolean satisfies(List<Input> history, IsolationLevel level, boolean closed) {
    return satisfies(history, level, closed, -1);
  }

  /**
   * Whether a history satisfies a level, where clocks are compared.
   *
   * @param uncertaintyNs times of two clocks that differ by more are ordered; none are if negative
   */
  public static boolean satisfies(
      List<Input> history, IsolationLevel level, boolean closed, long uncertaintyNs) {
    NaiveChecker checker = new NaiveChecker(convert(history), closed, uncertaintyNs);
    if (!checker.readConsistent()) {
      return false;
    }
    return level.atLeast(IsolationLevel.PREFIX)
        ? checker.scheduleExists(level)
        : checker.commitOrderExists(level);
  }

  private static List<NaiveTransaction> convert(List<Input> history) {
    List<NaiveTransaction> txns = new ArrayList<>();
    txns.add(new NaiveTransaction(-1, 0, false, true, Times.NONE, List.of()));
    boolean[] committed = committed(history);
    for (int i = 0; i < history.size(); i++) {
      Input input = history.get(i);
      txns.add(
          new NaiveTransaction(
              Math.toIntExact(input.session()),
              (int) input.position(),
              !committed[i],
              committed[i] || input.outcome() == Outcome.UNKNOWN,
              input.times(),
              NaiveTransaction.ops(input.operations())));
    }
    return txns;
  }

  /** The least set with the committed ones and the unknown writers of what they read. */
  private static boolean[] committed(List<Input> history) {
    boolean[] committed = new boolean[history.size()];
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = 0; i < history.size(); i++) {
        boolean now = history.get(i).outcome() == Outcome.COMMITTED;
        for (int j = 0; j < history.size() && !now; j++) {
          now =
              history.get(i).outcome() == Outcome.UNKNOWN
                  && committed[j]
                  && readsFrom(history.get(j).operations(), history.get(i).operations());
        }
        if (now && !committed[i]) {
          committed[i] = true;
          changed = true;
        }
      }
    }
    return committed;
  }

  private static boolean readsFrom(Operations reader, Operations writer) {
    for (int r = 0; r < reader.size(); r++) {
      for (int w = 0; w < writer.size(); w++) {
        if ((reader.kind(r) == OperationKind.READ || reader.kind(r) == OperationKind.LISTED)
            && !reader.undone(r)
            && reader.versionKind(r) == VersionKind.KNOWN
            && writer.kind(w) == OperationKind.WRITE
            && !writer.undone(w)
            && reader.key(r) == writer.key(w)
            && reader.version(r) == writer.version(w)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Def. 2.3 (a) to (e). */
  private boolean readConsistent() {
    for (int t = 1; t < txns.size(); t++) {
      if (txns.get(t).aborted()) {
        continue;
      }
      List<Op> ops = txns.get(t).ops();
      for (int r = 0; r < ops.size(); r++) {
        if (ops.get(r).write() || ops.get(r).undone()) {
          continue;
        }
        if (ops.get(r).list() != null) {
          if (!lists.consistent(t, r)) {
            return false;
          }
          continue;
        }
        if (!closed && writer(t, r) < 0) {
          continue;
        }
        if (!consistent(t, r)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean consistent(int t, int r) {
    List<Op> ops = txns.get(t).ops();
    Op read = ops.get(r);
    int writer = writer(t, r);
    if (writer < 0) {
      return false; // (a) thin air
    }
    boolean ownBefore = false;
    for (int i = 0; i < r; i++) {
      ownBefore |= ops.get(i).write() && !ops.get(i).undone() && ops.get(i).key() == read.key();
    }
    if (writer == INITIAL) {
      return !ownBefore; // (d)
    }
    int w = writeIndex(writer, read);
    for (int i = 0; i < r && writer == t; i++) {
      // A transaction that writes the same again was read where it wrote before.
      Op op = ops.get(i);
      boolean same = op.key() == read.key() && Objects.equals(op.version(), read.version());
      w = op.write() && !op.undone() && same ? i : w;
    }
    if (txns.get(writer).aborted() || txns.get(writer).ops().get(w).undone()) {
      return false; // (b) aborted
    }
    if (writer == t && w > r) {
      return false; // (c) future
    }
    if (writer != t && ownBefore) {
      return false; // (d) own write not observed
    }
    List<Op> written = txns.get(writer).ops();
    for (int i = w + 1; i < written.size(); i++) {
      boolean overwrites =
          written.get(i).write()
              && !written.get(i).undone()
              && written.get(i).key() == read.key()
              && !Objects.equals(written.get(i).version(), read.version());
      if (overwrites && !(writer == t && i > r)) {
        return false; // (e) not the latest
      }
    }
    return true;
  }

  /** The transaction whose write the read returned, or -1; of a list, the last of others. */
  private int writer(int t, int r) {
    Op read = txns.get(t).ops().get(r);
    if (read.list() != null) {
      List<Long> others = lists.others(t, r);
      boolean own = others.size() < read.list().elements().size();
      return others.isEmpty()
          ? own && read.list().complete() && isWholeOwn(t, r) ? INITIAL : -1
          : lists.writer(t, read.key(), others.get(others.size() - 1));
    }
    if (read.version() == null) {
      return INITIAL;
    }
    for (int w = 1; w < txns.size(); w++) {
      if (writeIndex(w, read) >= 0) {
        return w;
      }
    }
    return -1;
  }

  private int writeIndex(int w, Op read) {
    List<Op> ops = txns.get(w).ops();
    for (int i = ops.size() - 1; i >= 0; i--) {
      Op op = ops.get(i);
      if (op.write() && op.key() == read.key() && Objects.equals(op.version(), read.version())) {
        return i;
      }
    }
    return -1;
  }

  private boolean so(int a, int b) {
    return a == INITIAL
        ? b != INITIAL
        : b != INITIAL
            && txns.get(a).session() == txns.get(b).session()
            && txns.get(a).position() < txns.get(b).position();
  }

  private boolean wr(int a, int b) {
    for (int r = 0; r < txns.get(b).ops().size(); r++) {
      if (a != b && isRead(b, r) && (writer(b, r) == a || listedBy(b, r).contains(a))) {
        return true;
      }
    }
    return false;
  }

  private boolean isWholeOwn(int t, int r) {
    Op read = txns.get(t).ops().get(r);
    return read.list().elements().size() == txns.get(t).written(read.key(), r).size();
  }

  /** For each element of others that a list read shows its writer, or -1; none of another read. */
  private List<Integer> listedBy(int t, int r) {
    return listedBy.computeIfAbsent(List.of(t, r), k -> findListedBy(t, r));
  }

  private List<Integer> findListedBy(int t, int r) {
    Op read = txns.get(t).ops().get(r);
    List<Integer> writers = new ArrayList<>();
    for (Long element : read.list() == null ? List.<Long>of() : lists.others(t, r)) {
      writers.add(lists.writer(t, read.key(), element));
    }
    return writers;
  }

  /**
   * Whether a list shows one directly before the other: whoever reads it has observed all of its
   * writers, and each was the last one at a time.
   */
  private boolean listed(int a, int b) {
    if (listed == null) {
      listed = new HashSet<>();
      for (int t = 1; t < txns.size(); t++) {
        for (int r = 0; live(t) && r < txns.get(t).ops().size(); r++) {
          List<Integer> writers = isRead(t, r) ? listedBy(t, r) : List.of();
          for (int i = 0; i + 1 < writers.size(); i++) {
            listed.add(writers.subList(i, i + 2));
          }
        }
      }
    }
    return listed.contains(List.of(a, b));
  }

  /** Whether a list ends with the reader's own, or with an element whose writer is known. */
  private boolean counts(int t, int r) {
    Op read = txns.get(t).ops().get(r);
    return read.list() != null
        && (lists.others(t, r).size() < read.list().elements().size() || writer(t, r) >= 0);
  }

  private boolean isRead(int t, int r) {
    Op op = txns.get(t).ops().get(r);
    return !op.write() && !op.undone();
  }

  private boolean writes(int t, long key) {
    return t == INITIAL
        || txns.get(t).ops().stream().anyMatch(o -> o.write() && !o.undone() && o.key() == key);
  }

  /** Gives the committed transactions numbers of their own, and looks for a schedule. */
  private boolean scheduleExists(IsolationLevel level) {
    List<Integer> committed = new ArrayList<>();
    for (int t = 1; t < txns.size(); t++) {
      if (live(t)) {
        committed.add(t);
      }
    }
    List<Map<Long, Integer>> reads = new ArrayList<>();
    List<Set<Long>> writes = new ArrayList<>();
    List<Set<Integer>> observed = new ArrayList<>();
    List<Integer> before = new ArrayList<>();
    for (int t : committed) {
      Map<Long, Integer> ofThis = new HashMap<>();
      Set<Long> written = new HashSet<>();
      Set<Integer> after = new HashSet<>();
      for (int o = 0; o < txns.get(t).ops().size(); o++) {
        Op op = txns.get(t).ops().get(o);
        if (op.write() && !op.undone()) {
          written.add(op.key());
        }
        for (int writer : isRead(t, o) ? listedBy(t, o) : List.<Integer>of()) {
          if (writer > INITIAL) {
            after.add(committed.indexOf(writer));
          }
        }
        int writer = isRead(t, o) ? writer(t, o) : t;
        if (op.list() != null && writer < 0) {
          writer = t;
        }
        if (writer != t && (writer >= 0 || closed)) {
          Integer another =
              ofThis.put(op.key(), writer == INITIAL ? -1 : committed.indexOf(writer));
          if (another != null && !another.equals(ofThis.get(op.key()))) {
            return false;
          }
        }
      }
      reads.add(ofThis);
      writes.add(written);
      observed.add(after);
      int previous = -1;
      for (int other : committed) {
        if (so(other, t) && (previous < 0 || so(committed.get(previous), other))) {
          previous = committed.indexOf(other);
        }
      }
      before.add(previous);
    }
    boolean[][] realTime = new boolean[committed.size()][committed.size()];
    for (int a = 0; a < committed.size(); a++) {
      for (int b = 0; b < committed.size(); b++) {
        realTime[a][b] =
            ended(txns.get(committed.get(a)).times(), txns.get(committed.get(b)).times());
      }
    }
    return new NaiveSchedules(level, reads, writes, before, observed, shown(committed), realTime)
        .exist();
  }

  /** What list reads show of the committed transactions, as far as these wrote what is listed. */
  private Set<NaiveSchedules.Shown> shown(List<Integer> committed) {
    Set<NaiveSchedules.Shown> shown = new HashSet<>();
    for (int t : committed) {
      for (int r = 0; r < txns.get(t).ops().size(); r++) {
        Op read = txns.get(t).ops().get(r);
        if (read.list() != null && isRead(t, r) && counts(t, r)) {
          addShown(read, committed, shown);
        }
      }
    }
    addReplaced(committed, shown);
    return shown;
  }

  /**
   * The first write of a key says whose version it replaced, if that was this one's last of the
   * key. Two that replaced the same version say nothing.
   */
  private void addReplaced(List<Integer> committed, Set<NaiveSchedules.Shown> shown) {
    Map<List<Long>, List<Integer>> replacedBy = new HashMap<>();
    for (int i = 0; i < committed.size(); i++) {
      Set<Long> seen = new HashSet<>();
      for (Op op : txns.get(committed.get(i)).ops()) {
        if (op.write() && !op.undone() && seen.add(op.key()) && op.replaced() != null) {
          replacedBy
              .computeIfAbsent(List.of(op.key(), op.replaced()), k -> new ArrayList<>())
              .add(i);
        }
      }
    }
    replacedBy.forEach(
        (version, overwriters) -> {
          int writer = lastWriter(version.get(0), version.get(1), committed);
          if (overwriters.size() == 1 && writer >= 0 && writer != overwriters.get(0)) {
            shown.add(new NaiveSchedules.Shown(version.get(0), writer, overwriters.get(0)));
          }
        });
  }

  /** The only committed transaction with this version as its last one of the key, or -1. */
  private int lastWriter(long key, long version, List<Integer> committed) {
    int found = -1;
    for (int i = 0; i < committed.size(); i++) {
      List<Long> written = txns.get(committed.get(i)).written(key);
      boolean wrote = written.contains(version);
      if (wrote && (found >= 0 || !Objects.equals(written.get(written.size() - 1), version))) {
        return -1;
      }
      found = wrote ? i : found;
    }
    return found;
  }

  private void addShown(Op read, List<Integer> committed, Set<NaiveSchedules.Shown> shown) {
    List<Long> elements = read.list().elements();
    for (int i = read.list().complete() ? -1 : 0; i + 1 < elements.size(); i++) {
      int earlier = i < 0 ? -1 : committedWriter(read.key(), elements.get(i), committed);
      int later = committedWriter(read.key(), elements.get(i + 1), committed);
      if ((i < 0 || earlier >= 0) && later >= 0 && earlier != later) {
        shown.add(new NaiveSchedules.Shown(read.key(), earlier, later));
      }
    }
  }

  private int committedWriter(long key, Long version, List<Integer> committed) {
    for (int i = 0; i < committed.size() && version != null; i++) {
      for (Op op : txns.get(committed.get(i)).ops()) {
        if (op.write() && !op.undone() && op.key() == key && version.equals(op.version())) {
          return i;
        }
      }
    }
    return -1;
  }

  /** Whether one is believed to have ended before the other began. */
  private boolean ended(Times first, Times later) {
    if (!first.orderable() || !later.orderable() || !first.hasEnd()) {
      return false;
    }
    if (Objects.equals(first.clock(), later.clock())) {
      return later.beginNs() > first.endNs();
    }
    BigInteger apart =
        BigInteger.valueOf(later.beginNs()).subtract(BigInteger.valueOf(first.endNs()));
    return uncertaintyNs >= 0 && apart.compareTo(BigInteger.valueOf(uncertaintyNs)) > 0;
  }

  /** Tries to extend a commit order transaction by transaction until none is left. */
  private boolean commitOrderExists(IsolationLevel level) {
    int n = txns.size();
    boolean[][] causal = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        causal[a][b] = live(a) && live(b) && (so(a, b) || wr(a, b));
      }
    }
    boolean[][] happensBefore = closure(causal);
    // mustPrecede[a][b]: so ∪ wr, or the level's axiom with some t3 as reader, asks for a co b.
    boolean[][] mustPrecede = new boolean[n][n];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        mustPrecede[a][b] =
            causal[a][b]
                || (live(a) && live(b) && a != b && axiom(a, b, level, causal, happensBefore))
                || (level.atLeast(IsolationLevel.READ_ATOMIC) && a != b && listed(a, b));
      }
    }
    return place(new boolean[n], 0, mustPrecede);
  }

  /**
   * Whether some t3 reads a key from t1 that t2 writes and t3 has observed in the level's sense.
   */
  private boolean axiom(
      int t2, int t1, IsolationLevel level, boolean[][] causal, boolean[][] happensBefore) {
    for (int t3 = 1; t3 < txns.size(); t3++) {
      if (!live(t3)) {
        continue;
      }
      for (int rx = 0; rx < txns.get(t3).ops().size(); rx++) {
        if (t1 == t3 || !isRead(t3, rx) || writer(t3, rx) != t1) {
          continue;
        }
        if (!writes(t2, txns.get(t3).ops().get(rx).key())) {
          continue;
        }
        if (switch (level) {
          case READ_COMMITTED -> readsFromBefore(t2, t3, rx);
          case READ_ATOMIC -> causal[t2][t3];
          case CAUSAL -> happensBefore[t2][t3];
          default -> throw new IllegalArgumentException(level.label());
        }) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean readsFromBefore(int t2, int t3, int rx) {
    for (int r = 0; r < rx; r++) {
      if (t2 != t3 && isRead(t3, r) && (writer(t3, r) == t2 || listedBy(t3, r).contains(t2))) {
        return true;
      }
    }
    return false;
  }

  private boolean live(int t) {
    return !txns.get(t).aborted();
  }

  private boolean place(boolean[] placed, int count, boolean[][] mustPrecede) {
    int n = txns.size();
    if (count == n) {
      return true;
    }
    for (int t = 0; t < n; t++) {
      if (placed[t]) {
        continue;
      }
      boolean first = true;
      for (int other = 0; other < n && first; other++) {
        first = placed[other] || other == t || !mustPrecede[other][t];
      }
      if (first && !mustPrecede[t][t]) {
        placed[t] = true;
        // Whatever can go first now can go first in any order: no need to come back.
        return place(placed, count + 1, mustPrecede);
      }
    }
    return false;
  }

  private static boolean[][] closure(boolean[][] relation) {
    int n = relation.length;
    boolean[][] closed = new boolean[n][];
    for (int i = 0; i < n; i++) {
      closed[i] = relation[i].clone();
    }
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          closed[i][j] |= closed[i][k] && closed[k][j];
        }
      }
    }
    return closed;
  }
}

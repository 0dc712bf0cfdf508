package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What can be read off a capsule without any search: who committed, who read what from whom, which
 * reads are bad in themselves, who wrote which keys, what list reads show, and the orders of
 * sessions and of time.
 *
 * <p>A read is a premise only if nothing in the capsule leaves its writer open. Left open it is
 * where several transactions that committed, or may have, wrote the version; and where the key was
 * absent and a delete or an opaque statement may explain it.
 */
final class Facts {
  final int n;
  private final List<CapsuleTransaction> transactions;
  private final List<Operations> operations;
  private final long clockUncertaintyNs;
  private final Promises promises;
  private final Outsiders outsiders;
  private final Effects effects;
  private final long[][] written;

  /** Of each key that is read or written; ascending, so that nothing depends on hashes. */
  final TreeMap<Long, KeyFacts> keys = new TreeMap<>();

  /** The reads of each transaction from others whose writer is known, in program order. */
  final List<List<Read>> reads = new ArrayList<>();

  /** The reads of known versions that no transaction of the capsule wrote, in order. */
  final List<Read> ofOutsiders = new ArrayList<>();

  /** What list reads and replaced versions show, each pair of neighbours of a key once. */
  final List<Shown> shown = new ArrayList<>();

  /**
   * Of what list reads show, the order of two transactions other than the reader, whether or not
   * the writer of the last element is known.
   */
  final List<Shown> listed = new ArrayList<>();

  private final List<Proof.BadRead> badReads = new ArrayList<>();

  /**
   * A read by one transaction of what another wrote, or of the initial version.
   *
   * @param begin the operation that begins the list of which this is an element; itself if none
   * @param ofVersion whether that was the version that was read: not the elements of a list before
   *     the last one of others
   */
  record Read(int reader, int operation, long key, int writer, int begin, boolean ofVersion) {}

  /**
   * A list read, or a write that replaced a known version, shows that the version by {@code later}
   * directly succeeds that by {@code earlier}.
   */
  record Shown(int reader, int operation, long key, int earlier, int later) {}

  /** Who wrote a key, and who read it. */
  static final class KeyFacts {
    /** The committed transactions that wrote it for good, ascending. */
    final List<Integer> writers = new ArrayList<>();

    /** For each reader and writer one read. */
    final List<Read> reads = new ArrayList<>();

    /** What lists and replaced versions show of it. */
    final List<Shown> shown = new ArrayList<>();
  }

  Facts(
      List<CapsuleTransaction> transactions,
      long clockUncertaintyNs,
      Promises promises,
      Outsiders outsiders) {
    this.transactions = transactions;
    this.operations = transactions.stream().map(CapsuleTransaction::operations).toList();
    this.promises = promises;
    this.outsiders = outsiders;
    this.n = transactions.size();
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.effects = new Effects(transactions);
    this.written = new long[n][0];
    for (int t = 0; t < n; t++) {
      reads.add(new ArrayList<>(4));
      if (effects.isCommitted(t)) {
        resolve(t);
        addWrites(t);
      }
    }
    for (int t = 0; t < n; t++) {
      if (effects.isCommitted(t)) {
        addShown(t);
      }
    }
    for (int t = 0; t < n; t++) {
      for (long key : written[t]) {
        addReplaced(t, key);
      }
    }
  }

  /**
   * Whose version the first write of a key replaced, where exactly one transaction committed that
   * version, as its last one, and no other transaction replaced it too.
   */
  private void addReplaced(int t, long key) {
    int first = OperationRules.firstReplacing(ops(t), key);
    int writer = first < 0 ? Proof.NONE : soleWriter(key, ops(t).replaced(first));
    if (writer < 0 || writer == t) {
      return;
    }
    long version = ops(t).replaced(first);
    Operations written = ops(writer);
    int last = OperationRules.lastWrite(written, written.size(), key);
    boolean isLast =
        written.kind(last) == OperationKind.WRITE
            && written.versionKind(last) == VersionKind.KNOWN
            && written.version(last) == version;
    boolean alone = true;
    for (int other : key(key).writers) {
      int too = OperationRules.firstReplacing(ops(other), key);
      alone &= other == t || too < 0 || ops(other).replaced(too) != version;
    }
    if (isLast && alone) {
      addShown(new Shown(t, first, key, writer, t));
    }
  }

  /** The level whose axiom says what a transaction has observed: its promise, if that is weaker. */
  IsolationLevel observesAt(int t, IsolationLevel level) {
    return level.weakerOf(promises.of(transactions.get(t)));
  }

  private KeyFacts key(long key) {
    return keys.computeIfAbsent(key, k -> new KeyFacts());
  }

  private void resolve(int t) {
    Operations ops = ops(t);
    for (int i = 0; i < ops.size(); i++) {
      int end = ListRules.endOf(ops, i);
      if (end >= 0) {
        resolveList(t, i, end);
        i = end;
        continue;
      }
      if (!OperationRules.isRead(ops, i)) {
        continue;
      }
      int own = OperationRules.lastOwnWrite(ops, i);
      if (own >= 0) {
        resolveOwn(t, i, own);
      } else if (ops.versionKind(i) == VersionKind.INITIAL) {
        if (ops.surelyInitial(i) || !effects.mayExplainAbsence(t, i)) {
          addRead(t, i, Proof.INITIAL);
        }
      } else {
        resolveOther(t, i);
      }
    }
  }

  private void resolveList(int t, int first, int end) {
    if (ops(t).undone(end)) {
      return;
    }
    int seen = Proof.NONE;
    for (Read before : reads.get(t)) {
      seen = before.key == ops(t).key(end) && before.writer >= 0 ? before.writer : seen;
    }
    ListRules list = new ListRules(operations, effects, t);
    Proof.BadRead bad = list.badness(first, end, seen);
    if (bad != null) {
      badReads.add(bad);
      return;
    }
    if (list.isOfInitial()) {
      addRead(t, first, Proof.INITIAL, first, true);
    }
    for (int e = 0; e < list.others(); e++) {
      if (list.writer(e) >= 0) {
        addRead(t, list.operation(e), list.writer(e), first, e == list.others() - 1);
        int next = e + 1 < list.others() ? list.writer(e + 1) : Proof.NONE;
        if (next >= 0 && next != list.writer(e)) {
          int operation = list.operation(e);
          listed.add(new Shown(t, operation, ops(t).key(operation), list.writer(e), next));
        }
      }
    }
  }

  /** A read after the transaction's own write of the key returns that write. */
  private void resolveOwn(int t, int read, int own) {
    if (OperationRules.returnsOwn(ops(t), read, own) || mayReturnAnother(t, read, own)) {
      return;
    }
    if (ops(t).versionKind(read) == VersionKind.INITIAL) {
      badReads.add(new Proof.BadRead(t, read, own, Proof.NONE));
      return;
    }
    List<Effects.Write> writes = installsOfRead(t, read);
    if (!writes.isEmpty()) {
      badReads.add(new Proof.BadRead(t, read, own, writes.get(0).writer()));
    }
  }

  /** Whether the version of the write is unknown, or an opaque statement came in between. */
  private boolean mayReturnAnother(int t, int read, int own) {
    Operations ops = ops(t);
    boolean unknown =
        ops.kind(own) == OperationKind.WRITE && ops.versionKind(own) != VersionKind.KNOWN;
    for (int i = own + 1; i < read && !unknown && effects.isOpaque(t); i++) {
      unknown = OperationRules.mayWrite(ops, i, ops.statement(read).table());
    }
    return unknown;
  }

  private void resolveOther(int t, int read) {
    int writer = Proof.NONE;
    int any = Proof.NONE;
    boolean open = false;
    for (Effects.Write write : installsOfRead(t, read)) {
      any = any == Proof.NONE ? write.writer() : any;
      boolean may = write.writer() != t && write.writer() != writer && !effects.isUndone(write);
      boolean isCommitted = effects.isCommitted(write.writer());
      open |= may && !isCommitted && effects.mayHaveCommitted(write.writer());
      if (may && isCommitted) {
        open |= writer >= 0;
        writer = write.writer();
      }
    }
    if (any == Proof.NONE && outsiderMayHaveWritten(t, read)) {
      ofOutsiders.add(new Read(t, read, ops(t).key(read), Proof.NONE, read, true));
    }
    if (open || any == Proof.NONE) {
      return;
    }
    if (writer < 0 || isOverwrittenBy(writer, t, read)) {
      badReads.add(new Proof.BadRead(t, read, Proof.NONE, writer < 0 ? any : writer));
    } else {
      addRead(t, read, writer);
    }
  }

  private List<Effects.Write> installsOfRead(int t, int read) {
    return effects.installs(ops(t).key(read), ops(t).version(read));
  }

  /** Whether the writer of what was read had written the key again before it committed. */
  private boolean isOverwrittenBy(int writer, int t, int read) {
    Operations written = ops(writer);
    int last = OperationRules.lastWrite(written, written.size(), ops(t).key(read));
    boolean unknown =
        written.kind(last) == OperationKind.WRITE && written.versionKind(last) != VersionKind.KNOWN;
    boolean same =
        written.kind(last) == OperationKind.WRITE && written.version(last) == ops(t).version(read);
    return !unknown && !same;
  }

  private void addRead(int t, int read, int writer) {
    addRead(t, read, writer, read, true);
  }

  private void addRead(int t, int read, int writer, int begin, boolean ofVersion) {
    Read made = new Read(t, read, ops(t).key(read), writer, begin, ofVersion);
    boolean first = true;
    for (Read known : reads.get(t)) {
      first &= known.key != made.key || known.writer != writer || known.ofVersion != made.ofVersion;
    }
    reads.get(t).add(made);
    if (first) {
      key(made.key).reads.add(made);
    }
  }

  private void addWrites(int t) {
    Operations ops = ops(t);
    long[] keysWritten = new long[ops.size()];
    int count = 0;
    for (int i = 0; i < ops.size(); i++) {
      if (OperationRules.isWrite(ops, i)) {
        List<Integer> writers = key(ops.key(i)).writers;
        if (writers.isEmpty() || writers.get(writers.size() - 1) != t) {
          writers.add(t);
          keysWritten[count++] = ops.key(i);
        }
      }
    }
    written[t] = Arrays.copyOf(keysWritten, count);
    Arrays.sort(written[t]);
  }

  private void addShown(int t) {
    Operations ops = ops(t);
    int[] readFrom = new int[ops.size()];
    Arrays.fill(readFrom, Proof.NONE);
    for (Read read : reads.get(t)) {
      readFrom[read.operation] = read.writer;
    }
    for (int first = 0; first < ops.size(); first++) {
      int i = ListRules.endOf(ops, first);
      if (i >= 0 && counts(t, i)) {
        int own = i + 1 - ownWrites(t, ops.key(i), first);
        for (int j = first; j < i; j++) {
          boolean initial = ops.versionKind(j) == VersionKind.INITIAL;
          int earlier = initial ? Proof.INITIAL : writerShown(t, j, readFrom, own);
          int later = writerShown(t, j + 1, readFrom, own);
          if (ops.versionKind(j) == VersionKind.UNKNOWN
              || (initial && effects.mayExplainAbsence(t, j))) {
            continue;
          }
          if (!ops.undone(j) && earlier != Proof.NONE && later >= 0 && earlier != later) {
            addShown(new Shown(t, j, ops.key(j), earlier, later));
          }
        }
        first = i;
      }
    }
  }

  /** How often a transaction had written a key before an operation. */
  private int ownWrites(int t, long key, int before) {
    int count = 0;
    for (int i = 0; i < before; i++) {
      count += OperationRules.isWrite(ops(t), i) && ops(t).key(i) == key ? 1 : 0;
    }
    return count;
  }

  /**
   * Who wrote an element of a list, of which the last ones from a place on are the reader's own.
   */
  private int writerShown(int t, int element, int[] readFrom, int own) {
    if (element >= own) {
      return t;
    }
    return readFrom[element] >= 0
        ? readFrom[element]
        : soleWriter(ops(t).key(element), ops(t).version(element));
  }

  private void addShown(Shown made) {
    KeyFacts key = key(made.key);
    for (Shown known : key.shown) {
      if (known.earlier == made.earlier && known.later == made.later) {
        return;
      }
    }
    key.shown.add(made);
    shown.add(made);
  }

  /** Whether the read at the end of a list is one whose writer is known, itself included. */
  private boolean counts(int t, int read) {
    if (!OperationRules.isRead(ops(t), read)) {
      return false;
    }
    int own = OperationRules.lastOwnWrite(ops(t), read);
    for (int i = ListRules.beginOf(ops(t), read); i <= read; i++) {
      if (isBad(t, i)) {
        return false;
      }
    }
    return own >= 0 ? OperationRules.returnsOwn(ops(t), read, own) : readAt(t, read) != null;
  }

  private int soleWriter(long key, long version) {
    int found = Proof.NONE;
    for (Effects.Write write : effects.installs(key, version)) {
      boolean may = effects.mayHaveCommitted(write.writer()) && !effects.isUndone(write);
      if (may && write.writer() != found) {
        if (found >= 0 || !effects.isCommitted(write.writer())) {
          return Proof.NONE;
        }
        found = write.writer();
      }
    }
    return found;
  }

  /** A read that is bad in itself, or null. */
  Proof.@Nullable BadRead badRead() {
    return badReads.isEmpty() ? null : badReads.get(0);
  }

  boolean isBad(int reader, int operation) {
    for (Proof.BadRead bad : badReads) {
      if (bad.reader() == reader && bad.operation() == operation) {
        return true;
      }
    }
    return false;
  }

  /** The read from another transaction by an operation, or null. */
  @Nullable Read readAt(int t, int operation) {
    for (Read read : reads.get(t)) {
      if (read.operation == operation) {
        return read;
      }
    }
    return null;
  }

  boolean isCommitted(int t) {
    return t >= 0 && effects.isCommitted(t);
  }

  /** Whether a committed transaction wrote the key, other than by what was undone. */
  boolean writes(int t, long key) {
    return isCommitted(t) && Arrays.binarySearch(written[t], key) >= 0;
  }

  /** Whether both committed, one before the other in their session. */
  boolean sessionOrder(int a, int b) {
    return isCommitted(a) && isCommitted(b) && effects.sessionBefore(a, b);
  }

  /**
   * Whether who read a version precedes a transaction that overwrote it, or a later one, at a level
   * from {@code prefix} on: nobody stands between, or whoever does is kept apart from both.
   */
  boolean precedesOverwriter(Read read, int overwriter, IsolationLevel level) {
    return !level.atLeast(IsolationLevel.SERIALIZABLE)
        || !outsiderMayHaveWritten(read.reader, read.operation)
        || overwritesDirectly(
            overwriter, read.key, read.writer, !ops(read.reader).surelyInitial(read.operation));
  }

  private boolean outsiderMayHaveWritten(int t, int operation) {
    return outsiders.mayHaveWritten(ops(t).statement(operation).table(), ops(t).key(operation));
  }

  /**
   * Whether a transaction overwrote a version that no transaction of the capsule wrote, and which
   * it has read as well as {@code read} has.
   */
  boolean overwritesOutsider(int t, Read read) {
    for (Read other : ofOutsiders) {
      if (other.reader == t && other.reader != read.reader && other.key == read.key) {
        return writes(t, read.key)
            && version(other) == version(read)
            && namesWriters(other) == namesWriters(read);
      }
    }
    return false;
  }

  /** The read by an operation of a version that no transaction of the capsule wrote, or null. */
  @Nullable Read readOfOutsiderAt(int t, int operation) {
    for (Read read : ofOutsiders) {
      if (read.reader == t && read.operation == operation) {
        return read;
      }
    }
    return null;
  }

  private boolean namesWriters(Read read) {
    return ops(read.reader).namesWriters(read.operation);
  }

  private long version(Read read) {
    return ops(read.reader).version(read.operation);
  }

  /** Whether nobody stands between the version that a transaction overwrote and its own. */
  private boolean overwritesDirectly(int t, long key, int writer, boolean isAbsence) {
    for (Read read : reads.get(t)) {
      if (read.key == key && read.writer == writer) {
        return writes(t, key);
      }
    }
    return writer == Proof.INITIAL && isAbsence && writes(t, key) && ops(t).inserts(key);
  }

  /** Whether both committed, and one is believed to have ended before the other began. */
  boolean realTime(int a, int b) {
    return isCommitted(a)
        && isCommitted(b)
        && OperationRules.ended(
            transactions.get(a).times(), transactions.get(b).times(), clockUncertaintyNs);
  }

  private Operations ops(int t) {
    return transactions.get(t).operations();
  }

  /** The keys that a committed transaction wrote, ascending; not to be changed. */
  long[] written(int t) {
    return written[t];
  }

  /** The keys that two committed transactions both wrote, ascending. */
  List<Long> commonKeys(int a, int b) {
    List<Long> common = new ArrayList<>(2);
    for (long key : written[a]) {
      if (Arrays.binarySearch(written[b], key) >= 0) {
        common.add(key);
      }
    }
    return common;
  }
}

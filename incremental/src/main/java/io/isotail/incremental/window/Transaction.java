package io.isotail.incremental.window;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.snapshot.Numbered;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** A transaction that has arrived whole. */
public final class Transaction extends Numbered {

  /** Where a transaction stands. */
  public enum State {
    /** Not committed as far as is known: it neither waits nor passes clocks on. */
    PASSIVE,
    /** Committed, and waiting for its predecessors. */
    PENDING,
    /** Committed and delivered, in the window. */
    DELIVERED,
    /** Has left the window; only its identity is left. */
    TRUNCATED
  }

  private static final int[] NO_OPERATIONS = {};
  private static final long[] NO_KEYS = {};
  private static final @Nullable Transaction[] NO_WRITERS = {};
  private static final Transaction[] NO_READERS = {};
  private static final int SORT_BY_INSERTION = 24;
  private static final State[] STATES = State.values();
  private static final int UNCAPTURED_NUMBERS = 1_000_000_000;
  private static final int SAVED_STATE = 0x03;
  private static final int SAVED_COMMITTED = 0x04;
  private static final int SAVED_WAITING = 0x08;

  /** The initial transaction: it wrote the initial version of every key, before all others. */
  public static final Transaction INITIAL =
      new Transaction(
          new SessionState(SessionInfo.ofFile(Long.MIN_VALUE, "initial")),
          0,
          -1,
          -1,
          Outcome.COMMITTED,
          null,
          IsolationLevel.STRICT_SERIALIZABLE,
          Times.NONE,
          Operations.EMPTY,
          false,
          -1,
          0);

  /** Arrival of a writer that never arrives. */
  private static final long NEVER = -2;

  /** Its session. */
  public final SessionState session;

  /** Its number in the session. */
  public final long number;

  /** Position among all records of the stream. */
  public final long arrival;

  /** Log offset of its last record. */
  public final long offset;

  /** How it ended, as its client learnt it. */
  public final Outcome outcome;

  /** Isolation level that it ran at. */
  public final @Nullable String ranAt;

  /** Isolation level that it was promised. */
  public final IsolationLevel promise;

  /** When it began and ended. */
  public final Times times;

  /** Whether some of its operations were lost. */
  public final boolean lostChunk;

  /** Slot of its session when it arrived. */
  public final int slot;

  /** Its number in the slot, ascending in session order. */
  public final int seq;

  /** Its operations; empty once truncated. */
  public Operations operations;

  /**
   * Writes: for each key written for good, in ascending order of the keys, the last operation that
   * wrote it; then for each of them the place among the writers of the key.
   */
  private int[] writes = NO_OPERATIONS;

  /** Delivery: where it stands. */
  public State state = State.PASSIVE;

  /** Delivery: whether it committed, or must have since its write was read. */
  public boolean committed;

  /** Delivery: neighbours in session order among committed transactions. */
  public @Nullable Transaction soPrev;

  /** Delivery: see {@link #soPrev}. */
  public @Nullable Transaction soNext;

  /** Delivery: what it waits for; null unless it has committed and is not delivered. */
  public @Nullable Wait waiting;

  /** Window: index in delivery order, -1 when it has none. */
  public long deliveredAt = -1;

  /** Reads: the read operations that have a decided writer outside the transaction, in order. */
  public int[] readOperations = NO_OPERATIONS;

  /** Reads: the writer of each of {@link #readOperations}; may be {@link #INITIAL} or truncated. */
  public @Nullable Transaction[] readWriters = NO_WRITERS;

  /**
   * Reads: keys of which it read a version that violates a level up to {@code causal}; these reads
   * make no edge from {@code prefix} on. Ascending; empty as long as nothing else needs them apart.
   */
  private long[] staleKeys = NO_KEYS;

  /**
   * Clock: what happens before this. Null before delivery, once it has been let go, and while
   * delivery order is the commit order; then what the relation keeps here is empty too.
   */
  public @Nullable Clock clock;

  /** Order: position at the strongest level. */
  private long position;

  /** Order: position at each weaker level, while those have orders of their own. */
  private long[] weakerPositions = NO_KEYS;

  /** Order: mark of the last search that visited it. */
  public long mark;

  /** Relation: its session predecessor, where that was in the window when this was delivered. */
  public @Nullable Transaction before;

  /** Relation: the transaction whose {@link #before} is this one. */
  public @Nullable Transaction after;

  /** Relation: the delivered transactions that read from this one, each once. */
  private Transaction[] readers = NO_READERS;

  private int readerCount;

  /** Relation: the latest of the further edges from this transaction. */
  public @Nullable Edge firstOut;

  /** Relation: the latest of the further edges to this transaction. */
  public @Nullable Edge firstIn;

  /** Strong levels: the first of what their graphs keep of it; null where none does. */
  public @Nullable Membership membership;

  /** A transaction as it arrived. */
  @SuppressWarnings("TooManyParameters")
  public Transaction(
      SessionState session,
      long number,
      long arrival,
      long offset,
      Outcome outcome,
      @Nullable String ranAt,
      IsolationLevel promise,
      Times times,
      Operations operations,
      boolean lostChunk,
      int slot,
      int seq) {
    this.session = session;
    this.number = number;
    this.arrival = arrival;
    this.offset = offset;
    this.outcome = outcome;
    this.ranAt = ranAt;
    this.promise = promise;
    this.times = times;
    this.operations = operations;
    this.lostChunk = lostChunk;
    this.slot = slot;
    this.seq = seq;
    this.committed = outcome == Outcome.COMMITTED;
    this.writes = finalWrites(operations);
  }

  /**
   * A transaction that nobody captured, of which one version of a key is known. It committed, in a
   * session of its own.
   *
   * @param write that version
   * @param id identity of its session, and of itself
   * @param promise the strongest level that binds whoever writes
   * @param offset log offset of the transaction that read the version
   */
  static Transaction uncaptured(
      Operations write, long id, IsolationLevel promise, long offset, Slots slots) {
    SessionState session = new SessionState(SessionInfo.ofFile(id, "uncaptured"));
    int seq = slots.nextUncaptured(session);
    return new Transaction(
        session,
        Math.floorMod(id, UNCAPTURED_NUMBERS),
        NEVER,
        offset,
        Outcome.COMMITTED,
        null,
        promise,
        Times.NONE,
        write,
        false,
        session.slot,
        seq);
  }

  /** Whether nobody captured it, so that one version of a key is all that is known of it. */
  public boolean uncaptured() {
    return arrival == NEVER;
  }

  /** Whether the log has it first; one that was not captured stands before its first reader. */
  public boolean comesBefore(Transaction other) {
    return offset == other.offset ? uncaptured() : offset < other.offset;
  }

  /** Name for people: session and number. */
  public String name() {
    return this == INITIAL ? "initial" : session.info.name() + "/" + number;
  }

  /** Number of keys that it wrote for good. */
  public int writeCount() {
    return writes.length >> 1;
  }

  /** Key number {@code i} of those that it wrote for good; they ascend. */
  public long writeKey(int i) {
    return operations.key(writes[i]);
  }

  /** The last operation that wrote key number {@code i}. */
  public int finalWrite(int i) {
    return writes[i];
  }

  /** Its place among the writers of key number {@code i}. */
  int writePlace(int i) {
    return writes[(writes.length >> 1) + i];
  }

  /** Sets its place among the writers of key number {@code i}. */
  void writePlace(int i, int place) {
    writes[(writes.length >> 1) + i] = place;
  }

  /** The number of {@code key} among those that it wrote for good, negative if it did not. */
  public int writeIndex(long key) {
    int low = 0;
    int high = (writes.length >> 1) - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      long found = operations.key(writes[middle]);
      if (found < key) {
        low = middle + 1;
      } else if (found > key) {
        high = middle - 1;
      } else {
        return middle;
      }
    }
    return -1;
  }

  /** Whether it wrote {@code key} for good. */
  public boolean writes(long key) {
    return writeIndex(key) >= 0;
  }

  /** From now on its reads of these keys make no edge from {@code prefix} on. */
  public void leaveOutReadsOf(LongCollection keys) {
    staleKeys = keys.toLongArray();
    Arrays.sort(staleKeys);
  }

  /** Whether its reads of a key make no edge from {@code prefix} on. */
  public boolean leavesOutReadsOf(long key) {
    return staleKeys.length > 0 && Arrays.binarySearch(staleKeys, key) >= 0;
  }

  /** Its position in the order of a level. */
  public long position(int level) {
    return level < weakerPositions.length ? weakerPositions[level] : position;
  }

  /** Gives it a position in the order of a level. */
  public void position(int level, long newPosition) {
    if (level < weakerPositions.length) {
      weakerPositions[level] = newPosition;
    } else {
      position = newPosition;
    }
  }

  /** From now on it has a position of its own for each of that many weaker levels. */
  public void orderWeaker(int levels) {
    if (weakerPositions.length < levels) {
      weakerPositions = new long[levels];
    }
  }

  /** Number of transactions that read from this one. */
  public int readerCount() {
    return readerCount;
  }

  /** A transaction that read from this one; it may have left the window. */
  public Transaction reader(int i) {
    return readers[i];
  }

  /** Remembers a transaction that read from this one. */
  public void addReader(Transaction reader) {
    if (readerCount > 0 && readers[readerCount - 1] == reader) {
      return;
    }
    if (readerCount == readers.length) {
      readers = java.util.Arrays.copyOf(readers, readerCount == 0 ? 2 : readerCount * 2);
    }
    readers[readerCount++] = reader;
  }

  /**
   * The read at the end of the list that operation {@code i} is part of: each listed version before
   * it is directly succeeded by the next one.
   *
   * @return {@code i} itself where no list is, or one whose read is bad or undecided
   */
  public int listRead(int i) {
    int read = i;
    while (operations.listedBefore(read)) {
      read++;
    }
    boolean counts = read > i && !operations.undone(i) && !leavesOutReadsOf(operations.key(i));
    return counts && isDecided(read) ? read : i;
  }

  /** Whether it is known who wrote what was read, be it the transaction itself. */
  private boolean isDecided(int read) {
    if (Arrays.binarySearch(readOperations, read) >= 0) {
      return true;
    }
    for (int i = read - 1; i >= 0; i--) {
      if (isWrite(operations, i) && operations.key(i) == operations.key(read)) {
        return operations.versionKind(i) == VersionKind.KNOWN
            && operations.version(i) == operations.version(read);
      }
    }
    return false;
  }

  /** Lets go of its clock and of its place in the commit relation. */
  public void forgetRelation() {
    clock = null;
    before = null;
    after = null;
    readers = NO_READERS;
    readerCount = 0;
    firstOut = null;
    firstIn = null;
    position = 0;
    weakerPositions = NO_KEYS;
  }

  /** Lets go of everything but identity. */
  public void strip() {
    stripTo(Operations.EMPTY);
  }

  /** Lets go of everything but identity and its last write of each key. */
  public void stripToWrites() {
    BitSet last = new BitSet();
    for (int i = 0; i < writeCount(); i++) {
      last.set(finalWrite(i));
    }
    stripTo(operations.only(last));
  }

  private void stripTo(Operations kept) {
    state = State.TRUNCATED;
    operations = kept;
    writes = finalWrites(kept);
    readOperations = NO_OPERATIONS;
    readWriters = NO_WRITERS;
    staleKeys = NO_KEYS;
    soPrev = null;
    soNext = null;
    waiting = null;
    forgetRelation();
  }

  @Override
  public String toString() {
    return name();
  }

  /** What may have changed since it arrived; {@link #strip} has left little of a truncated one. */
  void save(GraphWriter graph, GraphWriter.Neighbours last) {
    StateWriter out = graph.out;
    out.octet(
        state.ordinal()
            | (committed ? SAVED_COMMITTED : 0)
            | (waiting != null ? SAVED_WAITING : 0));
    out.number(deliveredAt - last.deliveredAt);
    last.deliveredAt = deliveredAt;
    if (state == State.TRUNCATED) {
      return;
    }
    graph.transaction(soPrev);
    graph.transaction(soNext);
    if (waiting != null) {
      waiting.save(graph, last);
    }
    for (int i = writeCount(); i < writes.length; i++) {
      out.number(writes[i]);
    }
    out.numbers(readOperations);
    for (Transaction writer : readWriters) {
      graph.transaction(writer);
    }
    out.numbers(staleKeys);
    graph.clock(clock);
    out.number(position);
    out.numbers(weakerPositions);
    graph.transaction(before);
    graph.transaction(after);
    out.count(readerCount);
    for (int i = 0; i < readerCount; i++) {
      graph.transaction(readers[i]);
    }
    Edge.saveOut(firstOut, graph);
    Edge.saveIn(firstIn, graph);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph, GraphWriter.Neighbours last) {
    StateReader from = graph.in;
    int flags = from.octet();
    state = STATES[flags & SAVED_STATE];
    committed = (flags & SAVED_COMMITTED) != 0;
    last.deliveredAt += from.number();
    deliveredAt = last.deliveredAt;
    if (state == State.TRUNCATED) {
      return;
    }
    soPrev = graph.transactionOrNull();
    soNext = graph.transactionOrNull();
    if ((flags & SAVED_WAITING) != 0) {
      waiting = Wait.load(graph, last);
    }
    for (int i = writeCount(); i < writes.length; i++) {
      writes[i] = from.smallNumber();
    }
    readOperations = sharedIfNone(from.smallNumbers());
    readWriters = readOperations.length == 0 ? NO_WRITERS : new Transaction[readOperations.length];
    for (int i = 0; i < readWriters.length; i++) {
      readWriters[i] = graph.transactionOrNull();
    }
    long[] stale = from.numbers();
    staleKeys = stale.length == 0 ? NO_KEYS : stale;
    clock = graph.clockOrNull();
    position = from.number();
    long[] positions = from.numbers();
    weakerPositions = positions.length == 0 ? NO_KEYS : positions;
    before = graph.transactionOrNull();
    after = graph.transactionOrNull();
    int n = from.count();
    for (int i = 0; i < n; i++) {
      addReader(graph.transaction());
    }
    firstOut = Edge.loadOut(graph);
    firstIn = Edge.loadIn(graph);
  }

  private static int[] sharedIfNone(int[] numbers) {
    return numbers.length == 0 ? NO_OPERATIONS : numbers;
  }

  private static int[] finalWrites(Operations operations) {
    int n = operations.size();
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (isWrite(operations, i)) {
        count++;
      }
    }
    if (count == 0) {
      return NO_OPERATIONS;
    }
    int[] all = new int[2 * count];
    int k = 0;
    for (int i = 0; i < n; i++) {
      if (isWrite(operations, i)) {
        all[k++] = i;
      }
    }
    sortByKey(all, count, operations);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i + 1 == count || operations.key(all[i + 1]) != operations.key(all[i])) {
        all[distinct++] = all[i];
      }
    }
    if (distinct == count) {
      return all;
    }
    int[] writes = new int[2 * distinct];
    System.arraycopy(all, 0, writes, 0, distinct);
    return writes;
  }

  /** Sorts the first {@code n} operations by key, and by place where keys are equal. */
  private static void sortByKey(int[] ops, int n, Operations operations) {
    if (n > SORT_BY_INSERTION) {
      IntArrays.mergeSort(ops, 0, n, (a, b) -> Long.compare(operations.key(a), operations.key(b)));
      return;
    }
    // Operations ascend as they come, and equal keys keep their order.
    for (int i = 1; i < n; i++) {
      int op = ops[i];
      long key = operations.key(op);
      int j = i - 1;
      while (j >= 0 && operations.key(ops[j]) > key) {
        ops[j + 1] = ops[j];
        j--;
      }
      ops[j + 1] = op;
    }
  }

  private static boolean isWrite(Operations operations, int i) {
    OperationKind kind = operations.kind(i);
    return (kind == OperationKind.WRITE || kind == OperationKind.DELETE) && !operations.undone(i);
  }
}

package io.isotail.incremental.window;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.snapshot.Numbered;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
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

  static final int[] NO_OPERATIONS = {};
  static final long[] NO_KEYS = {};
  static final @Nullable Transaction[] NO_WRITERS = {};
  private static final int UNCAPTURED_NUMBERS = 1_000_000_000;

  /** The initial transaction: it wrote the initial version of every key, before all others. */
  public static final Transaction INITIAL = beforeAllOthers(Long.MIN_VALUE, "initial");

  /**
   * Stands for every captured transaction that committed and left the window so long ago that only
   * its id is known.
   */
  public static final Transaction FORGOTTEN = beforeAllOthers(Long.MIN_VALUE + 1, "earlier");

  /** Stands, as the source of a dependency, for a writer that is none of a level's transactions. */
  public static final Transaction OUTSIDER = beforeAllOthers(Long.MIN_VALUE + 2, "outsider");

  static {
    FORGOTTEN.strip();
  }

  /** Those that are of no stream, and never change. */
  static final List<Transaction> OF_NO_STREAM = List.of(INITIAL, FORGOTTEN);

  /** A writer that never arrives has this arrival, less that of its first reader. */
  private static final long UNCAPTURED = -2;

  /** Its session. */
  public final SessionState session;

  /** Its number in the session. */
  public final long number;

  /** Position among all records of the stream; below -1 for one that nobody captured. */
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

  /**
   * Polygraph: what its commit is guessed by. Of a captured transaction its own times. Of one that
   * was not captured: it ended when its first reader began.
   */
  public final Times guess;

  /** Whether some of its operations were lost. */
  public final boolean lostChunk;

  /** Which code ran it, for people; null when not told. */
  public @Nullable Origin origin;

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
  int[] writes = NO_OPERATIONS;

  /** Every operation that wrote; null where {@link #writes} tells all. See {@link #everyWrite}. */
  private int @Nullable [] everyWrite;

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

  /** Window: where it has this index; null when it has none. */
  @Nullable Window window;

  /** Reads: the read operations that have a decided writer outside the transaction, in order. */
  public int[] readOperations = NO_OPERATIONS;

  /** Reads: the writer of each of {@link #readOperations}; may be {@link #INITIAL} or truncated. */
  public @Nullable Transaction[] readWriters = NO_WRITERS;

  /**
   * Reads: of lists that end with the transaction's own appends, where all is decided, the read
   * that ends each, and the element of {@link #readOperations} that it appended to.
   */
  public int[] listedVersions = NO_OPERATIONS;

  /**
   * Reads: of lists with an element of which it is not known who wrote it, the read that ends each,
   * ascending.
   */
  public int[] unclearLists = NO_OPERATIONS;

  /**
   * Reads: keys of which it read a version that violates a level up to {@code causal}; these reads
   * make no edge from {@code prefix} on. Ascending; empty as long as nothing else needs them apart.
   */
  long[] staleKeys = NO_KEYS;

  /**
   * Versions: for each key that it wrote for good the transaction whose version it is known to have
   * replaced, {@link #FORGOTTEN} where several claim that; null as long as none is known. Another
   * array takes its place when something changes.
   */
  @Nullable Transaction @Nullable [] replaced;

  /** Versions: the transactions delivered before it that replaced its own, likewise; or null. */
  private @Nullable Transaction @Nullable [] replacedBy;

  /** Mark of the last search over session order and reads that visited it. */
  public long mark;

  /** Saturation: its node in the commit relation; null while it has none. */
  public @Nullable StagePart relation;

  /** Certificate: the first of its places at the levels; null while it has none. */
  public @Nullable StagePart placed;

  /** Polygraph: at how many levels it is held, so that more than its identity is needed. */
  public int held;

  /**
   * A transaction as it arrived.
   *
   * @param guess see {@link #guess}
   */
  @SuppressWarnings("TooManyParameters")
  public Transaction(
      SessionState session,
      long number,
      long arrival,
      long offset,
      Outcome outcome,
      @Nullable String ranAt,
      IsolationLevel promise,
      Times guess,
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
    this.times = uncaptured() ? Times.NONE : guess;
    this.guess = guess;
    this.operations = operations;
    this.lostChunk = lostChunk;
    this.slot = slot;
    this.seq = seq;
    this.committed = outcome == Outcome.COMMITTED;
    noteWrites();
  }

  /** Takes its operations back from a snapshot. */
  void arrived(Operations saved) {
    operations = saved;
    noteWrites();
  }

  private void noteWrites() {
    writes = FinalWrites.of(operations);
    everyWrite = FinalWrites.every(operations, writeCount());
  }

  private static Transaction beforeAllOthers(long session, String name) {
    return new Transaction(
        new SessionState(SessionInfo.ofFile(session, name)),
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
  }

  /**
   * A transaction that nobody captured, of which one version of a key is known. It committed, in a
   * session of its own.
   *
   * @param write that version
   * @param id identity of its session, and of itself
   * @param promise the strongest level that binds every writer
   * @param reader the transaction that read the version
   */
  public static Transaction uncaptured(
      Operations write, long id, IsolationLevel promise, Transaction reader, Slots slots) {
    SessionState session = new SessionState(SessionInfo.ofFile(id, "uncaptured"));
    int seq = slots.nextUncaptured(session);
    return new Transaction(
        session,
        Math.floorMod(id, UNCAPTURED_NUMBERS),
        UNCAPTURED - reader.arrival,
        reader.offset,
        Outcome.COMMITTED,
        null,
        promise,
        reader.times.endingAtItsBegin(),
        write,
        false,
        session.slot,
        seq);
  }

  /** A transaction that stands in no window, to be told of by itself. */
  public static Transaction alone(TransactionRecord whole, long offset, IsolationLevel promise) {
    Transaction alone =
        new Transaction(
            new SessionState(whole.session()),
            whole.transaction(),
            0,
            offset,
            whole.outcome(),
            whole.ranAt(),
            promise,
            Times.of(whole, whole.beginNs()),
            whole.operations(),
            false,
            -1,
            0);
    alone.origin = whole.origin();
    return alone;
  }

  /** Whether nobody captured it, so that one version of a key is all that is known of it. */
  public boolean uncaptured() {
    return arrival <= UNCAPTURED;
  }

  /** Whether the log has it first; one that was not captured stands before its first reader. */
  public boolean comesBefore(Transaction other) {
    return placeInLog() < other.placeInLog();
  }

  /** Twice the place of its last record, or just before that of its first reader. */
  public long placeInLog() {
    return uncaptured() ? 2 * (UNCAPTURED - arrival) - 1 : 2 * arrival;
  }

  /** Name for people: session and number. */
  public String name() {
    return this == INITIAL || this == FORGOTTEN
        ? session.info.name()
        : session.info.name() + "/" + number;
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

  /** Saturation: its place among the writers of key number {@code i}. */
  public int writePlace(int i) {
    return writes[(writes.length >> 1) + i];
  }

  /** Saturation: sets its place among the writers of key number {@code i}. */
  public void writePlace(int i, int place) {
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

  /**
   * Every operation that wrote, or may have, in program order; null where each key was written
   * once, with a known version, and nothing else was done to it.
   */
  public int @Nullable [] everyWrite() {
    return everyWrite;
  }

  /** It is about to be changed, other than by a stage that keeps a part of its own. */
  public void changed() {
    if (window != null) {
      window.changed(this);
    }
  }

  /** It has become known which version its operation {@code write} installed. */
  public void installed(int write, long version) {
    changed();
    operations = operations.withVersion(write, version);
    everyWrite = FinalWrites.every(operations, writeCount());
  }

  /**
   * It wrote a key that it was not seen to write: {@code read} of {@code reader} returned what it
   * installed.
   *
   * @return the number of the operation that stands for the write, its last one
   */
  public int addUnseenWrite(Operations reader, int read) {
    changed();
    operations = operations.withUnseenWrite(reader, read);
    int added = operations.size() - 1;
    int before = writeCount();
    writes = FinalWrites.with(writes, operations, added);
    int at = writeIndex(operations.key(added));
    replaced = withRoomAt(replaced, at, before);
    replacedBy = withRoomAt(replacedBy, at, before);
    everyWrite = FinalWrites.every(operations, writeCount());
    return added;
  }

  /**
   * It had written a key unseen before its operation {@code read}, which returned that version.
   * Called before anything is known of it but its operations.
   */
  public void addOwnUnseenWrite(int read) {
    operations = operations.withOwnUnseenWrite(read);
    noteWrites();
  }

  private static @Nullable Transaction @Nullable [] withRoomAt(
      @Nullable Transaction @Nullable [] some, int at, int before) {
    if (some == null) {
      return null;
    }
    @Nullable Transaction[] more = new Transaction[before + 1];
    System.arraycopy(some, 0, more, 0, at);
    System.arraycopy(some, at, more, at + 1, before - at);
    return more;
  }

  /** Whether it is known of any key whose version it replaced, or who replaced its own. */
  public boolean anyReplaced() {
    return replaced != null || replacedBy != null;
  }

  /** The transaction whose version of key number {@code i} it replaced; null if none is known. */
  public @Nullable Transaction replaced(int i) {
    return replaced == null ? null : replaced[i];
  }

  /** The transaction whose version of {@code key} it replaced; null if none is known. */
  public @Nullable Transaction replacedOf(long key) {
    int i = replaced == null ? -1 : writeIndex(key);
    return i < 0 ? null : replaced(i);
  }

  /**
   * The transaction that was delivered before it and replaced its version of key number {@code i};
   * null if none is known.
   */
  public @Nullable Transaction replacedBy(int i) {
    return replacedBy == null ? null : replacedBy[i];
  }

  /** It is known from now on whose version of {@code key} it replaced. */
  public void setReplaced(long key, Transaction writer) {
    changed();
    replaced = with(replaced, key, writer);
  }

  /** It is known from now on who replaced its version of {@code key}; null for nobody. */
  public void setReplacedBy(long key, @Nullable Transaction overwriter) {
    if (overwriter != null || replacedBy != null) {
      @Nullable Transaction[] others = with(replacedBy, key, overwriter);
      replacedBy = Arrays.stream(others).allMatch(Objects::isNull) ? null : others;
    }
  }

  private @Nullable Transaction[] with(
      @Nullable Transaction @Nullable [] before, long key, @Nullable Transaction other) {
    @Nullable Transaction[] all = before == null ? new Transaction[writeCount()] : before.clone();
    int i = writeIndex(key);
    if (i >= 0) {
      all[i] = other;
    }
    return all;
  }

  /** The first operation that wrote {@code key} for good, or -1. */
  public int firstWrite(long key) {
    if (everyWrite == null) {
      int only = writeIndex(key);
      return only < 0 ? -1 : finalWrite(only);
    }
    for (int i = 0; i < operations.size(); i++) {
      if (operations.key(i) == key && operations.isWrite(i)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether it wrote the key of operation {@code i} by one before that. */
  public boolean isWrittenBefore(int i) {
    int first = firstWrite(operations.key(i));
    return first >= 0 && first < i;
  }

  /** The writer of what operation {@code read} returned; null where that was not decided. */
  public @Nullable Transaction writerRead(int read) {
    int i = Arrays.binarySearch(readOperations, read);
    return i < 0 ? null : readWriters[i];
  }

  /** Whether it read a version of a key by another transaction. */
  public boolean readsFrom(Transaction writer, long key) {
    for (int i = 0; i < readWriters.length; i++) {
      if (readWriters[i] == writer && operations.key(readOperations[i]) == key) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether read number {@code i} of {@link #readOperations} returned a version of its key. The
   * elements of a list before the last one are read from their writers too, but as parts of a later
   * version.
   */
  public boolean readsVersion(int i) {
    int operation = readOperations[i];
    return operations.kind(operation) == OperationKind.READ
        || (listedVersions.length > 0 && Arrays.binarySearch(listedVersions, operation) >= 0);
  }

  /** From now on its reads of these keys make no edge from {@code prefix} on. */
  public void leaveOutReadsOf(LongCollection keys) {
    changed();
    staleKeys = keys.toLongArray();
    Arrays.sort(staleKeys);
  }

  /** Whether any of its reads makes no edge from {@code prefix} on. */
  public boolean leavesOutReads() {
    return staleKeys.length > 0;
  }

  /** Whether its reads of a key make no edge from {@code prefix} on. */
  public boolean leavesOutReadsOf(long key) {
    return leavesOutReads() && Arrays.binarySearch(staleKeys, key) >= 0;
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
    arrived(kept);
    readOperations = NO_OPERATIONS;
    readWriters = NO_WRITERS;
    listedVersions = NO_OPERATIONS;
    unclearLists = NO_OPERATIONS;
    staleKeys = NO_KEYS;
    replaced = null;
    replacedBy = null;
    soPrev = null;
    soNext = null;
    waiting = null;
  }

  @Override
  public String toString() {
    return name();
  }
}

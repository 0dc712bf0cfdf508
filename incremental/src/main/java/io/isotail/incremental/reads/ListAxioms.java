package io.isotail.incremental.reads;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Version;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The rules of read consistency for a list read, which is a read of each of its elements.
 *
 * <p>The elements are the appends of whole transactions, one transaction after the other. Behind
 * them stand the reader's own appends so far. Each rule holds at {@code read-committed}; in which
 * order lists show the appends of different transactions is a matter of stronger levels.
 *
 * <table>
 * <caption>The rules</caption>
 * <tr><th>rule</th><th>broken</th></tr>
 * <tr><td>the list ends with the reader's own appends in program order</td><td>{@code
 * not-my-last-write} by the last element, else {@code not-my-own-write}</td></tr>
 * <tr><td>each other element was appended by another transaction, which committed</td><td>{@code
 * thin-air-read}, {@code aborted-read}, {@code future-read}</td></tr>
 * <tr><td>an element is there as often as it may have been appended</td><td>{@code
 * duplicate-element}</td></tr>
 * <tr><td>the appends of one transaction stand together, all of them, in program
 * order</td><td>{@code intermediate-read}</td></tr>
 * <tr><td>behind the reader's own appends it still sees something of others if it did
 * before</td><td>{@code internal-read}</td></tr>
 * </table>
 *
 * <p>Reused from list to list; not thread-safe.
 */
final class ListAxioms {
  private final ReadAxioms axioms;
  private final VersionTable versions;
  private final IntArrayList own = new IntArrayList();
  private final IntArrayList group = new IntArrayList();
  private final Long2IntOpenHashMap copies = new Long2IntOpenHashMap();

  private Transaction reader = Transaction.INITIAL;
  private Operations ops = Operations.EMPTY;

  /** The operation that begins the list. */
  private int first;

  /** The first element, behind the initial version where the list shows that. */
  private int start;

  /** The read that ends the list. */
  private int end;

  /** Whether the list is known to be complete. */
  private boolean complete;

  /** The first of the reader's own appends, or the place behind the list. */
  private int ownStart;

  private @Nullable Transaction[] writers = new Transaction[16];

  /** The writers of elements that close a causality cycle. */
  private @Nullable Transaction[] owners = new Transaction[16];

  /** Elements from the start on that are known from a list before. */
  private int decidedBefore;

  /** Whether each element has one writer whom nothing but the version tells. */
  private boolean oneWriterEach;

  private boolean leavesOut;

  /** Whether it is not known which appends of the reader's own have to be there. */
  private boolean unclear;

  private @Nullable BadRead bad;
  private @Nullable UndecidedReason doubt;

  ListAxioms(ReadAxioms axioms, VersionTable versions) {
    this.axioms = axioms;
    this.versions = versions;
  }

  /** The first element that breaks a rule; null if none does. */
  @Nullable BadRead bad() {
    return bad;
  }

  /** Why not every element was decided; null if each was. */
  @Nullable UndecidedReason doubt() {
    return doubt;
  }

  /** Whether every element was decided, and none was left out of what was read. */
  boolean isDecided() {
    return doubt == null && !leavesOut;
  }

  /** Whether of some element it is not known who wrote it. */
  boolean isUnclear() {
    if (bad != null || unclear) {
      return true;
    }
    for (int i = start; doubt != null && i < ownStart; i++) {
      if (writers[i - first] == null && owners[i - first] == null) {
        return true;
      }
    }
    return false;
  }

  /**
   * The writer of operation {@code i} of the list, {@link Transaction#INITIAL} for the initial
   * version; null where it is not decided or an append of the reader.
   */
  @Nullable Transaction writer(int i) {
    return writers[i - first];
  }

  /**
   * The operation with the version that the reader's own appends were added to, which is the read
   * where there are none; less than the first of the list if it is not shown.
   */
  int version() {
    return ownStart - 1;
  }

  /**
   * Applies the rules to a list.
   *
   * @param first the operation that begins it
   * @param end the read that ends it
   * @param seen the last operation before it by which the transaction read of the key what others
   *     had appended, or -1
   */
  void apply(Transaction t, int first, int end, int seen) {
    begin(t, first, end);
    if (doubt == null) {
      checkOwn();
    }
    if (bad != null || doubt != null) {
      return;
    }
    KnownLists.KnownList before = listBefore();
    if (before != null) {
      decidedBefore = before.wholeGroups(before.common(ops, start, ownStart));
      before.copyWriters(decidedBefore, writers, start - first);
    }
    for (int i = start + decidedBefore; i < ownStart && bad == null; i++) {
      decide(i);
    }
    if (bad == null) {
      checkCopies();
    }
    if (bad == null) {
      checkGroups();
    }
    if (bad == null && ownStart <= start && seen >= 0) {
      checkSeenBefore(seen);
    }
    if (bad == null
        && doubt == null
        && oneWriterEach
        && complete
        && ownStart > start + decidedBefore) {
      versions.lists().note(ops, start, ownStart - start, writers, start - first);
    }
  }

  /** What is known of the key, for a list that shows its beginning. */
  private KnownLists.@Nullable KnownList listBefore() {
    return complete && axioms.versionsTellWriters(reader, end)
        ? versions.lists().of(ops.key(end))
        : null;
  }

  /** The list shows nothing of others, though the transaction had read something of theirs. */
  private void checkSeenBefore(int seen) {
    Version before = complete ? versions.find(ops.key(seen), ops.version(seen)) : null;
    if (before != null && before.size() == 1) {
      bad =
          new BadRead(AnomalyKind.INTERNAL_READ, reader, first, own.getInt(0), before.candidate(0));
    }
  }

  private void begin(Transaction t, int from, int to) {
    reader = t;
    ops = t.operations;
    first = from;
    end = to;
    bad = null;
    doubt = null;
    decidedBefore = 0;
    oneWriterEach = axioms.versionsTellWriters(t, to);
    leavesOut = false;
    if (writers.length <= to - from) {
      writers = new Transaction[2 * (to - from + 1)];
      owners = new Transaction[2 * (to - from + 1)];
    }
    boolean initial = ops.versionKind(from) == VersionKind.INITIAL;
    start = ops.versionKind(from) == VersionKind.KNOWN ? from : from + 1;
    findOwn();
    unclear = doubt != null;
    ownStart = end + 1 - own.size();
    complete = false;
    if (initial) {
      ReadResult result = axioms.withoutOwnWrite(t, from);
      complete = result instanceof ReadResult.From;
      if (complete || ownStart == start) {
        take(from, result);
      }
    }
  }

  /** The reader's own appends before the list. */
  private void findOwn() {
    own.clear();
    if (!reader.writes(ops.key(end))) {
      return;
    }
    for (int i = 0; i < first; i++) {
      if (ops.isWrite(i) && ops.key(i) == ops.key(end)) {
        own.add(i);
        if (!isAppend(ops, i)) {
          doubt = UndecidedReason.UNKNOWN_VERSION;
        }
      }
    }
    if (doubt == null && !own.isEmpty()) {
      doubt = axioms.againstOwnWrite(reader, own.getInt(0), end);
    }
  }

  private static boolean isAppend(Operations written, int i) {
    return written.kind(i) == OperationKind.WRITE && written.versionKind(i) == VersionKind.KNOWN;
  }

  /** From the last one to the first, as far as the list shows. */
  private void checkOwn() {
    for (int n = own.size() - 1; n >= 0 && bad == null; n--) {
      int i = ownStart + n;
      if (i < start && !complete) {
        return;
      }
      if (i < start || ops.version(i) != ops.version(own.getInt(n))) {
        int at = Math.max(i, first);
        AnomalyKind kind =
            at == end && isOwn(ops.version(end))
                ? AnomalyKind.NOT_MY_LAST_WRITE
                : AnomalyKind.NOT_MY_OWN_WRITE;
        bad = new BadRead(kind, reader, at, own.getInt(n), null);
      }
    }
  }

  private boolean isOwn(long version) {
    for (int n = 0; n < own.size(); n++) {
      if (ops.version(own.getInt(n)) == version) {
        return true;
      }
    }
    return false;
  }

  private void decide(int i) {
    Transaction sole = axioms.undoubted(reader, i);
    if (sole != null) {
      writers[i - first] = sole;
      return;
    }
    ReadResult result = axioms.withoutOwnWrite(reader, i);
    oneWriterEach &=
        result instanceof ReadResult.From && versions.hasOneWriter(ops.key(i), ops.version(i));
    // What it had appended before is there once more: too many copies, and no look ahead.
    boolean again =
        result instanceof BadRead read
            && read.kind() == AnomalyKind.FUTURE_READ
            && read.ownWrite() < first;
    if (!again) {
      take(i, result);
    }
  }

  private void take(int i, ReadResult result) {
    if (result instanceof BadRead read) {
      bad = bad == null ? read : bad;
    } else if (result instanceof ReadResult.Undecided undecided) {
      doubt = doubt == null ? undecided.reason() : doubt;
    } else if (result instanceof ReadResult.From from) {
      writers[i - first] = from.writer() == reader ? null : from.writer();
    } else if (i >= start) {
      // Left out of what was read, and part of the list all the same.
      Version version = versions.find(ops.key(i), ops.version(i));
      leavesOut = true;
      owners[i - first] = version == null ? null : committedFirst(version).writer;
    }
  }

  /** An element is there no more often than it was appended by what may have committed. */
  private void checkCopies() {
    if (ops.ascends(start, end)) {
      return;
    }
    copies.clear();
    for (int i = start; i <= end && bad == null; i++) {
      int before = copies.addTo(ops.version(i), 1);
      if (before > 0) {
        checkCopies(i, before + 1);
      }
    }
  }

  private void checkCopies(int i, int shown) {
    Version version = versions.find(ops.key(i), ops.version(i));
    int appends = 0;
    for (int c = 0; version != null && c < version.size(); c++) {
      Version.Candidate candidate = version.candidate(c);
      Transaction writer = candidate.writer;
      if (writer.state == Transaction.State.TRUNCATED) {
        doubt = doubt == null ? UndecidedReason.TRUNCATED : doubt;
        return;
      }
      if (writer.lostChunk || reader.lostChunk) {
        doubt = doubt == null ? UndecidedReason.LOST_CHUNK : doubt;
        return;
      }
      if (writer.committed || candidate.mayHaveCommitted()) {
        int before = writer == reader ? first : writer.operations.size();
        appends += appends(writer.operations, before, i);
      }
    }
    if (version != null && version.size() > 0 && shown > appends) {
      UndecidedReason against = axioms.againstKnownWriters(reader, i);
      if (against != null) {
        doubt = doubt == null ? against : doubt;
      } else {
        bad = oneTooMany(i, version);
      }
    }
  }

  /** An element is there too often; if the reader appends it later, it read what was to come. */
  private BadRead oneTooMany(int i, Version version) {
    int later = end + 1;
    while (later < ops.size() && !isAppendOf(ops, later, i)) {
      later++;
    }
    return later < ops.size()
        ? new BadRead(AnomalyKind.FUTURE_READ, reader, i, later, candidateOf(version, reader))
        : new BadRead(AnomalyKind.DUPLICATE_ELEMENT, reader, i, -1, committedFirst(version));
  }

  private static Version.Candidate committedFirst(Version version) {
    for (int c = 0; c < version.size(); c++) {
      if (version.candidate(c).writer.committed && !version.candidate(c).undone) {
        return version.candidate(c);
      }
    }
    return version.candidate(0);
  }

  /** How often an element is among the first operations of a transaction. */
  private int appends(Operations written, int before, int element) {
    int count = 0;
    for (int i = 0; i < before; i++) {
      count += isAppendOf(written, i, element) ? 1 : 0;
    }
    return count;
  }

  private boolean isAppendOf(Operations written, int i, int element) {
    return written.key(i) == ops.key(element)
        && written.version(i) == ops.version(element)
        && written.installs(i);
  }

  /** What one transaction appended stands together, whole and in order. */
  private void checkGroups() {
    for (int i = start + decidedBefore; i < ownStart && bad == null; ) {
      Transaction writer = writers[i - first] == null ? owners[i - first] : writers[i - first];
      // Of a transaction that has left the window not all is known.
      boolean known = writer != null && writer.state != Transaction.State.TRUNCATED;
      i = known ? checkGroup(writer, i) : i + 1;
    }
  }

  /**
   * Checks the appends of a transaction.
   *
   * @param at an element that is one of them
   * @return the element behind them
   */
  private int checkGroup(Transaction writer, int at) {
    int[] every = writer.everyWrite();
    if (every == null && !writer.lostChunk) {
      return at + 1; // Whoever appended once to each key stands whole wherever it stands.
    }
    UndecidedReason unclear =
        every == null || writer.lostChunk
            ? UndecidedReason.LOST_CHUNK
            : findGroup(writer.operations, every, ops.key(at));
    if (unclear != null) {
      doubt = doubt == null ? unclear : doubt;
      return at + 1;
    }
    if (group.isEmpty()) {
      return at + 1;
    }
    Operations written = writer.operations;
    for (int n = 0; n < group.size(); n++) {
      if (written.version(group.getInt(n)) == ops.version(at) && isWhole(written, at - n)) {
        return at - n + group.size();
      }
    }
    Version version = versions.find(ops.key(at), ops.version(at));
    bad =
        new BadRead(
            AnomalyKind.INTERMEDIATE_READ,
            reader,
            at,
            -1,
            version == null ? null : candidateOf(version, writer));
    return ownStart;
  }

  /**
   * Finds a transaction's appends to a key.
   *
   * @return why it is not known what they are, or null
   */
  private @Nullable UndecidedReason findGroup(Operations written, int[] every, long key) {
    group.clear();
    boolean opaque = false;
    for (int w : every) {
      if (written.kind(w) == OperationKind.OPAQUE) {
        opaque = true;
      } else if (written.key(w) == key) {
        if (opaque) {
          return UndecidedReason.OPAQUE_WRITE;
        }
        if (!isAppend(written, w)) {
          return UndecidedReason.UNKNOWN_VERSION;
        }
        group.add(w);
      }
    }
    return null;
  }

  /**
   * Whether a transaction's appends are all there from a place on, which may be before the list.
   */
  private boolean isWhole(Operations written, int from) {
    if ((from < start && complete) || from + group.size() > ownStart) {
      return false;
    }
    for (int n = Math.max(0, start - from); n < group.size(); n++) {
      if (ops.version(from + n) != written.version(group.getInt(n))) {
        return false;
      }
    }
    return true;
  }

  private static Version.@Nullable Candidate candidateOf(Version version, Transaction writer) {
    for (int c = 0; c < version.size(); c++) {
      if (version.candidate(c).writer == writer) {
        return version.candidate(c);
      }
    }
    return null;
  }

  /** Forgets the writers, so that nothing keeps them alive. */
  void clear() {
    Arrays.fill(writers, 0, end - first + 1, null);
    Arrays.fill(owners, 0, end - first + 1, null);
  }
}

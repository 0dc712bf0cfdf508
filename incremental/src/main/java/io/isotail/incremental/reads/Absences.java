package io.isotail.incremental.reads;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Wait;
import io.isotail.incremental.window.Window;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which absences are the initial version of their key, in a live history where not everybody is
 * captured and rows are deleted.
 *
 * <p>Who found no row of a key read the initial version, if everybody who is known to have written
 * the key did so after that. Somebody who is not captured may have inserted the row and deleted it
 * before; both can be taken out of what really happened, since nobody is said to have read from
 * them: an order that serves with them serves without them, and there the absence is initial. The
 * guide has the proof ("Absent").
 *
 * <p>A writer is known to come after a reader
 *
 * <ul>
 *   <li>if it is the reader itself;
 *   <li>if it comes later in the same session;
 *   <li>if its record came after the horizon had passed the reader, and its proxy was known before
 *       the reader's record came: it had not sent a write yet;
 *   <li>if it began after the reader had ended, by their clocks;
 *   <li>if it read of the key what one of these wrote, or is known to have replaced it.
 * </ul>
 *
 * <p>A key that a transaction wrote which has left the window may be read from that one still: its
 * absence is undecided as long as that is so ({@link LeftWriters}).
 *
 * <p>Writers are remembered by key for the tables alone of which an absence has been read ({@link
 * AbsenceTables}). When the first one of a table arrives, they are taken from all that has arrived
 * and is in the window or waits for it, and from the queues of what has left.
 *
 * <p>While such a reader is in the window, nobody is made the writer of the key who was not seen to
 * write it: he may come before the reader. Versions of such writers are undecided then. A captured
 * one that comes and is not known to be later is a {@linkplain #revocations revocation}: the window
 * must be forgotten before anything else is delivered. His proxy said hello after the reader's
 * record had come, or was silent for long. A reader that has left the window has no place in any
 * level as a reader.
 *
 * <p>Bounds: what it takes to find out is looked at for {@link #MOST_WRITERS} writers of a key, and
 * for {@link #MOST_READERS} readers; of more, only whether the log shows all at once.
 */
public final class Absences {
  /** An absence beside more writers than this is undecided. */
  static final int MOST_WRITERS = 16;

  /** So many readers are looked at one by one. */
  static final int MOST_READERS = 64;

  /** A transaction of more operations is not searched for what it read. */
  private static final int MOST_OPERATIONS = 1_000;

  private final boolean applies;
  private final CheckerConfig config;
  private final VersionTable versions;
  private final BeforeCapture beforeCapture;
  private final UnseenEffects unseen;
  private final LeftWriters left;
  private final Window window;

  /** Those of which absences are read. */
  private final AbsenceTables tables;

  /**
   * Who wrote each key of a table of which absences are read, or may have, and has arrived and not
   * left the window.
   */
  private final TransactionsByKey writers = new TransactionsByKey();

  /** Whose absence of each key is taken for its initial version, of those in the window. */
  private final TransactionsByKey readers = new TransactionsByKey();

  /**
   * Of each key with more than {@link #MOST_READERS} of them, the first place in the stream of any,
   * since there are so many.
   */
  private final Long2LongOpenHashMap firstArrivals = new Long2LongOpenHashMap();

  private long revocations;

  /** Tables that outsiders write. */
  private final ForeignTables foreign;

  /**
   * Nothing has arrived. Decides nothing in files, in closed histories, or if nothing is deleted.
   */
  public Absences(
      CheckerConfig config,
      VersionTable versions,
      BeforeCapture beforeCapture,
      UnseenEffects unseen,
      LeftWriters left,
      Window window) {
    this.applies = decides(config);
    this.config = config;
    this.versions = versions;
    this.beforeCapture = beforeCapture;
    this.unseen = unseen;
    this.left = left;
    this.tables = left.tables();
    this.window = window;
    this.foreign = new ForeignTables(window);
  }

  /** Tells of each transaction that has arrived and is not in the window. */
  @FunctionalInterface
  public interface Undelivered {
    /** Tells of each, once or twice. */
    void forEach(Consumer<Transaction> each);
  }

  static boolean decides(CheckerConfig config) {
    return config.live() && !config.closed() && config.deletes();
  }

  /** Whether a read that found no row has to wait for the horizon. */
  public boolean awaitHorizon() {
    return applies;
  }

  /**
   * A captured transaction has arrived whole.
   *
   * @param undelivered those that arrived before and are not in the window
   */
  public void arrived(Transaction transaction, Undelivered undelivered) {
    if (!applies || transaction.outcome == Outcome.ABORTED) {
      return;
    }
    noteTables(transaction.operations, undelivered);
    if (!tables.anyAsked()) {
      return;
    }
    boolean before = false;
    for (int i = 0; i < transaction.writeCount(); i++) {
      if (isAsked(transaction.operations, transaction.finalWrite(i))) {
        long key = transaction.writeKey(i);
        before |= mayComeBeforeReaders(transaction, key);
        writers.add(key, transaction);
      }
    }
    revocations += before ? 1 : 0;
  }

  /** The writers of a table are remembered from the first absence on that is read of it. */
  private void noteTables(Operations ops, Undelivered undelivered) {
    for (int i = 0; i < ops.size(); i++) {
      if (isAbsence(ops, i) && !isAsked(ops, i)) {
        AbsenceTables before = tables.copy();
        tables.ask(left.table(ops, i));
        IntPredicate added = table -> tables.isAsked(table) && !before.isAsked(table);
        left.count(added, versions);
        window.everybody().forEach(t -> addWriter(t, added));
        undelivered.forEach(t -> addWriter(t, added));
      }
    }
  }

  private void addWriter(Transaction t, IntPredicate ofTables) {
    for (int i = 0; i < t.writeCount() && t.outcome != Outcome.ABORTED; i++) {
      if (ofTables.test(table(t.operations, t.finalWrite(i)))) {
        writers.add(t.writeKey(i), t);
      }
    }
  }

  private boolean isAsked(Operations ops, int i) {
    return tables.isAsked(table(ops, i));
  }

  private int table(Operations ops, int i) {
    return tables.find(ops.statement(i).table());
  }

  /** Whether an operation found no row, and it is not decided yet whether there never was one. */
  private static boolean isAbsence(Operations ops, int i) {
    return ops.readsInitial(i) && !ops.surelyInitial(i);
  }

  /** Whether it may have written a key before somebody who is taken to have found it initial. */
  private boolean mayComeBeforeReaders(Transaction writer, long key) {
    Collection<Transaction> taken = readers.of(key);
    if (taken.isEmpty() || followsKnown(writer, key)) {
      return false;
    }
    if (taken.size() > MOST_READERS) {
      return writer.session.proxySince >= firstArrivals.get(key);
    }
    for (Transaction reader : taken) {
      if (!comesAfter(writer, reader, -1)) {
        return true;
      }
    }
    return false;
  }

  /** Every writer who is known comes after whoever is taken to have found a key initial. */
  private boolean followsKnown(Transaction writer, long key) {
    Collection<Transaction> known = writers.of(key);
    return !known.isEmpty() && followsOneOf(known, writer, key);
  }

  /** How often it came out that somebody may have written a key before whom it was initial for. */
  public long revocations() {
    return revocations;
  }

  /** It has become known that a transaction wrote a key, or one that nobody captured did. */
  void wrote(Transaction writer, long key) {
    if (tables.anyAsked()
        && writer.state != Transaction.State.TRUNCATED
        && isAsked(writer.operations, writer.finalWrite(writer.writeIndex(key)))) {
      writers.add(key, writer);
    }
  }

  /** Whether a reader that still counts is taken to have read the initial version of a key. */
  boolean isTaken(long key) {
    return !readers.isEmpty() && readers.containsKey(key);
  }

  /** A version of a table was read that nobody captured is known to have written. */
  void readForeign(@Nullable String table) {
    if (applies) {
      foreign.note(table);
    }
  }

  /** Marks the reads of a committed transaction, about to be processed, that are initial. */
  public void mark(Transaction reader) {
    Wait wait = reader.waiting;
    if (!tables.anyAsked()
        || wait == null
        || wait.gaveUp != null
        || wait.readBeforeLoss
        || reader.lostChunk) {
      return;
    }
    Operations ops = reader.operations;
    BitSet found = null;
    for (int i = 0; i < ops.size(); i++) {
      if (isAbsence(ops, i)
          && isAsked(ops, i)
          && !reader.isWrittenBefore(i)
          && !foreign.isWritten(ops.statement(i).table())
          && isFirst(reader, ops.key(i), wait.arrivedAtHorizon)) {
        found = found == null ? new BitSet() : found;
        found.set(i);
      }
    }
    if (found != null) {
      reader.changed();
      reader.operations = ops.withInitial(found);
      take(reader);
    }
  }

  private void take(Transaction reader) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.isSurelyAbsent(i)) {
        long key = ops.key(i);
        readers.add(key, reader);
        noteArrival(key, reader);
      }
    }
  }

  private void noteArrival(long key, Transaction reader) {
    if (firstArrivals.containsKey(key)) {
      firstArrivals.mergeLong(key, reader.arrival, Math::min);
    } else if (readers.of(key).size() > MOST_READERS) {
      long first = Long.MAX_VALUE;
      for (Transaction each : readers.of(key)) {
        first = Math.min(first, each.arrival);
      }
      firstArrivals.put(key, first);
    }
  }

  /** Whether everybody who is known to have written a key did so after the reader. */
  private boolean isFirst(Transaction reader, long key, long arrivedAtHorizon) {
    Collection<Transaction> known = writers.of(key);
    if (known.size() > MOST_WRITERS || left.any(key)) {
      return false;
    }
    List<Transaction> open = new ArrayList<>(known);
    open.removeIf(writer -> comesAfter(writer, reader, arrivedAtHorizon));
    List<Transaction> after = new ArrayList<>(known);
    after.removeAll(open);
    while (open.removeIf(writer -> followsOneOf(after, writer, key))) {
      after.clear();
      after.addAll(known);
      after.removeAll(open);
    }
    return open.isEmpty();
  }

  private boolean comesAfter(Transaction writer, Transaction reader, long arrivedAtHorizon) {
    if (writer == reader) {
      return true;
    }
    if (writer.uncaptured()) {
      return false;
    }
    if (writer.session == reader.session) {
      return writer.number > reader.number;
    }
    long uncertaintyNs = config.clockUncertaintyNs();
    if (writer.times.endedBefore(reader.times, uncertaintyNs)) {
      return false;
    }
    return (writer.arrival > arrivedAtHorizon && writer.session.proxySince < reader.arrival)
        || reader.times.endedBefore(writer.times, uncertaintyNs);
  }

  private boolean followsOneOf(Collection<Transaction> after, Transaction writer, long key) {
    if (after.isEmpty()) {
      return false;
    }
    Transaction replaced = writer.replacedOf(key);
    if (replaced != null && after.contains(replaced)) {
      return true;
    }
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size() && ops.size() <= MOST_OPERATIONS; i++) {
      if (ops.key(i) == key && ops.readsKnown(i) && isOfOneWriter(ops, i)) {
        Transaction source = versions.soleWriter(key, ops.version(i));
        if (source != null && source != writer && after.contains(source)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a version that was read is of one writer at most, who may not be known. */
  private boolean isOfOneWriter(Operations ops, int i) {
    return config.isCommittedOnce(ops.statement(i))
        && !unseen.mixesVersions(ops.statement(i).table())
        && (!ops.namesWriters(i) || beforeCapture.idsAreUnique(ops));
  }

  /**
   * A transaction is about to leave the window, and is not stripped yet.
   *
   * @return what {@link #left} is to be told
   */
  public long[] leaves(Transaction transaction) {
    if (!applies) {
      return LeftWriters.NOTHING;
    }
    long[] unversioned = LeftWriters.NOTHING;
    if (transaction.outcome != Outcome.ABORTED) {
      for (int i = 0; i < transaction.writeCount() && !writers.isEmpty(); i++) {
        writers.remove(transaction.writeKey(i), transaction);
      }
      unversioned = left.leaves(transaction, versions.isEntered(transaction));
    }
    Operations ops = transaction.operations;
    for (int i = 0; i < ops.size() && !readers.isEmpty(); i++) {
      if (ops.isSurelyAbsent(i)) {
        readers.remove(ops.key(i), transaction);
        if (readers.of(ops.key(i)).size() <= MOST_READERS) {
          firstArrivals.remove(ops.key(i));
        }
      }
    }
    return unversioned;
  }

  /**
   * A transaction has left the window.
   *
   * @param unversioned what {@link #leaves} returned
   */
  public void left(Transaction transaction, long[] unversioned) {
    if (applies && transaction.outcome != Outcome.ABORTED) {
      left.left(transaction, unversioned);
    }
  }

  /** Saves what does not follow from the transactions that are in the window or come into it. */
  public void save(GraphWriter graph) {
    left.save(graph);
    foreign.save(graph.out);
    graph.out.count(firstArrivals.size());
    for (var each : firstArrivals.long2LongEntrySet()) {
      graph.out.number(each.getLongKey());
      graph.out.number(each.getLongValue());
    }
    graph.out.number(revocations);
  }

  /** Takes back what {@link #save} saved; the versions have been read. */
  public void load(GraphReader graph) {
    left.load(graph, versions);
    foreign.load(graph.in);
    for (int n = graph.in.count(); n > 0; n--) {
      firstArrivals.put(graph.in.number(), graph.in.number());
    }
    revocations = graph.in.number();
  }

  /** Takes in what follows from the transactions of a restored checker. */
  public void loaded(Iterable<Transaction> everybody) {
    if (!applies) {
      return;
    }
    for (Transaction t : everybody) {
      if (t.state == Transaction.State.TRUNCATED) {
        continue;
      }
      addWriter(t, tables::isAsked);
      take(t);
    }
  }
}

package io.isotail.incremental.reads;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes that nobody saw, such as those of a trigger, a cascade, a function or a COPY: known as
 * soon as somebody reads what they installed, since the version names its writer.
 *
 * <p>A captured transaction shows its ids by the writes that were seen. Who reads or replaces a
 * version with one of them, and nobody is known to have written it, has read from that transaction,
 * which therefore wrote the key. From then on this is a write like any other. A transaction that
 * nobody captured is known by one id in the same way, and gains a write with each further key that
 * is read under it; see {@link UncapturedWriters}.
 *
 * <p>Nothing is concluded
 *
 * <ul>
 *   <li>where an id may have been given out twice: after 2^32 transactions, since rows keep the ids
 *       of old ones, and where the horizon of capture is not known ({@link
 *       BeforeCapture#idsAreUnique});
 *   <li>of a transaction that was not acknowledged: after a crash its id is given out again;
 *   <li>of a transaction that was seen to write the key under another id, or to delete it: which of
 *       the two came last is not known;
 *   <li>of a key whose absence is taken for its initial version ({@link Absences}).
 * </ul>
 */
public final class UnseenWrites {
  private final VersionTable versions;
  private final BeforeCapture beforeCapture;
  private final Absences absences;
  private final WriterIds ids;

  /** Is told what becomes known. */
  public interface Gained {
    /** A version of a key is of a transaction that was processed without it. */
    void shown(long key, long version);

    /** A transaction of the window wrote a key too. */
    void wrote(Transaction writer, long key);
  }

  /**
   * A read of a version by whose id the writer is known, who was not seen to write it.
   *
   * @param read number of the operation
   */
  private record Found(Transaction writer, Operations ops, int read) {
    long key() {
      return ops.key(read);
    }

    long version() {
      return ops.version(read);
    }
  }

  /**
   * No ids are known.
   *
   * @param maxRetired so many ids of transactions that have left the window are remembered
   */
  public UnseenWrites(
      VersionTable versions, BeforeCapture beforeCapture, Absences absences, int maxRetired) {
    this.versions = versions;
    this.beforeCapture = beforeCapture;
    this.absences = absences;
    this.ids = new WriterIds(maxRetired);
  }

  /**
   * A captured transaction has arrived whole, and its writes are not entered yet. What it read
   * under an id of its own it has written itself.
   */
  public void arrived(Transaction transaction) {
    if (!transaction.operations.anyNamesWriters()) {
      return;
    }
    ids.add(transaction);
    if (transaction.outcome != Outcome.COMMITTED
        || !beforeCapture.idsAreUnique(transaction.operations)) {
      return;
    }
    for (int i = 0; i < transaction.operations.size(); i++) {
      Operations ops = transaction.operations;
      if (isRead(ops, i)
          && ids.belongs(ops.version(i), transaction)
          && !transaction.writes(ops.key(i))) {
        transaction.addOwnUnseenWrite(i);
      }
    }
  }

  /** Whether a transaction nobody captured stands for one that has arrived. */
  boolean isOfUncaptured(long id) {
    Transaction writer = ids.of(id);
    return writer != null && writer.uncaptured();
  }

  /** A transaction that nobody captured is known by the id of what it wrote. */
  void stands(Transaction uncaptured) {
    if (beforeCapture.idsAreUnique(uncaptured.operations)) {
      ids.addUncaptured(uncaptured);
    }
  }

  /**
   * The transaction that nobody captured and that stands for an id, as long as it is not delivered.
   */
  @Nullable Transaction standingFor(long id) {
    Transaction writer = ids.of(id);
    return writer != null && writer.uncaptured() && writer.state == Transaction.State.PASSIVE
        ? writer
        : null;
  }

  /**
   * Enters the writes that are known from what {@code reader} returned, as far as their writers are
   * not delivered yet. Called when no further writer is to be expected.
   */
  public void enterBeforeDelivery(Transaction reader) {
    for (Found found : of(reader)) {
      if (found.writer.state == Transaction.State.PENDING) {
        enter(found);
      }
    }
  }

  /**
   * Enters the writes that are known from what {@code reader}, which is about to be processed,
   * returned.
   *
   * @param beforehand is run before a transaction of the window may gain a write
   * @param gained is told of each, before the next is entered
   */
  public void enterDelivered(Transaction reader, Runnable beforehand, Gained gained) {
    for (Found found : of(reader)) {
      long key = found.key();
      if (found.writer.state == Transaction.State.TRUNCATED) {
        versions.registerRetired(found.ops, found.read, found.writer);
        gained.shown(key, found.version());
      } else if (found.writer.state == Transaction.State.DELIVERED) {
        if (found.writer.writeIndex(key) < 0) {
          beforehand.run();
        }
        if (enter(found)) {
          gained.wrote(found.writer, key);
        }
        gained.shown(key, found.version());
      }
    }
  }

  /** A transaction leaves the window. Called before it is stripped. */
  public void retire(Transaction transaction) {
    ids.retire(transaction);
  }

  /** Returns whether the writer gains a write of the key. */
  private boolean enter(Found found) {
    Transaction writer = found.writer;
    long key = found.key();
    if (versions.hasWriter(key, found.version())) {
      return false;
    }
    int known = writer.writeIndex(key);
    int write = known < 0 ? writer.addUnseenWrite(found.ops, found.read) : writer.finalWrite(known);
    if (known >= 0) {
      writer.installed(write, found.version());
    }
    versions.register(writer, write);
    absences.wrote(writer, key);
    return known < 0;
  }

  private List<Found> of(Transaction reader) {
    Operations ops = reader.operations;
    if (!ops.anyNamesWriters() || !beforeCapture.idsAreUnique(ops)) {
      return List.of();
    }
    List<Found> all = List.of();
    for (int i = 0; i < ops.size(); i++) {
      Found replaced = ops.replaces(i) ? replaced(reader, i) : null;
      if (replaced != null) {
        all = all.isEmpty() ? new ArrayList<>(2) : all;
        all.add(replaced);
      }
      Transaction writer = isRead(ops, i) ? unseenWriter(reader, ops.key(i), ops.version(i)) : null;
      if (writer != null && (!writer.uncaptured() || !UncapturedWriters.mayBeItsOwn(reader, i))) {
        all = all.isEmpty() ? new ArrayList<>(2) : all;
        all.add(new Found(writer, ops, i));
      }
    }
    return all;
  }

  /** Who is known by its id to have written a version, and was not seen to; null for nobody. */
  private @Nullable Transaction unseenWriter(Transaction reader, long key, long version) {
    if (absences.isTaken(key) || versions.hasWriter(key, version)) {
      return null;
    }
    Transaction writer = ids.of(version);
    boolean may =
        writer != null
            && writer != reader
            && writer.outcome == Outcome.COMMITTED
            && mayHaveWritten(writer, key);
    return may ? writer : null;
  }

  /** What a write of a transaction replaced is as good as read by it. */
  private @Nullable Found replaced(Transaction t, int write) {
    Operations ops = t.operations;
    long key = ops.key(write);
    if (ops.undone(write) || !ops.namesWriters(write)) {
      return null;
    }
    Transaction writer = unseenWriter(t, key, ops.replaced(write));
    if (writer == null || writer.uncaptured()) {
      return null;
    }
    Operations read =
        new Operations.Builder()
            .inDatabaseOf(ops)
            .statement(ops.statement(write))
            .read(key, ops.replaced(write))
            .names(ops.keyName(write), null)
            .build();
    return new Found(writer, read, 0);
  }

  /** Whether the key may be among what it wrote last under its id, for all that was seen. */
  private static boolean mayHaveWritten(Transaction writer, long key) {
    int last = writer.writeIndex(key);
    if (last < 0) {
      return true;
    }
    Operations ops = writer.operations;
    int write = writer.finalWrite(last);
    return ops.kind(write) == OperationKind.WRITE
        && ops.versionKind(write) == VersionKind.UNKNOWN
        && WriterIds.hasOneId(ops);
  }

  private static boolean isRead(Operations ops, int i) {
    return ops.kind(i) == OperationKind.READ
        && ops.versionKind(i) == VersionKind.KNOWN
        && ops.namesWriters(i)
        && !ops.undone(i);
  }

  /** Saves the ids. */
  public void save(GraphWriter graph) {
    ids.save(graph);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader graph) {
    ids.load(graph);
  }
}

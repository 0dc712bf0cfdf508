package io.isotail.incremental.reads;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Wait;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

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
 *   <li>if its record came after the horizon had passed the reader: it had not sent a write yet;
 *   <li>if it comes later in the same session;
 *   <li>if it began after the reader had ended, by their clocks;
 *   <li>if it read of the key what one of these wrote, or is known to have replaced it.
 * </ul>
 *
 * <p>A key that a transaction wrote which has left the window may be read from that one still: its
 * absence is undecided. Bound: {@link BoundedKeys#MAX_KEYS} such keys; beyond it all are.
 *
 * <p>While such a reader is in the window, nobody is made the writer of the key who was not seen to
 * write it: he may come before the reader. Versions of such writers are undecided then. A loss may
 * mean that a record comes after all from before the horizon, so what was taken for initial is
 * forgotten then, with the window, and readers from before it stay undecided.
 */
public final class Absences {
  private final boolean applies;
  private final long clockUncertaintyNs;
  private final VersionTable versions;
  private final UnseenEffects unseen;
  private final KnownWriters writers = new KnownWriters();

  /** How many readers in the window have each key's absence taken for its initial version. */
  private final Long2IntOpenHashMap taken = new Long2IntOpenHashMap();

  /**
   * Nothing has arrived. Decides nothing in files, in closed histories, or if nothing is deleted.
   */
  public Absences(CheckerConfig config, VersionTable versions, UnseenEffects unseen) {
    this.applies = config.live() && !config.closed() && config.deletes();
    this.clockUncertaintyNs = config.clockUncertaintyNs();
    this.versions = versions;
    this.unseen = unseen;
  }

  /** Whether a read that found no row has to wait for the horizon. */
  public boolean awaitHorizon() {
    return applies;
  }

  /** A captured transaction has arrived whole. */
  public void arrived(Transaction transaction) {
    if (applies && transaction.outcome != Outcome.ABORTED) {
      addWrites(transaction);
    }
  }

  /** It has become known that a transaction wrote a key, or one that nobody captured did. */
  void wrote(Transaction writer, long key) {
    if (applies && writer.state == Transaction.State.TRUNCATED) {
      unseen.noteTruncated(key);
    } else if (applies) {
      writers.add(key, writer);
    }
  }

  /** Whether a reader in the window is taken to have read the initial version of an absent key. */
  boolean isTaken(long key) {
    return applies && taken.containsKey(key);
  }

  /** Whether there is such a reader in the window. */
  public boolean anyTaken() {
    return !taken.isEmpty();
  }

  /** Marks the reads of a committed transaction, about to be processed, that are initial. */
  public void mark(Transaction reader) {
    Wait wait = reader.waiting;
    if (!applies
        || wait == null
        || wait.gaveUp != null
        || wait.readBeforeLoss
        || reader.lostChunk) {
      return;
    }
    Operations ops = reader.operations;
    BitSet found = null;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.readsInitial(i) && !ops.isWrittenBefore(i) && isFirst(reader, ops.key(i), wait)) {
        found = found == null ? new BitSet() : found;
        found.set(i);
      }
    }
    if (found != null) {
      reader.changed();
      reader.operations = ops.withInitial(found);
      note(reader, 1);
    }
  }

  /** Whether everybody who is known to have written a key did so after the reader. */
  private boolean isFirst(Transaction reader, long key, Wait wait) {
    List<Transaction> known = writers.of(key);
    if (known == null || unseen.truncatedWriter(key)) {
      return false;
    }
    List<Transaction> open = new ArrayList<>(known);
    open.removeIf(writer -> comesAfter(writer, reader, wait));
    List<Transaction> after = new ArrayList<>(known);
    after.removeAll(open);
    while (open.removeIf(writer -> followsOneOf(after, writer, key))) {
      after.clear();
      after.addAll(known);
      after.removeAll(open);
    }
    return open.isEmpty();
  }

  private boolean comesAfter(Transaction writer, Transaction reader, Wait wait) {
    if (writer == reader) {
      return true;
    }
    if (writer.uncaptured()) {
      return false;
    }
    return writer.arrival > wait.arrivedAtHorizon
        || (writer.session == reader.session && writer.number > reader.number)
        || reader.times.endedBefore(writer.times, clockUncertaintyNs);
  }

  private boolean followsOneOf(List<Transaction> after, Transaction writer, long key) {
    Operations ops = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      boolean replaced = ops.replaces(i) && !ops.undone(i);
      if (ops.key(i) == key && (replaced || ops.readsKnown(i))) {
        long version = replaced ? ops.replaced(i) : ops.version(i);
        Transaction source = versions.soleWriter(key, version);
        if (source != null && source != writer && after.contains(source)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A transaction is about to leave the window, and is not stripped yet. */
  public void leaves(Transaction transaction) {
    if (applies && transaction.outcome != Outcome.ABORTED) {
      for (int i = 0; i < transaction.writeCount(); i++) {
        writers.remove(transaction.writeKey(i), transaction);
      }
      note(transaction, -1);
    }
  }

  private void addWrites(Transaction transaction) {
    for (int i = 0; i < transaction.writeCount(); i++) {
      writers.add(transaction.writeKey(i), transaction);
    }
  }

  private void note(Transaction reader, int more) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.isSurelyAbsent(i) && taken.addTo(ops.key(i), more) + more == 0) {
        taken.remove(ops.key(i));
      }
    }
  }

  /** Takes in what a restored checker knows of. */
  public void loaded(Iterable<Transaction> everybody) {
    if (!applies) {
      return;
    }
    for (Transaction t : everybody) {
      if (t.state != Transaction.State.TRUNCATED) {
        arrived(t);
        note(t, 1);
      }
    }
  }
}

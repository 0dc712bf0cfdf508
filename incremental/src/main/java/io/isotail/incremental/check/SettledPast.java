package io.isotail.incremental.check;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.level.Observed;
import io.isotail.incremental.saturation.CommitRelation;
import io.isotail.incremental.saturation.EdgeSink;
import io.isotail.incremental.saturation.KeyWriters;
import io.isotail.incremental.saturation.Saturator;
import io.isotail.incremental.saturation.WriterIndex;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import org.jspecify.annotations.Nullable;

/**
 * What the window holds from before the relation begins: some order of commits is known to agree
 * with all that these settled transactions have read. Of each key at least the writer is known that
 * is the last in that order.
 *
 * <p>No cycle leads through a settled transaction as long as each edge between two of them agrees
 * with that order, and no edge leads back to one from what came later. Tells which reads would make
 * such an edge; then the relation must begin earlier.
 */
final class SettledPast implements EdgeSink {
  private static final long NOWHERE = Long.MAX_VALUE;

  private final Window window;
  private final CommitRelation relation;
  private final WriterIndex writers;
  private final IsolationLevel strongest;
  private final Saturator probe;

  /** Place from which on the relation must hold what was delivered. */
  private long needed = NOWHERE;

  /** None is settled. */
  SettledPast(
      Window window, CommitRelation relation, WriterIndex writers, IsolationLevel strongest) {
    this.window = window;
    this.relation = relation;
    this.writers = writers;
    this.strongest = strongest;
    this.probe = Saturator.probing(writers, this);
  }

  /** Whether any transaction of the window is settled. */
  boolean any() {
    return relation.from() > window.oldestPlace();
  }

  /**
   * Place from which on the relation must hold what was delivered, so that it may hold {@code t},
   * which has its clock; that of its beginning, or after it, if it may as it is.
   *
   * @param contradicts whether {@code t} may contradict the order of what is settled; others, which
   *     came before anything did, do not
   */
  long neededFor(Transaction t, boolean contradicts) {
    if (!any()) {
      return NOWHERE;
    }
    boolean sure = true;
    for (int r = 0; r < t.readWriters.length; r++) {
      Transaction writer = t.readWriters[r];
      if (writer != null
          && writer.state != Transaction.State.TRUNCATED
          && relation.settles(writer)) {
        sure &= isSure(t, r, writer, contradicts);
      }
    }
    if (!sure && needed == NOWHERE) {
      ask(t);
    }
    long place = needed;
    needed = NOWHERE;
    return place;
  }

  /** Whether it is known which place a read from a settled transaction needs. */
  private boolean isSure(Transaction t, int read, Transaction writer, boolean contradicts) {
    if (strongest.observed() == Observed.READ_FROM_BEFORE || !t.readsVersion(read)) {
      return false;
    }
    KeyWriters ofKey = writers.of(t.operations.key(t.readOperations[read]));
    if (ofKey == null) {
      return true;
    }
    Transaction last = ofKey.lastSettled();
    if (writer == Transaction.INITIAL) {
      if (contradicts && last != null) {
        needed = Math.min(needed, last.deliveredAt);
      } else if (contradicts && ofKey.settledMayBeMissing()) {
        needed = window.oldestPlace();
      }
      return true;
    }
    if (contradicts && writer != last) {
      needed = Math.min(needed, writer.deliveredAt);
    }
    return !ofKey.anyUnsettled();
  }

  private void ask(Transaction t) {
    if (probe.tryStrongest(t, strongest) == Saturator.Outcome.STALE_INITIAL) {
      for (Transaction writer : t.readWriters) {
        note(writer);
      }
    }
  }

  private void note(@Nullable Transaction writer) {
    if (writer != null
        && writer != Transaction.INITIAL
        && writer.state == Transaction.State.DELIVERED
        && relation.settles(writer)) {
      needed = Math.min(needed, writer.deliveredAt);
    }
  }

  @Override
  public void infer(
      Transaction earlier, Transaction writer, long key, Transaction reader, IsolationLevel level) {
    throw new IllegalStateException("only asked whether it agrees");
  }

  @Override
  public boolean agrees(
      Transaction earlier,
      Transaction writer,
      long key,
      Transaction reader,
      IsolationLevel level,
      boolean fresh) {
    if (relation.settles(writer) && !(relation.settles(earlier) && inOrder(earlier, writer, key))) {
      note(writer);
    }
    return true;
  }

  /** Whether of two settled transactions one is known to commit before the other. */
  private boolean inOrder(Transaction earlier, Transaction later, long key) {
    KeyWriters ofKey = writers.of(key);
    return ofKey == null
        ? earlier.deliveredAt < later.deliveredAt
        : later == ofKey.lastSettled() || ofKey.areInOrder(earlier, later);
  }
}

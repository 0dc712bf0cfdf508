package io.isotail.incremental.window;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the stream did not show: losses, writes of unknown keys, and deletes.
 *
 * <p>Doubt only grows. Each fact can explain a version without a writer, or an absence, and so
 * turns a violation into an undecided read; it never makes one.
 */
public final class Doubts {
  /** Keys and tables that are remembered one by one; beyond it every one counts as in doubt. */
  static final int MAX_REMEMBERED = 1_000_000;

  private final Set<String> opaqueTables = new HashSet<>();
  private final LongOpenHashSet deletedKeys = new LongOpenHashSet();
  private final LongOpenHashSet truncatedKeys = new LongOpenHashSet();
  private boolean anyTableOpaque;
  private boolean anyKeyTruncated;
  private boolean anyKeyDeleted;
  private boolean lost;

  /** Notes what a transaction may have done besides its known writes. */
  public void note(Txn transaction) {
    if (transaction.lostChunk) {
      lost = true;
    }
    if (transaction.outcome == Outcome.ABORTED) {
      return;
    }
    Operations ops = transaction.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.undone(i)) {
        continue;
      }
      if (ops.kind(i) == OperationKind.DELETE) {
        noteDelete(ops.key(i));
      } else if (ops.kind(i) == OperationKind.OPAQUE) {
        noteOpaque(ops.statement(i).table());
      }
    }
  }

  /** Records were lost, and anything may have been in them. */
  public void noteLoss() {
    lost = true;
  }

  /** Whether records were lost. */
  public boolean lost() {
    return lost;
  }

  /** Whether an opaque write may have touched a key of {@code table}. */
  public boolean opaque(@Nullable String table) {
    return anyTableOpaque
        || (table == null ? !opaqueTables.isEmpty() : opaqueTables.contains(table));
  }

  /** Whether a delete may explain the absence of {@code key}. */
  public boolean deleted(long key) {
    return anyKeyDeleted || deletedKeys.contains(key);
  }

  /** A committed transaction leaves the window. Called before it is stripped. */
  public void noteTruncated(Txn transaction) {
    for (long key : transaction.writeKeys) {
      if (truncatedKeys.size() < MAX_REMEMBERED) {
        truncatedKeys.add(key);
      } else {
        anyKeyTruncated = true;
      }
    }
  }

  /** Whether a transaction that has left the window may have written {@code key}. */
  public boolean truncatedWriter(long key) {
    return anyKeyTruncated || truncatedKeys.contains(key);
  }

  private void noteDelete(long key) {
    if (deletedKeys.size() < MAX_REMEMBERED) {
      deletedKeys.add(key);
    } else {
      anyKeyDeleted = true;
    }
  }

  private void noteOpaque(@Nullable String table) {
    if (table == null || opaqueTables.size() >= MAX_REMEMBERED) {
      anyTableOpaque = true;
    } else {
      opaqueTables.add(table);
    }
  }
}

package io.isotail.incremental.estimate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/**
 * How well an order of transactions fits what they read: in an order of commits most reads return
 * what was written last before. Bound: some words for each key.
 */
public final class Fit {
  /** Reads before anything is said of the order. */
  private static final int FEWEST_READS = 1_024;

  /** An order in which more than one of so many reads returns something else is a poor one. */
  private static final int POOR = 4;

  private final Long2LongOpenHashMap last = new Long2LongOpenHashMap();

  /** Keys that were written. */
  private final LongOpenHashSet written = new LongOpenHashSet();

  private long reads;
  private long misfits;

  /** Takes the next transaction. */
  public void add(TransactionRecord transaction) {
    if (transaction.outcome() == Outcome.ABORTED) {
      return;
    }
    Operations ops = transaction.operations();
    for (int op = 0; op < ops.size(); op++) {
      if (ops.installs(op)) {
        last.put(ops.key(op), ops.version(op));
        written.add(ops.key(op));
      } else if (ops.readsKnown(op)) {
        reads++;
        misfits +=
            written.contains(ops.key(op)) && last.get(ops.key(op)) == ops.version(op) ? 0 : 1;
      } else if (ops.readsInitial(op)) {
        reads++;
        misfits += written.contains(ops.key(op)) ? 1 : 0;
      }
    }
  }

  /** Reads that returned something else than what was written last before. */
  public long misfits() {
    return misfits;
  }

  /** Whether another order may fit much better. */
  public boolean isPoor() {
    return reads >= FEWEST_READS && misfits > reads / POOR;
  }
}

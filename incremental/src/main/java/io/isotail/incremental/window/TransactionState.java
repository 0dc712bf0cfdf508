package io.isotail.incremental.window;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.snapshot.StateReader;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has become since it arrived, as it was at one moment; what it waits for apart.
 * Its arrays are shared with it, since others take their places when something changes. Of its
 * places among the writers of keys the writers tell.
 */
final class TransactionState implements IdentityWriter.Noted {
  private static final Transaction.State[] STATES = Transaction.State.values();
  private static final int STATE = 0x03;
  private static final int COMMITTED = 0x04;
  private static final int READS = 0x08;
  private static final int PARTICULARS = 0x10;
  private static final int REPLACED = 0x20;

  final Transaction transaction;

  /** Whether it stands at its place, and does not wait; no more is told of another one. */
  final boolean whole;

  private final int flags;
  private final long deliveredAt;
  private final Operations operations;
  private final @Nullable Transaction soPrev;
  private final int[] readOperations;
  private final @Nullable Transaction[] readWriters;
  private final int[] listedVersions;
  private final int[] unclearLists;
  private final long[] staleKeys;
  private final @Nullable Transaction @Nullable [] replaced;

  /** What {@code t} is like for its place in the window, or -1. */
  TransactionState(Transaction t, long place) {
    transaction = t;
    whole = t.deliveredAt == place && t.state != Transaction.State.PENDING;
    boolean particulars = t.listedVersions.length + t.unclearLists.length + t.staleKeys.length > 0;
    flags =
        t.state.ordinal()
            | (t.committed ? COMMITTED : 0)
            | (t.readOperations.length > 0 ? READS : 0)
            | (particulars ? PARTICULARS : 0)
            | (t.replaced != null ? REPLACED : 0);
    deliveredAt = t.deliveredAt;
    operations = t.operations;
    soPrev = t.soPrev;
    readOperations = t.readOperations;
    readWriters = t.readWriters;
    listedVersions = t.listedVersions;
    unclearLists = t.unclearLists;
    staleKeys = t.staleKeys;
    replaced = t.replaced;
  }

  @Override
  public void write(IdentityWriter to) {
    to.out.octet(flags);
    to.out.number(deliveredAt - to.last.deliveredAt);
    to.last.deliveredAt = deliveredAt;
    to.operations(operations);
    to.transaction(soPrev);
    if ((flags & READS) != 0) {
      to.out.numbers(readOperations);
      for (Transaction writer : readWriters) {
        to.transaction(writer);
      }
    }
    if ((flags & PARTICULARS) != 0) {
      to.out.numbers(listedVersions);
      to.out.numbers(unclearLists);
      to.out.numbers(staleKeys);
    }
    if (replaced != null) {
      for (Transaction writer : replaced) {
        to.transaction(writer);
      }
    }
  }

  /** Takes back what {@link #write} wrote. */
  static void load(
      Transaction t, GraphReader graph, RecordReader records, IdentityWriter.Neighbours last) {
    StateReader from = graph.in;
    int flags = from.octet();
    t.state = STATES[flags & STATE];
    t.committed = (flags & COMMITTED) != 0;
    last.deliveredAt += from.number();
    t.deliveredAt = last.deliveredAt;
    t.arrived(records.operations());
    t.soPrev = graph.transactionOrNull();
    if (t.soPrev != null) {
      graph.requireOfStream(t.soPrev);
      t.soPrev.soNext = t;
    }
    if ((flags & READS) != 0) {
      t.readOperations = from.smallNumbers();
      t.readWriters = new Transaction[t.readOperations.length];
      for (int i = 0; i < t.readWriters.length; i++) {
        t.readWriters[i] = graph.transactionOrNull();
      }
    }
    if ((flags & PARTICULARS) != 0) {
      t.listedVersions = sharedIfNone(from.smallNumbers());
      t.unclearLists = sharedIfNone(from.smallNumbers());
      long[] stale = from.numbers();
      t.staleKeys = stale.length == 0 ? Transaction.NO_KEYS : stale;
    }
    if ((flags & REPLACED) != 0) {
      t.replaced = new Transaction[t.writeCount()];
      for (int i = 0; i < t.replaced.length; i++) {
        t.replaced[i] = graph.transactionOrNull();
      }
    }
  }

  private static int[] sharedIfNone(int[] numbers) {
    return numbers.length == 0 ? Transaction.NO_OPERATIONS : numbers;
  }
}

package io.isotail.incremental.window;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.RecordReader;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * Saves what a transaction has become since it arrived, and takes it back. Its arrays are put off:
 * others take their places when something changes. Of its places among the writers of keys the
 * writers tell.
 */
final class TransactionState {
  private static final Transaction.State[] STATES = Transaction.State.values();
  private static final int STATE = 0x03;
  private static final int COMMITTED = 0x04;
  private static final int WAITING = 0x08;
  private static final int READS = 0x10;
  private static final int PARTICULARS = 0x20;
  private static final int KNOWN = 0x40;

  private TransactionState() {}

  /** Numbers of the transaction before, which those of the next are close to. */
  static final class Neighbours {
    long deliveredAt;
    long waitingSinceMs;
  }

  /** Saves what may have changed since it arrived. */
  static void save(Transaction t, GraphWriter graph, boolean first) {
    StateWriter out = graph.out;
    if (!first) {
      out.octet(KNOWN);
      return;
    }
    boolean reads = t.readOperations.length > 0;
    boolean particulars = t.listedVersions.length + t.unclearLists.length + t.staleKeys.length > 0;
    out.octet(
        t.state.ordinal()
            | (t.committed ? COMMITTED : 0)
            | (t.waiting != null ? WAITING : 0)
            | (reads ? READS : 0)
            | (particulars ? PARTICULARS : 0));
    out.number(t.deliveredAt - graph.last.deliveredAt);
    graph.last.deliveredAt = t.deliveredAt;
    out.later(t.operations);
    graph.contents(t.session);
    graph.transaction(t.soPrev);
    if (t.waiting != null) {
      t.waiting.save(graph, graph.last);
    }
    if (reads) {
      out.later(t.readOperations);
      out.later(t.readWriters);
    }
    if (particulars) {
      out.numbers(t.listedVersions);
      out.numbers(t.unclearLists);
      out.numbers(t.staleKeys);
    }
  }

  /** Takes back what {@link #save} saved. */
  static void load(Transaction t, GraphReader graph, RecordReader records, Neighbours last) {
    StateReader from = graph.in;
    int flags = from.octet();
    if (flags == KNOWN) {
      return;
    }
    t.state = STATES[flags & STATE];
    t.committed = (flags & COMMITTED) != 0;
    last.deliveredAt += from.number();
    t.deliveredAt = last.deliveredAt;
    Operations operations = records.operations();
    t.arrived(operations);
    graph.contents(t.session);
    t.soPrev = graph.transactionOrNull();
    if (t.soPrev != null) {
      t.soPrev.soNext = t;
    }
    if ((flags & WAITING) != 0) {
      t.waiting = Wait.load(graph, last);
    }
    if ((flags & READS) != 0) {
      t.readOperations = sharedIfNone(from.smallNumbers());
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
  }

  private static int[] sharedIfNone(int[] numbers) {
    return numbers.length == 0 ? Transaction.NO_OPERATIONS : numbers;
  }
}

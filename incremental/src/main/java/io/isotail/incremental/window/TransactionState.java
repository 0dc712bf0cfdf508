package io.isotail.incremental.window;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/** Saves what a transaction has become since it arrived, and takes it back. */
final class TransactionState {
  private static final Transaction.State[] STATES = Transaction.State.values();
  private static final int STATE = 0x03;
  private static final int COMMITTED = 0x04;
  private static final int WAITING = 0x08;

  private TransactionState() {}

  /** Saves what may have changed since it arrived; of a truncated one little is left. */
  static void save(Transaction t, GraphWriter graph, GraphWriter.Neighbours last) {
    StateWriter out = graph.out;
    out.octet(
        t.state.ordinal() | (t.committed ? COMMITTED : 0) | (t.waiting != null ? WAITING : 0));
    out.number(t.deliveredAt - last.deliveredAt);
    last.deliveredAt = t.deliveredAt;
    if (t.state == Transaction.State.TRUNCATED) {
      return;
    }
    graph.transaction(t.soPrev);
    graph.transaction(t.soNext);
    if (t.waiting != null) {
      t.waiting.save(graph, last);
    }
    for (int i = t.writeCount(); i < t.writes.length; i++) {
      out.number(t.writes[i]);
    }
    out.numbers(t.readOperations);
    for (Transaction writer : t.readWriters) {
      graph.transaction(writer);
    }
    out.numbers(t.listedVersions);
    out.numbers(t.unclearLists);
    out.numbers(t.staleKeys);
  }

  /** Takes back what {@link #save} saved. */
  static void load(Transaction t, GraphReader graph, GraphWriter.Neighbours last) {
    StateReader from = graph.in;
    int flags = from.octet();
    t.state = STATES[flags & STATE];
    t.committed = (flags & COMMITTED) != 0;
    last.deliveredAt += from.number();
    t.deliveredAt = last.deliveredAt;
    if (t.state == Transaction.State.TRUNCATED) {
      return;
    }
    t.soPrev = graph.transactionOrNull();
    t.soNext = graph.transactionOrNull();
    if ((flags & WAITING) != 0) {
      t.waiting = Wait.load(graph, last);
    }
    for (int i = t.writeCount(); i < t.writes.length; i++) {
      t.writes[i] = from.smallNumber();
    }
    t.readOperations = sharedIfNone(from.smallNumbers());
    t.readWriters =
        t.readOperations.length == 0
            ? Transaction.NO_WRITERS
            : new Transaction[t.readOperations.length];
    for (int i = 0; i < t.readWriters.length; i++) {
      t.readWriters[i] = graph.transactionOrNull();
    }
    t.listedVersions = sharedIfNone(from.smallNumbers());
    t.unclearLists = sharedIfNone(from.smallNumbers());
    long[] stale = from.numbers();
    t.staleKeys = stale.length == 0 ? Transaction.NO_KEYS : stale;
  }

  private static int[] sharedIfNone(int[] numbers) {
    return numbers.length == 0 ? Transaction.NO_OPERATIONS : numbers;
  }
}

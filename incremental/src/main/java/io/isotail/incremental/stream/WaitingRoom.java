package io.isotail.incremental.stream;

import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Transaction.State;
import io.isotail.incremental.window.Wait;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The committed transactions that are not delivered yet, in log order: those that are ready, those
 * that wait for the horizon, and all of them by age.
 *
 * <p>Entries that no longer count are swept out once they outnumber the others.
 */
final class WaitingRoom {
  private static final Comparator<Transaction> BY_ARRIVAL =
      Comparator.comparingLong(t -> t.arrival);

  private final PriorityQueue<Transaction> ready = new PriorityQueue<>(BY_ARRIVAL);
  private final PriorityQueue<Transaction> awaitingHorizon = new PriorityQueue<>(BY_ARRIVAL);
  private final PriorityQueue<Transaction> byAge = new PriorityQueue<>(BY_ARRIVAL);
  private int size;

  /** A transaction starts to wait. */
  void enter(Transaction transaction) {
    transaction.changed();
    transaction.state = State.PENDING;
    size++;
  }

  /** It is not ready at once. */
  void noteWaiting(Transaction transaction) {
    byAge.add(transaction);
  }

  /** It is delivered. */
  void delivered(Transaction transaction) {
    transaction.state = State.DELIVERED;
    size--;
    sweep(byAge);
    sweep(awaitingHorizon);
  }

  /** Tells each transaction that is not delivered, some of them twice. */
  void forEach(Consumer<Transaction> each) {
    for (PriorityQueue<Transaction> some : List.of(ready, byAge)) {
      for (Transaction t : some) {
        if (t.state == State.PENDING) {
          each.accept(t);
        }
      }
    }
  }

  /** Transactions that are not delivered. */
  int size() {
    return size;
  }

  /** It waits for nothing any more. */
  void makeReady(Transaction transaction) {
    ready.add(transaction);
  }

  /** Whether none is ready. */
  boolean noneReady() {
    return ready.isEmpty();
  }

  /** Takes the ready transaction that comes first in the log, or null. */
  @Nullable Transaction takeReady() {
    while (true) {
      Transaction transaction = ready.poll();
      if (transaction == null
          || (transaction.state == State.PENDING
              && transaction.waiting != null
              && transaction.waiting.blockers == 0)) {
        return transaction;
      }
    }
  }

  /** It waits for the horizon to pass it. */
  void awaitHorizon(Transaction transaction) {
    awaitingHorizon.add(transaction);
  }

  /** Takes the next transaction that waits for the horizon and stands before it, or null. */
  @Nullable Transaction takePassed(long horizon) {
    Transaction oldest = oldestAwaiting();
    if (oldest == null || oldest.arrival >= horizon) {
      return null;
    }
    return awaitingHorizon.poll();
  }

  /**
   * Takes the oldest transaction that waits for the horizon and has done so since then, or null.
   */
  @Nullable Transaction takeAwaitingSince(long sinceMs) {
    Transaction oldest = oldestAwaiting();
    return oldest == null || oldest.waiting == null || oldest.waiting.sinceMs >= sinceMs
        ? null
        : awaitingHorizon.poll();
  }

  /** The oldest transaction, or null. */
  @Nullable Transaction oldest() {
    while (!byAge.isEmpty() && byAge.peek().state != State.PENDING) {
      byAge.poll();
    }
    return byAge.peek();
  }

  private @Nullable Transaction oldestAwaiting() {
    while (!awaitingHorizon.isEmpty() && !awaits(awaitingHorizon.peek())) {
      awaitingHorizon.poll();
    }
    return awaitingHorizon.peek();
  }

  private static boolean awaits(Transaction transaction) {
    Wait wait = transaction.waiting;
    return wait != null
        && transaction.state == State.PENDING
        && (wait.awaitsHorizon || (wait.missing != null && !wait.missing.isEmpty()));
  }

  private void sweep(PriorityQueue<Transaction> queue) {
    if (queue.size() > 64 + 2 * size) {
      queue.removeIf(transaction -> transaction.state != State.PENDING);
    }
  }

  void save(GraphWriter out) {
    out.waiting(ready);
    out.waiting(awaitingHorizon);
    out.waiting(byAge);
    out.out.count(size);
  }

  /** Takes back what {@link #save} saved. Added in the order of a heap, each keeps its place. */
  void load(GraphReader in) {
    ready.addAll(in.waiting());
    awaitingHorizon.addAll(in.waiting());
    byAge.addAll(in.waiting());
    size = in.in.count();
  }
}

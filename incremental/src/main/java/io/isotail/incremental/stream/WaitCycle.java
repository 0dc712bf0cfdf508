package io.isotail.incremental.stream;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Transaction.State;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds a cycle among the transactions that wait for each other. */
final class WaitCycle {
  private final CandidateWriters writers;

  WaitCycle(CandidateWriters writers) {
    this.writers = writers;
  }

  /**
   * A shortest cycle through the first transaction found to lie on one, searching from {@code
   * start} towards what it waits for.
   *
   * @return the cycle in the order so ∪ wr, or null if none is reachable
   */
  @Nullable List<Transaction> findFrom(Transaction start) {
    Transaction onCycle = anyOnCycle(start);
    return onCycle == null ? null : shortestThrough(onCycle);
  }

  /** Depth-first search; the first transaction met again on the path lies on a cycle. */
  private @Nullable Transaction anyOnCycle(Transaction start) {
    Map<Transaction, Boolean> onPath = new Reference2ObjectOpenHashMap<>();
    ArrayDeque<Transaction> path = new ArrayDeque<>();
    ArrayDeque<ArrayDeque<Transaction>> next = new ArrayDeque<>();
    path.push(start);
    next.push(new ArrayDeque<>(predecessors(start)));
    onPath.put(start, true);
    while (!path.isEmpty()) {
      Transaction successor = next.getFirst().poll();
      if (successor == null) {
        onPath.put(path.pop(), false);
        next.pop();
      } else {
        Boolean state = onPath.get(successor);
        if (Boolean.TRUE.equals(state)) {
          return successor;
        }
        if (state == null) {
          onPath.put(successor, true);
          path.push(successor);
          next.push(new ArrayDeque<>(predecessors(successor)));
        }
      }
    }
    return null;
  }

  private List<Transaction> shortestThrough(Transaction start) {
    Map<Transaction, Transaction> waitsFor = new Reference2ObjectOpenHashMap<>();
    ArrayDeque<Transaction> queue = new ArrayDeque<>();
    queue.add(start);
    while (!queue.isEmpty()) {
      Transaction transaction = queue.remove();
      for (Transaction predecessor : predecessors(transaction)) {
        if (predecessor == start) {
          return path(start, transaction, waitsFor);
        }
        if (waitsFor.putIfAbsent(predecessor, transaction) == null) {
          queue.add(predecessor);
        }
      }
    }
    throw new IllegalStateException("no cycle through " + start);
  }

  /** The writers that {@code reader} still waits for, session predecessor first. */
  private List<Transaction> predecessors(Transaction reader) {
    List<Transaction> found = new ArrayList<>();
    if (reader.soPrev != null && reader.soPrev.state == State.PENDING) {
      found.add(reader.soPrev);
    }
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size(); i++) {
      Transaction writer = ops.shows(i) ? writers.sole(ops, i) : null;
      if (writer != null
          && writer != reader
          && writer.state == State.PENDING
          && !CandidateWriters.excluded(reader, writer)
          && !found.contains(writer)) {
        found.add(writer);
      }
    }
    return found;
  }

  /**
   * From {@code start} forward: each transaction comes before the next, the last before the first.
   */
  private static List<Transaction> path(
      Transaction start, Transaction last, Map<Transaction, Transaction> waitsFor) {
    List<Transaction> cycle = new ArrayList<>();
    for (Transaction transaction = last;
        transaction != null && transaction != start;
        transaction = waitsFor.get(transaction)) {
      cycle.add(transaction);
    }
    // start waits for ... waits for last waits for start: in so ∪ wr, start comes before last.
    cycle.add(start);
    Collections.rotate(cycle, 1);
    return cycle;
  }
}

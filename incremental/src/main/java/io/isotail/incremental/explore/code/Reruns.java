package io.isotail.incremental.explore.code;

import io.isotail.incremental.explore.Execution.State;
import io.isotail.incremental.explore.Program;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The transactions of a program that have come to their end, to run them again between others. So a
 * transaction that depends on what another one left in a Java variable does something else, and
 * that is an error. Any thread may call; one runs at a time.
 *
 * <p>All of them are run again whenever one ends, while there are few, and then each time that
 * there are half as many more, which are at most three runs for each. They run in an order that
 * looks like chance, as in the order of the exploration each would find again what it found at
 * first.
 *
 * <p>Before all else one history is run, in which the last session comes first. So a session that
 * takes something from one before it has been run without that.
 *
 * <p>Bound: {@link #MAX_TRANSACTIONS} are held, and beyond that a sample of all.
 */
final class Reruns {
  /** Most transactions that are held. */
  static final int MAX_TRANSACTIONS = 10_000;

  /** Up to so many, all are run again whenever one ends. */
  private static final int FEW = 32;

  private final Map<String, Object> initial;
  private final Deque<CodeExecution.Code> firstHistory = new ArrayDeque<>();
  private final List<CodeExecution> held = new ArrayList<>();
  private int ended;
  private long drawn = 1;
  private int nextAt = FEW;

  Reruns(Map<String, Object> initial) {
    this.initial = Map.copyOf(initial);
  }

  /** Declares a session, which the first history runs before those that are declared. */
  synchronized CodeExecution.Code before(CodeExecution.Code session) {
    firstHistory.addFirst(session);
    return session;
  }

  /** Declares final reads, which the first history runs after those that are declared. */
  synchronized CodeExecution.Code after(CodeExecution.Code session) {
    firstHistory.addLast(session);
    return session;
  }

  /** Runs the first history, unless it has been run. */
  synchronized void first() {
    Map<String, Object> state = new HashMap<>(initial);
    while (!firstHistory.isEmpty()) {
      CodeExecution.Code session = firstHistory.removeFirst();
      CodeExecution at = null;
      for (int i = 0; i < session.transactions().size(); i++) {
        at = at == null ? CodeExecution.begin(session) : at.next();
        while (at.state() == State.READS) {
          at = at.resume(state.getOrDefault(at.variable(), Program.ABSENT));
        }
        state.putAll(at.writes());
      }
    }
  }

  /** A transaction has ended for the first time with what it read. */
  synchronized void ended(CodeExecution execution) {
    ended++;
    if (held.size() < MAX_TRANSACTIONS) {
      held.add(execution);
    } else {
      int at = below(ended);
      if (at < MAX_TRANSACTIONS) {
        held.set(at, execution);
      }
    }
    if (ended <= FEW || ended >= nextAt) {
      nextAt = ended + ended / 2;
      shuffle();
      held.forEach(CodeExecution::again);
    }
  }

  private void shuffle() {
    for (int i = held.size(); i > 1; i--) {
      Collections.swap(held, i - 1, below(i));
    }
  }

  /** The next of a fixed row of numbers that look like chance, so that each run does the same. */
  private int below(int bound) {
    drawn = drawn * 6364136223846793005L + 1442695040888963407L;
    return (int) ((drawn >>> 33) % bound);
  }
}

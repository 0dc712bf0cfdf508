package io.isotail.incremental.polygraph;

import io.isotail.incremental.config.CheckerConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The real-time order of a graph's transactions, as far as clocks are believed: between two times
 * of one clock, and between those of any two that are farther apart than the uncertainty.
 *
 * <p>A transaction of unknown outcome ends never.
 */
final class RealTime {
  private final EventGraph graph;
  private final long uncertaintyNs;
  final Map<String, TimeChain> clocks = new LinkedHashMap<>();

  /** Of all clocks; null until there are two, and if times of two clocks are never compared. */
  @Nullable TimeChain across;

  RealTime(EventGraph graph, GraphLimits limits) {
    this.graph = graph;
    this.uncertaintyNs = limits.uncertaintyNs();
  }

  /** Wants all that follows from the times of a transaction, of which nothing else is wanted. */
  void add(TransactionNode newest) {
    String clock = newest.transaction.times.clock();
    if (!newest.transaction.times.orderable() || clock == null) {
      return;
    }
    TimeChain chain = clocks.get(clock);
    if (chain == null) {
      chain = newClock(clock);
      compareClocks(newest);
    }
    chain.add(newest);
    if (across != null) {
      across.add(newest);
    }
  }

  /** Whether one is believed to have ended before the other began. */
  boolean ordered(TransactionNode first, TransactionNode later) {
    return first.transaction.times.endedBefore(later.transaction.times, uncertaintyNs);
  }

  private void compareClocks(TransactionNode newest) {
    if (across == null && clocks.size() > 1 && uncertaintyNs != CheckerConfig.NEVER_COMPARED) {
      TimeChain all = newAcross();
      for (TransactionNode node : graph.inWindow) {
        if (node != newest && node.transaction.times.orderable()) {
          all.add(node);
        }
      }
      // Follows from their order by one clock, so that it closes no cycle.
      graph.enterAll();
    }
  }

  /** The empty chain of a clock. */
  TimeChain newClock(String clock) {
    TimeChain chain = new TimeChain(graph, false, 0);
    clocks.put(clock, chain);
    return chain;
  }

  /** The empty chain of all clocks. */
  TimeChain newAcross() {
    TimeChain all = new TimeChain(graph, true, uncertaintyNs);
    across = all;
    return all;
  }

  /** Takes out a transaction. */
  void remove(TransactionNode node) {
    if (across != null) {
      across.remove(node);
    }
    String clock = node.transaction.times.clock();
    TimeChain chain = clock == null ? null : clocks.get(clock);
    if (chain == null) {
      return;
    }
    chain.remove(node);
    if (chain.isEmpty()) {
      clocks.remove(clock);
    }
  }
}

package io.isotail.incremental.check;

import io.isotail.incremental.stream.Delivery;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.witness.AnomalyReporter;
import java.util.List;

/** Breaks up circles of transactions that wait for each other, which none of them ever leaves. */
public final class CausalityCycles {
  private final Delivery delivery;
  private final AnomalyReporter reporter;

  /** Breaks up what {@code delivery} finds stuck. */
  public CausalityCycles(Delivery delivery, AnomalyReporter reporter) {
    this.delivery = delivery;
    this.reporter = reporter;
  }

  /**
   * Leaves out the read on the cycle whose reader arrived last; in silence where it may be no
   * cycle.
   */
  public void breakUp(List<Transaction> cycle) {
    Transaction reader = null;
    Transaction writer = null;
    for (int i = 0; i < cycle.size(); i++) {
      Transaction from = cycle.get(i);
      Transaction to = cycle.get((i + 1) % cycle.size());
      if (to.soPrev != from && delivery.doubtful(to, from)) {
        delivery.exclude(to, from);
        return;
      }
      if (to.soPrev != from && (reader == null || to.arrival > reader.arrival)) {
        reader = to;
        writer = from;
      }
    }
    if (reader == null || writer == null) {
      throw new IllegalStateException("a cycle of session order alone: " + cycle);
    }
    reporter.causalityCycle(cycle, writer, reader);
    delivery.exclude(reader, writer);
  }
}

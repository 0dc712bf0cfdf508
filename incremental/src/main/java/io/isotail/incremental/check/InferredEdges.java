package io.isotail.incremental.check;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.saturation.CommitEdge;
import io.isotail.incremental.saturation.CommitRelation;
import io.isotail.incremental.saturation.DeliveryOrder;
import io.isotail.incremental.saturation.EdgeSink;
import io.isotail.incremental.saturation.VectorClocks;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Window;
import io.isotail.incremental.witness.AnomalyReporter;
import it.unimi.dsi.fastutil.longs.LongCollection;
import it.unimi.dsi.fastutil.longs.LongLinkedOpenHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Takes the inferred edges, drops those that happens-before implies, and has those reported that
 * close a cycle.
 */
final class InferredEdges implements EdgeSink {
  private static final long NOTHING = -1;

  private final Window window;
  private final Counters counters;
  private final CommitRelation relation;
  private final DeliveryOrder deliveryOrder;
  private final AnomalyReporter reporter;

  /** Place of the transaction that edges are inferred for. */
  private long now;

  /** The transaction that is being delivered, and the keys of its reads that violate a level. */
  private @Nullable Transaction subject;

  private boolean anyViolation;

  /**
   * While the relation is begun earlier, the place where it began before: edges from what was
   * delivered from there on are known, others agree with its order. Negative otherwise.
   */
  private long known = NOTHING;

  private final LongLinkedOpenHashSet staleKeys = new LongLinkedOpenHashSet();

  InferredEdges(
      Window window,
      Counters counters,
      CommitRelation relation,
      DeliveryOrder deliveryOrder,
      AnomalyReporter reporter) {
    this.window = window;
    this.counters = counters;
    this.relation = relation;
    this.deliveryOrder = deliveryOrder;
    this.reporter = reporter;
  }

  /** A transaction is delivered. */
  void begin(Transaction delivered) {
    subject = delivered;
    staleKeys.clear();
  }

  /** Something becomes known of a transaction that was delivered before; that one is the latest. */
  void beginLate(long latestPlace) {
    now = latestPlace;
    staleKeys.clear();
  }

  /** Whether what is inferred since the last begin violates a level. */
  boolean anyViolation() {
    return anyViolation;
  }

  /** The transaction that was delivered is in its place. */
  void end() {
    subject = null;
    anyViolation = false;
  }

  /** Until {@link #begun} edges are inferred since the relation begins earlier than before. */
  void beginEarlier(long before) {
    known = before;
  }

  /** All that the relation holds has its edges. */
  void begun() {
    known = NOTHING;
  }

  /** From now on edges are inferred for this transaction of the window. */
  void inferFor(Transaction t) {
    now = t.deliveredAt;
  }

  /** Place of the transaction that edges are inferred for. */
  long place() {
    return now;
  }

  /** Keys of the reads of the transaction that was delivered last that violate a level. */
  LongCollection staleKeys() {
    return staleKeys;
  }

  @Override
  public void infer(
      Transaction earlier, Transaction writer, long key, Transaction reader, IsolationLevel level) {
    if (relation.settles(earlier)) {
      return;
    }
    if (known != NOTHING) {
      addSettled(earlier, writer, key, reader, level);
      return;
    }
    if (writer == Transaction.INITIAL) {
      deliveryOrder.disturbed(now, window.oldestPlace());
      violates(key, reader);
      reporter.staleInitial(earlier, key, reader, level);
      return;
    }
    if (VectorClocks.knownToSee(writer, earlier)) {
      return;
    }
    if (earlier.deliveredAt > writer.deliveredAt) {
      deliveryOrder.disturbed(now, window.oldestPlace());
    }
    CommitRelation.Added added = relation.addInferred(earlier, writer, key, reader, level);
    CommitEdge edge = relation.latest();
    switch (added) {
      case ORDERED -> counters.edgesInferred++;
      case VIOLATES -> {
        counters.edgesInferred++;
        violates(key, reader);
        reporter.cycle(edge, relation.violated(), reader);
      }
      case KNOWN -> {
        if (edge.isLeftOut()) {
          violates(key, reader);
        }
        if (edge.observedAgainBy(reader)) {
          reporter.repeated(edge);
        }
      }
    }
  }

  /** Adds an edge from a transaction that was settled until now. It closes no cycle. */
  private void addSettled(
      Transaction earlier, Transaction writer, long key, Transaction reader, IsolationLevel level) {
    if (earlier.deliveredAt >= known
        || writer == Transaction.INITIAL
        || VectorClocks.knownToSee(writer, earlier)) {
      return;
    }
    CommitRelation.Added added = relation.addInferred(earlier, writer, key, reader, level);
    counters.edgesInferred += added == CommitRelation.Added.KNOWN ? 0 : 1;
    if (added == CommitRelation.Added.VIOLATES) {
      // What left an order of commits known did not look at lists.
      violates(key, reader);
      reporter.cycle(relation.latest(), relation.violated(), reader);
    }
  }

  private void violates(long key, Transaction reader) {
    anyViolation = true;
    if (reader == subject) {
      staleKeys.add(key);
    }
  }

  @Override
  public boolean agrees(
      Transaction earlier,
      Transaction writer,
      long key,
      Transaction reader,
      IsolationLevel level,
      boolean fresh) {
    if (relation.settles(earlier)) {
      return true;
    }
    if (known != NOTHING) {
      addSettled(earlier, writer, key, reader, level);
      return true;
    }
    if (!fresh && VectorClocks.knownToSee(writer, earlier)) {
      return true;
    }
    if (earlier.deliveredAt > writer.deliveredAt) {
      deliveryOrder.disturbed(now, window.oldestPlace());
    }
    if (!relation.addIfOrdered(earlier, writer, key, reader, level, fresh)) {
      return false;
    }
    counters.edgesInferred++;
    return true;
  }
}

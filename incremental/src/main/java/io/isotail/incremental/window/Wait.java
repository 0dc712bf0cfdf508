package io.isotail.incremental.window;

import io.isotail.incremental.anomaly.UndecidedReason;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What delivery has to remember of a committed transaction until it is delivered. */
public final class Wait {
  /** What it still waits for. */
  public int blockers;

  /** Stream time when it began to wait, in ms. */
  public long sinceMs;

  /** Whether one of the blockers is the horizon. */
  public boolean awaitsHorizon;

  /**
   * The place in the stream that had been reached when the horizon passed it: who arrived later
   * wrote later. The greatest one while that is not known.
   */
  public long arrivedAtHorizon = Long.MAX_VALUE;

  /** Whether it was in the log before a loss was known that may explain its reads. */
  public boolean readBeforeLoss;

  /** Whether a cycle was not told because a read of this transaction seems to be bad in itself. */
  public boolean looksBad;

  /** Why it goes on without waiting for all that it read, or null. */
  public @Nullable UndecidedReason gaveUp;

  /** Versions it read whose writer has not arrived. */
  public @Nullable List<Version> missing;

  /** Transactions that wait for this one. */
  public @Nullable List<Transaction> dependents;

  /** Writers whose reads were left out because they close a causality cycle. */
  public @Nullable List<Transaction> excludedWriters;

  /** Remembers that {@code reader} waits for this transaction. */
  public void addDependent(Transaction reader) {
    if (dependents == null) {
      dependents = new ArrayList<>(2);
    }
    dependents.add(reader);
  }

  /** Whether reads from {@code writer} are left out. */
  public boolean excludes(Transaction writer) {
    return excludedWriters != null && excludedWriters.contains(writer);
  }

  void save(GraphWriter graph) {
    graph.out.number(blockers);
    graph.out.number(sinceMs - graph.waitingSinceMs);
    graph.waitingSinceMs = sinceMs;
    graph.out.flag(awaitsHorizon);
    graph.out.flag(arrivedAtHorizon != Long.MAX_VALUE);
    if (arrivedAtHorizon != Long.MAX_VALUE) {
      graph.out.number(arrivedAtHorizon);
    }
    graph.out.flag(readBeforeLoss);
    graph.out.flag(looksBad);
    graph.out.constant(gaveUp);
    graph.versions(missing);
    graph.transactions(dependents);
    graph.transactions(excludedWriters);
  }

  static Wait load(GraphReader graph) {
    Wait wait = new Wait();
    wait.blockers = graph.in.smallNumber();
    graph.waitingSinceMs += graph.in.number();
    wait.sinceMs = graph.waitingSinceMs;
    wait.awaitsHorizon = graph.in.flag();
    wait.arrivedAtHorizon = graph.in.flag() ? graph.in.number() : Long.MAX_VALUE;
    wait.readBeforeLoss = graph.in.flag();
    wait.looksBad = graph.in.flag();
    wait.gaveUp = graph.in.constantOrNull(UndecidedReason.class);
    wait.missing = graph.versionsOrNull();
    wait.dependents = graph.transactionsOrNull();
    wait.excludedWriters = graph.transactionsOrNull();
    return wait;
  }
}

package io.isotail.ingest.benchmark;

import io.isotail.incremental.Checker;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.StreamRecord;
import it.unimi.dsi.fastutil.longs.LongArrayList;

/**
 * A checker that is fed one input of {@link CliffInputs}, and how long the measured steps took. A
 * step is a record, or a few that belong together.
 *
 * <p>Bound: measuring stops after {@link #MOST_NS}; what was measured until then is too little of
 * an input that grows, so that its figures are lower bounds.
 */
final class CliffMeter {
  /** Steps of one round are measured no longer than this. */
  static final long MOST_NS = 4_000_000_000L;

  private final Checker checker;
  private final LongArrayList stepNs = new LongArrayList();
  private long offset;
  private long totalNs;

  CliffMeter(CheckerConfig config) {
    checker = new Checker(config, new Unheard());
  }

  /** Feeds a record that is not measured. */
  void feed(StreamRecord record) {
    checker.accept(offset++, 0, record);
  }

  /**
   * Feeds the records of one step and measures that.
   *
   * @return false if no more is to be measured
   */
  boolean step(StreamRecord... records) {
    long start = System.nanoTime();
    for (StreamRecord record : records) {
      checker.accept(offset++, 0, record);
    }
    long ns = System.nanoTime() - start;
    stepNs.add(ns);
    totalNs += ns;
    return !stopped();
  }

  /** Whether it was stopped before the end of the input. */
  boolean stopped() {
    return totalNs > MOST_NS;
  }

  /** How many steps were measured. */
  int steps() {
    return stepNs.size();
  }

  /** The median of the steps. */
  long medianNs() {
    LongArrayList sorted = new LongArrayList(stepNs);
    sorted.sort(null);
    return sorted.getLong(sorted.size() / 2);
  }

  /** The mean of the steps. */
  long meanNs() {
    return totalNs / stepNs.size();
  }

  /** The longest step. */
  long longestNs() {
    return stepNs.longStream().max().orElse(0);
  }

  /** The checker has delivered what it was fed. */
  void requireDelivered() {
    if (checker.report().pendingTransactions() > 0) {
      throw new IllegalStateException("transactions undelivered: " + checker.report());
    }
  }

  /** How many anomalies were found, each time that they were. */
  long occurrences() {
    return checker.report().occurrences();
  }

  /** Anomalies are counted by the checker. */
  private static final class Unheard implements AnomalyListener {
    @Override
    public void found(Anomaly anomaly) {}

    @Override
    public void repeated(String id, long count) {}
  }
}

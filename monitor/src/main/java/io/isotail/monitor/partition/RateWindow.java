package io.isotail.monitor.partition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Turns two growing counters into rates, from one sample a second over the last minute. */
final class RateWindow {
  static final int KEPT_SAMPLES = 61;
  private static final int RATE_SAMPLES = 10;
  private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

  private record Sample(long atNs, long transactions, long operations) {}

  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  /** Takes a sample when a second has passed since the last. */
  void sample(long nowNs, long transactions, long operations) {
    if (!samples.isEmpty() && nowNs - samples.getLast().atNs() < SECOND_NS) {
      return;
    }
    samples.add(new Sample(nowNs, transactions, operations));
    if (samples.size() > KEPT_SAMPLES) {
      samples.remove();
    }
  }

  double transactionsPerSecond() {
    Sample from = rateStart();
    return rate(from, samples.getLast().transactions() - from.transactions());
  }

  double operationsPerSecond() {
    Sample from = rateStart();
    return rate(from, samples.getLast().operations() - from.operations());
  }

  /** Transactions between each two samples, oldest first. */
  List<Long> recentTransactions() {
    List<Long> recent = new ArrayList<>();
    Sample previous = null;
    for (Sample sample : samples) {
      if (previous != null) {
        recent.add(sample.transactions() - previous.transactions());
      }
      previous = sample;
    }
    return recent;
  }

  private Sample rateStart() {
    Iterator<Sample> newestFirst = samples.descendingIterator();
    Sample from = samples.getLast();
    for (int i = 0; i <= RATE_SAMPLES && newestFirst.hasNext(); i++) {
      from = newestFirst.next();
    }
    return from;
  }

  private double rate(Sample from, long count) {
    long elapsedNs = samples.getLast().atNs() - from.atNs();
    return elapsedNs == 0 ? 0 : count * (double) SECOND_NS / elapsedNs;
  }
}

package io.isotail.incremental.judge.second;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.judge.second.SourcesOfReads.Source;
import io.isotail.incremental.level.IsolationLevel;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The levels up to {@code causal}: there must be an order of the commits that agrees with session
 * order, with the reads, and with what the level's axiom says of each read. The initial transaction
 * comes before all others, with the number after theirs.
 */
final class CommitOrders {
  private final HistoryReading history;
  private final SourcesOfReads sources;
  private final IsolationLevel level;
  private final Function<CapsuleTransaction, IsolationLevel> promises;
  private final int initial;

  /** For each transaction those that directly follow it by session order or a read. */
  private final BitSet[] follows;

  /** For each transaction those that happen after it. */
  private final BitSet[] happensAfter;

  CommitOrders(
      HistoryReading history,
      SourcesOfReads sources,
      IsolationLevel level,
      Function<CapsuleTransaction, IsolationLevel> promises) {
    this.history = history;
    this.sources = sources;
    this.level = level;
    this.promises = promises;
    this.initial = history.size();
    this.follows = new BitSet[initial + 1];
    this.happensAfter = new BitSet[initial + 1];
    for (int t = 0; t <= initial; t++) {
      follows[t] = new BitSet();
    }
    for (int t = 0; t < initial; t++) {
      if (history.committed(t)) {
        addBefore(t);
      }
    }
    for (int t = 0; t <= initial; t++) {
      happensAfter[t] = reachedFrom(t);
    }
  }

  private void addBefore(int t) {
    follows[initial].set(t);
    for (Source source : sources.fromOthers(t)) {
      follows[number(source)].set(t);
    }
    for (int s = 0; s < initial; s++) {
      if (history.committed(s) && history.earlierInSession(s, t)) {
        follows[s].set(t);
      }
    }
  }

  private int number(Source source) {
    return source.writer() == SourcesOfReads.INITIAL ? initial : source.writer();
  }

  private BitSet reachedFrom(int t) {
    BitSet reached = new BitSet();
    BitSet fresh = (BitSet) follows[t].clone();
    while (!fresh.isEmpty()) {
      int next = fresh.nextSetBit(0);
      reached.set(next);
      fresh.or(follows[next]);
      fresh.andNot(reached);
    }
    return reached;
  }

  /** Whether an order of the commits exists. */
  boolean anyExists() {
    BitSet[] later = new BitSet[initial + 1];
    for (int t = 0; t <= initial; t++) {
      later[t] = (BitSet) follows[t].clone();
    }
    for (int reader = 0; reader < initial; reader++) {
      addListed(reader, later);
      for (Source source : sources.fromOthers(reader)) {
        for (int other = 0; other < initial; other++) {
          if (mustPrecedeSource(other, reader, source)) {
            later[other].set(number(source));
          }
        }
      }
    }
    int[] waitsFor = new int[initial + 1];
    for (BitSet each : later) {
      each.stream().forEach(t -> waitsFor[t]++);
    }
    BitSet left = new BitSet();
    left.set(0, initial + 1);
    OptionalInt next = free(left, waitsFor);
    while (next.isPresent()) {
      left.clear(next.getAsInt());
      later[next.getAsInt()].stream().forEach(t -> waitsFor[t]--);
      next = free(left, waitsFor);
    }
    return left.isEmpty();
  }

  /**
   * A list is a version that came after the version of each of its fronts: who reads it with all
   * that it shows at once, which read committed does not, knows the order of those who wrote it.
   */
  private void addListed(int reader, BitSet[] later) {
    IsolationLevel held = level.weakerOf(promises.apply(history.transaction(reader)));
    List<Source> elements = sources.fromOthers(reader);
    for (int i = 1; i < elements.size() && held != IsolationLevel.READ_COMMITTED; i++) {
      Source before = elements.get(i - 1);
      Source after = elements.get(i);
      if (before.begin() == after.begin()
          && before.read().place() + 1 == after.read().place()
          && before.writer() != after.writer()) {
        later[number(before)].set(number(after));
      }
    }
  }

  private static OptionalInt free(BitSet left, int[] waitsFor) {
    return left.stream().filter(t -> waitsFor[t] == 0).findFirst();
  }

  /** Another writer of a key that the reader had observed comes before the one that it read. */
  private boolean mustPrecedeSource(int other, int reader, Source source) {
    return source.ofVersion()
        && other != reader
        && other != source.writer()
        && history.written(other).contains(source.read().key())
        && switch (level.weakerOf(promises.apply(history.transaction(reader)))) {
          case READ_COMMITTED -> hadReadFrom(other, reader, source);
          case READ_ATOMIC -> follows[other].get(reader);
          case CAUSAL -> happensAfter[other].get(reader);
          default -> throw new IllegalStateException(level + " is stronger than causal");
        };
  }

  private boolean hadReadFrom(int other, int reader, Source source) {
    return sources.fromOthers(reader).stream()
        .anyMatch(earlier -> earlier.writer() == other && earlier.read().place() < source.begin());
  }
}

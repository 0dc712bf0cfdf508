package io.isotail.ingest.generate;

import io.isotail.incremental.record.TransactionRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The order in which a history's transactions are written; each session's is always kept. */
public enum HistoryOrder {
  /** As they committed; needs no memory. */
  COMMIT,
  /** One session after the other. */
  SESSION,
  /** Sessions mixed at random: reads come long before or after what they read. */
  SHUFFLED;

  /** The order's name in every interface. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The order of that name.
   *
   * @throws IllegalArgumentException naming those that exist
   */
  public static HistoryOrder ofLabel(String label) {
    for (HistoryOrder order : values()) {
      if (order.label().equals(label)) {
        return order;
      }
    }
    throw new IllegalArgumentException(
        "order '%s'; expected one of %s"
            .formatted(
                label,
                Arrays.stream(values())
                    .map(HistoryOrder::label)
                    .collect(Collectors.joining(", "))));
  }

  /** Puts transactions, which are in commit order, in this order. */
  public List<TransactionRecord> arrange(List<TransactionRecord> history, long seed) {
    if (this == COMMIT) {
      return history;
    }
    Map<Long, ArrayDeque<TransactionRecord>> bySession = new TreeMap<>();
    for (TransactionRecord transaction : history) {
      bySession
          .computeIfAbsent(transaction.session().id(), id -> new ArrayDeque<>())
          .add(transaction);
    }
    List<TransactionRecord> arranged = new ArrayList<>(history.size());
    if (this == SESSION) {
      bySession.values().forEach(arranged::addAll);
      return arranged;
    }
    for (long session : turns(history, seed)) {
      arranged.add(Objects.requireNonNull(bySession.get(session)).remove());
    }
    return arranged;
  }

  /** Each session as often as it has transactions, in random order. */
  private static long[] turns(List<TransactionRecord> history, long seed) {
    Prng random = new Prng(seed);
    long[] turns = history.stream().mapToLong(t -> t.session().id()).toArray();
    for (int i = turns.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long turn = turns[i];
      turns[i] = turns[j];
      turns[j] = turn;
    }
    return turns;
  }
}

package io.isotail.incremental.cause;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Object2LongLinkedOpenHashMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * How many transactions have which value of each {@link Dimension}: exact for the first so many
 * values of a dimension, none of further ones.
 */
final class ValueCounts {
  private static final Dimension[] DIMENSIONS = Dimension.values();

  /** Differences that are told. */
  private static final int TOLD = 20;

  /** Others that must be there for shares to mean anything. */
  private static final int LEAST_GOOD = 100;

  private final int mostValues;
  private final BiConsumer<Dimension, String> counter = this::add;
  private final List<Object2LongLinkedOpenHashMap<String>> counts = new ArrayList<>();
  private long transactions;

  /**
   * Nothing counted.
   *
   * @param mostValues values of a dimension that are counted
   */
  ValueCounts(int mostValues) {
    this.mostValues = mostValues;
    for (int i = 0; i < DIMENSIONS.length; i++) {
      counts.add(new Object2LongLinkedOpenHashMap<>());
    }
  }

  void add(Transaction t, long appendTimeMs) {
    transactions++;
    Dimension.values(t, appendTimeMs, counter);
  }

  private void add(Dimension dimension, String value) {
    Object2LongLinkedOpenHashMap<String> of = counts.get(dimension.ordinal());
    if (of.size() < mostValues || of.containsKey(value)) {
      of.addTo(value, 1);
    }
  }

  /** As it stands now; what is counted later is not in it. */
  ValueCounts copy() {
    ValueCounts copy = new ValueCounts(mostValues);
    copy.transactions = transactions;
    for (int i = 0; i < DIMENSIONS.length; i++) {
      copy.counts.get(i).putAll(counts.get(i));
    }
    return copy;
  }

  /** How many transactions were counted. */
  long transactions() {
    return transactions;
  }

  /**
   * Values that are over-represented in these, the bad transactions, against the other ones that
   * were counted in the same time; that first whose shares differ most. None as long as there are
   * few others. A value that is not counted among all is left out.
   *
   * @param before all transactions when the first of these was counted
   * @param all all transactions now
   */
  List<Difference> against(ValueCounts before, ValueCounts all) {
    List<Difference> differences = new ArrayList<>();
    long good = all.transactions - before.transactions - transactions;
    if (good < LEAST_GOOD) {
      return List.of();
    }
    for (Dimension dimension : DIMENSIONS) {
      Object2LongLinkedOpenHashMap<String> of = all.counts.get(dimension.ordinal());
      Object2LongLinkedOpenHashMap<String> earlier = before.counts.get(dimension.ordinal());
      counts
          .get(dimension.ordinal())
          .forEach(
              (value, bad) -> {
                if (of.containsKey(value)) {
                  differences.add(
                      new Difference(
                          dimension,
                          value,
                          bad,
                          transactions,
                          Math.max(0, of.getLong(value) - earlier.getLong(value) - bad),
                          good));
                }
              });
    }
    return differences.stream()
        .filter(difference -> difference.excess() > 0)
        .sorted(Comparator.comparingDouble((Difference difference) -> -difference.excess()))
        .limit(TOLD)
        .toList();
  }

  void save(StateWriter out) {
    out.number(transactions);
    for (Object2LongLinkedOpenHashMap<String> of : counts) {
      out.count(of.size());
      of.forEach(
          (value, count) -> {
            out.text(value);
            out.number(count);
          });
    }
  }

  void load(StateReader in) {
    transactions = in.number();
    for (Object2LongLinkedOpenHashMap<String> of : counts) {
      for (int n = in.count(); n > 0; n--) {
        of.put(in.requiredText(), in.number());
      }
      in.require(of.size() <= mostValues, "values of a dimension");
    }
  }
}

package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2LongLinkedOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has been reported, and how often: each anomaly is reported once, and its repeats are
 * counted. It remembers {@link #MAX_REMEMBERED} anomalies; the oldest is forgotten first, and
 * reported again if it is found again.
 */
final class ReportedAnomalies {
  static final int MAX_REMEMBERED = 100_000;

  private final Counters counters;
  private final VerdictLedger ledger;

  /** By id how often it was found; negative where it was not published. */
  private final Long2LongLinkedOpenHashMap occurrences = new Long2LongLinkedOpenHashMap();

  private final Map<IsolationLevel, Map<AnomalyKind, Long>> counts =
      new EnumMap<>(IsolationLevel.class);

  /** Of {@link #lastReader}, the reads of initial versions that are reported at some level. */
  private final LongOpenHashSet staleInitials = new LongOpenHashSet();

  private @Nullable Transaction lastReader;

  ReportedAnomalies(Counters counters, VerdictLedger ledger) {
    this.counters = counters;
    this.ledger = ledger;
  }

  /**
   * Notes an anomaly that is found for the first time.
   *
   * @param published whether it is about to be reported, or only counted
   */
  void first(long id, IsolationLevel level, AnomalyKind kind, boolean published) {
    if (occurrences.size() >= MAX_REMEMBERED) {
      occurrences.removeFirstLong();
    }
    occurrences.put(id, published ? 1 : -1);
    ledger.violated(level);
    counters.occurrences++;
    counts.computeIfAbsent(level, l -> new EnumMap<>(AnomalyKind.class)).merge(kind, 1L, Long::sum);
  }

  /**
   * Counts an anomaly once more, if it has been found before.
   *
   * @return how often it has been found, negative if it was not published; 0 if it has not been
   *     found, or is forgotten
   */
  long repeated(long id, IsolationLevel level) {
    long before = occurrences.get(id);
    if (before == 0) {
      return 0;
    }
    ledger.violated(level);
    counters.occurrences++;
    long after = before > 0 ? before + 1 : before - 1;
    occurrences.put(id, after);
    return after;
  }

  /**
   * Notes that a transaction read the initial version of a key after it had observed a write of it.
   *
   * @param id of the anomaly that this would be at the weakest level
   * @return false if that is known of the reader: what it violates at a weaker level is not a new
   *     violation at a stronger one
   */
  boolean firstStaleInitial(Transaction reader, long id) {
    if (reader != lastReader) {
      lastReader = reader;
      staleInitials.clear();
    }
    return staleInitials.add(id);
  }

  /** Distinct anomalies by level and kind. */
  Map<IsolationLevel, Map<AnomalyKind, Long>> counts() {
    Map<IsolationLevel, Map<AnomalyKind, Long>> copy = new EnumMap<>(IsolationLevel.class);
    counts.forEach((level, kinds) -> copy.put(level, Map.copyOf(kinds)));
    return copy;
  }

  /** Saves what has been reported, as far as it is remembered. */
  void save(GraphWriter graph) {
    StateWriter out = graph.out;
    out.count(occurrences.size());
    occurrences
        .long2LongEntrySet()
        .fastForEach(
            entry -> {
              out.number(entry.getLongKey());
              out.number(entry.getLongValue());
            });
    out.count(counts.size());
    counts.forEach(
        (level, kinds) -> {
          out.constant(level);
          out.count(kinds.size());
          kinds.forEach(
              (kind, count) -> {
                out.constant(kind);
                out.number(count);
              });
        });
    out.set(staleInitials.toLongArray());
    graph.transaction(lastReader);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    StateReader in = graph.in;
    for (int n = in.count(); n > 0; n--) {
      occurrences.put(in.number(), in.number());
    }
    for (int levels = in.count(); levels > 0; levels--) {
      Map<AnomalyKind, Long> kinds = new EnumMap<>(AnomalyKind.class);
      counts.put(in.constant(IsolationLevel.class), kinds);
      for (int n = in.count(); n > 0; n--) {
        kinds.put(in.constant(AnomalyKind.class), in.number());
      }
    }
    for (long thing : in.set()) {
      staleInitials.add(thing);
    }
    lastReader = graph.transactionOrNull();
  }
}

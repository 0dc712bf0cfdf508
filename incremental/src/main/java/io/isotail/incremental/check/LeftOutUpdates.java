package io.isotail.incremental.check;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.LevelGraph;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.Reference2ObjectLinkedOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who has overwritten what he read of a transaction that a level leaves out, or that was promised
 * less. The level's graph does not have the version, so it cannot tell that of two who both
 * overwrote it one has lost the other's update. Without this, of updates of one row that are lost
 * one after the other every second one would be missed.
 */
final class LeftOutUpdates {
  private static final IsolationLevel[] LEVELS = IsolationLevel.values();

  /** The weakest level at which two of them contradict each other. */
  private static final IsolationLevel WEAKEST = IsolationLevel.SNAPSHOT_ISOLATION;

  /**
   * Of each writer in the window, by key, those who did: for each graph the first that it has, so
   * no more than there are graphs. A writer is delivered before them, and leaves the window first.
   */
  private final Map<Transaction, Long2ObjectLinkedOpenHashMap<List<Transaction>>> overwriters =
      new Reference2ObjectLinkedOpenHashMap<>();

  /**
   * Why a level leaves out {@code t}, though its graph may have a place for it; null if this shows
   * nothing.
   */
  @Nullable Conflict conflict(Transaction t, IsolationLevel level, LevelGraph graph) {
    if (overwriters.isEmpty() || !level.atLeast(WEAKEST)) {
      return null;
    }
    for (int i = 0; i < t.readWriters.length; i++) {
      Transaction writer = updated(t, i);
      Transaction other =
          writer != null && isLacking(writer, level, graph)
              ? first(overwriters(writer, keyRead(t, i)), graph)
              : null;
      Conflict conflict =
          writer == null || other == null ? null : graph.conflictOfUpdates(writer, other, t);
      if (conflict != null) {
        return conflict;
      }
    }
    return null;
  }

  /** {@code t} is delivered, and each level has it in its graph or leaves it out. */
  void delivered(Transaction t, @Nullable LevelGraph[] graphs) {
    for (int i = 0; i < t.readWriters.length; i++) {
      Transaction writer = updated(t, i);
      for (int level = WEAKEST.ordinal(); writer != null && level < graphs.length; level++) {
        LevelGraph graph = graphs[level];
        if (graph != null
            && graph.contains(t)
            && isLacking(writer, LEVELS[level], graph)
            && first(overwriters(writer, keyRead(t, i)), graph) == null) {
          add(writer, keyRead(t, i), t);
        }
      }
    }
  }

  /**
   * Whether a graph lacks what a writer wrote, though it binds those who read it. From {@code
   * serializable} on {@link BesideOutsiders} sees to who was promised less.
   */
  private static boolean isLacking(Transaction writer, IsolationLevel level, LevelGraph graph) {
    boolean binds =
        writer.promise.atLeast(level)
            || (!writer.uncaptured() && !level.atLeast(IsolationLevel.SERIALIZABLE));
    return binds && !graph.contains(writer);
  }

  private List<Transaction> overwriters(Transaction writer, long key) {
    var byKey = overwriters.get(writer);
    List<Transaction> all = byKey == null ? null : byKey.get(key);
    return all == null ? List.of() : all;
  }

  private static @Nullable Transaction first(List<Transaction> all, LevelGraph graph) {
    for (Transaction each : all) {
      if (graph.contains(each)) {
        return each;
      }
    }
    return null;
  }

  private void add(Transaction writer, long key, Transaction t) {
    overwriters
        .computeIfAbsent(writer, w -> new Long2ObjectLinkedOpenHashMap<>(1))
        .computeIfAbsent(key, k -> new ArrayList<>(1))
        .add(t);
  }

  /** The writer in the window of what {@code t} has read and overwritten; null if it did not. */
  private static @Nullable Transaction updated(Transaction t, int read) {
    Transaction writer = t.readWriters[read];
    long key = keyRead(t, read);
    return writer != null
            && writer.state == Transaction.State.DELIVERED
            && t.readsVersion(read)
            && t.writes(key)
            && !t.leavesOutReadsOf(key)
        ? writer
        : null;
  }

  private static long keyRead(Transaction t, int read) {
    return t.operations.key(t.readOperations[read]);
  }

  /** {@code t} leaves the window. */
  void remove(Transaction t) {
    overwriters.remove(t);
  }

  /** What is in the window is not looked at again. */
  void clear() {
    overwriters.clear();
  }

  void save(GraphWriter graph) {
    graph.transactions(overwriters.keySet());
    for (var byKey : overwriters.values()) {
      graph.out.count(byKey.size());
      for (var each : byKey.long2ObjectEntrySet()) {
        graph.out.number(each.getLongKey());
        graph.transactions(each.getValue());
      }
    }
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    for (Transaction writer : graph.transactions()) {
      overwriters.put(writer, new Long2ObjectLinkedOpenHashMap<>(1));
    }
    for (var byKey : overwriters.values()) {
      for (int n = graph.in.count(); n > 0; n--) {
        byKey.put(graph.in.number(), new ArrayList<>(graph.transactions()));
      }
    }
  }
}

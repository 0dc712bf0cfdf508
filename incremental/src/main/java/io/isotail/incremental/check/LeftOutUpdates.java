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

  /** A version of a writer in the window, which a transaction has read and overwritten. */
  @FunctionalInterface
  private interface Update {
    void of(Transaction writer, long key);
  }

  /**
   * Why a level leaves out {@code t}, though its graph may have a place for it; null if this shows
   * nothing.
   */
  @Nullable Conflict conflict(Transaction t, IsolationLevel level, LevelGraph graph) {
    if (overwriters.isEmpty() || !level.atLeast(WEAKEST)) {
      return null;
    }
    Conflict[] found = new Conflict[1];
    forEachUpdate(
        t,
        (writer, key) -> {
          boolean counts = found[0] == null && isLacking(writer, level, graph);
          Transaction other = counts ? first(overwriters(writer, key), graph) : null;
          if (other != null) {
            found[0] = graph.conflictOfUpdates(writer, other, t);
          }
        });
    return found[0];
  }

  /** {@code t} is delivered, and each level has it in its graph or leaves it out. */
  void delivered(Transaction t, @Nullable LevelGraph[] graphs) {
    forEachUpdate(
        t,
        (writer, key) -> {
          for (int i = WEAKEST.ordinal(); i < graphs.length; i++) {
            LevelGraph graph = graphs[i];
            if (graph != null
                && graph.contains(t)
                && isLacking(writer, LEVELS[i], graph)
                && first(overwriters(writer, key), graph) == null) {
              add(writer, key, t);
            }
          }
        });
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

  private static void forEachUpdate(Transaction t, Update to) {
    for (int i = 0; i < t.readWriters.length; i++) {
      Transaction writer = t.readWriters[i];
      long key = t.operations.key(t.readOperations[i]);
      if (writer != null
          && writer.state == Transaction.State.DELIVERED
          && t.readsVersion(i)
          && t.writes(key)
          && !t.leavesOutReadsOf(key)) {
        to.of(writer, key);
      }
    }
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

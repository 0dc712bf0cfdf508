package io.isotail.incremental.check;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.LevelGraph;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
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
  /** Of each writer in the window those in the window who did, as they were delivered. */
  private final Map<Transaction, List<Transaction>> overwriters =
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
    Conflict[] found = new Conflict[1];
    forEachUpdate(
        t,
        (writer, key) -> {
          boolean counts =
              found[0] == null && isConcerned(writer, level) && !graph.contains(writer);
          Transaction other = counts ? other(writer, key, graph) : null;
          if (other != null) {
            found[0] = graph.conflictOfUpdates(writer, other, t);
          }
        });
    return found[0];
  }

  /** From {@code serializable} on {@link BesideOutsiders} sees to what was promised less. */
  private static boolean isConcerned(Transaction writer, IsolationLevel level) {
    return writer.promise.atLeast(level)
        || (!writer.uncaptured() && !level.atLeast(IsolationLevel.SERIALIZABLE));
  }

  /** The first who overwrote a version having read it, of those that are part of a graph. */
  private @Nullable Transaction other(Transaction writer, long key, LevelGraph graph) {
    for (Transaction other : overwriters.getOrDefault(writer, List.of())) {
      if (graph.contains(other) && updates(other, writer, key)) {
        return other;
      }
    }
    return null;
  }

  private static boolean updates(Transaction t, Transaction writer, long key) {
    for (int i = 0; i < t.readWriters.length; i++) {
      if (t.readWriters[i] == writer && updates(t, i) && keyRead(t, i) == key) {
        return true;
      }
    }
    return false;
  }

  /** {@code t} is delivered, and each level has it in its graph or leaves it out. */
  void delivered(Transaction t, @Nullable LevelGraph[] graphs) {
    forEachUpdate(
        t,
        (writer, key) -> {
          for (LevelGraph graph : graphs) {
            if (graph != null && graph.contains(t) && !graph.contains(writer)) {
              add(writer, t);
            }
          }
        });
  }

  private void add(Transaction writer, Transaction t) {
    List<Transaction> all = overwriters.computeIfAbsent(writer, w -> new ArrayList<>(1));
    if (all.isEmpty() || all.get(all.size() - 1) != t) {
      all.add(t);
    }
  }

  private static void forEachUpdate(Transaction t, Update to) {
    for (int i = 0; i < t.readWriters.length; i++) {
      Transaction writer = t.readWriters[i];
      if (writer != null && writer.state == Transaction.State.DELIVERED && updates(t, i)) {
        to.of(writer, keyRead(t, i));
      }
    }
  }

  private static boolean updates(Transaction t, int read) {
    long key = keyRead(t, read);
    return t.readsVersion(read) && t.writes(key) && !t.leavesOutReadsOf(key);
  }

  private static long keyRead(Transaction t, int read) {
    return t.operations.key(t.readOperations[read]);
  }

  /** {@code t} leaves the window; it still has its reads. */
  void remove(Transaction t) {
    overwriters.remove(t);
    for (int i = 0; i < t.readWriters.length && !overwriters.isEmpty(); i++) {
      List<Transaction> all = overwriters.get(t.readWriters[i]);
      if (all != null && all.remove(t) && all.isEmpty()) {
        overwriters.remove(t.readWriters[i]);
      }
    }
  }

  /** What is in the window is not looked at again. */
  void clear() {
    overwriters.clear();
  }

  void save(GraphWriter graph) {
    graph.transactions(overwriters.keySet());
    overwriters.values().forEach(graph::transactions);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph) {
    for (Transaction writer : graph.transactions()) {
      overwriters.put(writer, new ArrayList<>());
    }
    overwriters.values().forEach(all -> all.addAll(graph.transactions()));
  }
}

package io.isotail.incremental.check;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;

/**
 * The transactions in the window that each level from {@code prefix} on leaves out, and those of
 * them for which a level's own graph had to tell that. A level is given by its ordinal.
 */
final class LeftOutTransactions {
  private static final int WEAKEST = IsolationLevel.weakestStrong().ordinal();

  private final ReferenceLinkedOpenHashSet<Transaction>[] leftOut;
  private final ReferenceLinkedOpenHashSet<Transaction>[] searched;

  /** No level up to {@code strongest} leaves out any. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  LeftOutTransactions(int strongest) {
    this.leftOut = new ReferenceLinkedOpenHashSet[strongest + 1];
    this.searched = new ReferenceLinkedOpenHashSet[strongest + 1];
    for (int i = WEAKEST; i <= strongest; i++) {
      leftOut[i] = new ReferenceLinkedOpenHashSet<>();
      searched[i] = new ReferenceLinkedOpenHashSet<>();
    }
  }

  boolean contains(Transaction t, int level) {
    return leftOut[level].contains(t);
  }

  /** The level leaves out {@code t}. */
  void add(Transaction t, int level) {
    leftOut[level].add(t);
  }

  /** The level's own graph had to tell whether {@code t} fits. */
  void addSearched(Transaction t, int level) {
    searched[level].add(t);
  }

  /** No level leaves out {@code t} any more; says whether any did. */
  boolean remove(Transaction t) {
    boolean any = false;
    for (int i = WEAKEST; i < leftOut.length; i++) {
      any |= leftOut[i].remove(t);
      searched[i].remove(t);
    }
    return any;
  }

  /** The level leaves out none. */
  void clear(int level) {
    leftOut[level].clear();
  }

  /** The level has no graph of its own any more. */
  void clearSearched(int level) {
    searched[level].clear();
  }

  /**
   * Whether a level leaves out all that a stronger one does, and no search in its own graph told
   * that of any.
   */
  boolean isToldBy(int stronger, int level) {
    return searched[level].isEmpty() && leftOut[level].containsAll(leftOut[stronger]);
  }

  /** The level leaves out what a stronger one does, and nothing else. */
  void copy(int stronger, int level) {
    leftOut[level].clear();
    leftOut[level].addAll(leftOut[stronger]);
  }

  void save(GraphWriter graph, int level) {
    graph.transactions(leftOut[level]);
    graph.transactions(searched[level]);
  }

  /** Takes back what {@link #save} saved. */
  void load(GraphReader graph, int level) {
    leftOut[level].addAll(graph.transactions());
    searched[level].addAll(graph.transactions());
  }
}

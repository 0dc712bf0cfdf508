package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The most plausible order of the commits of a capsule's transactions: it agrees with session
 * order, reads and lists, and otherwise with the ends that clients saw, or with the log where there
 * are no times.
 *
 * <p>Of two transactions that overlapped, either may have committed first. Such a pair changes
 * places where the weaker levels would be violated otherwise: they are known to hold, so that the
 * order was another one.
 */
final class CommitGuess {
  /** Pairs that may change places; a capsule has six transactions in the median. */
  private static final int MOST_CHANGES = 16;

  /** With more transactions nothing changes places: it would take too long. */
  private static final int MOST_TRANSACTIONS = 64;

  private final CapsuleFacts facts;
  private final CapsuleGraph graph;
  private final boolean timed;

  CommitGuess(CapsuleFacts facts, CapsuleGraph graph) {
    this.facts = facts;
    this.graph = graph;
    boolean allTimed = true;
    for (int i = 0; i < facts.size(); i++) {
      allTimed &= facts.transaction(i).times().hasEnd();
    }
    this.timed = allTimed;
  }

  /** Places of the transactions, first to last; for a violation of {@code level} alone. */
  int[] order(IsolationLevel level) {
    boolean[][] before = graph.knownOrder();
    addRealTime(before);
    int[] first = sorted(before);
    IsolationLevel weaker = level.nextWeaker();
    int[] order = first;
    int most = facts.size() > MOST_TRANSACTIONS ? -1 : MOST_CHANGES;
    for (int changes = 0; changes <= most; changes++) {
      List<Link> cycle = new CycleSearch(facts.size(), graph.links(order), weaker).shortest();
      if (cycle == null) {
        return order;
      }
      Link changed = mostDoubtful(cycle, before);
      if (changed == null) {
        return first;
      }
      before[changed.to()][changed.earlier()] = true;
      order = sorted(before);
    }
    return first;
  }

  /**
   * What ended before another began committed first, unless what was read contradicts the clocks.
   */
  private void addRealTime(boolean[][] before) {
    for (int a = 0; a < before.length; a++) {
      for (int b = 0; b < before.length; b++) {
        if (graph.isRealTime(a, b) && !before[b][a]) {
          before[a][b] = true;
        }
      }
    }
  }

  /** Of the assumptions on a cycle that may be wrong, the one of the nearest commits, or null. */
  private @Nullable Link mostDoubtful(List<Link> cycle, boolean[][] before) {
    Link nearest = null;
    for (Link link : cycle) {
      boolean mayBeWrong = link.assumed() && !leads(link.earlier(), link.to(), before);
      if (mayBeWrong && (nearest == null || gap(link) < gap(nearest))) {
        nearest = link;
      }
    }
    return nearest;
  }

  private double gap(Link link) {
    CapsuleTransaction a = facts.transaction(link.earlier());
    CapsuleTransaction b = facts.transaction(link.to());
    return Math.abs(
        timed
            ? (double) a.times().endNs() - b.times().endNs()
            : (double) a.position() - b.position());
  }

  /** Whether one must come before the other. */
  private boolean leads(int first, int later, boolean[][] before) {
    boolean[] reached = new boolean[facts.size()];
    int[] stack = new int[facts.size()];
    int top = 0;
    stack[top++] = first;
    while (top > 0) {
      int at = stack[--top];
      for (int next = 0; next < reached.length; next++) {
        if (before[at][next] && !reached[next]) {
          reached[next] = true;
          stack[top++] = next;
        }
      }
    }
    return reached[later];
  }

  /** The earliest one first of which all that must come before it stand already. */
  private int[] sorted(boolean[][] before) {
    int[] order = new int[facts.size()];
    boolean[] placed = new boolean[order.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = next(placed, before);
      placed[order[i]] = true;
    }
    return order;
  }

  private int next(boolean[] placed, boolean[][] before) {
    int best = -1;
    boolean bestIsFree = false;
    for (int i = 0; i < placed.length; i++) {
      if (placed[i]) {
        continue;
      }
      boolean free = isFree(i, placed, before);
      // Lists may contradict each other: then nothing is free.
      if (best < 0 || (free && !bestIsFree) || (free == bestIsFree && isEarlier(i, best))) {
        best = i;
        bestIsFree = free;
      }
    }
    return best;
  }

  private static boolean isFree(int i, boolean[] placed, boolean[][] before) {
    for (int j = 0; j < placed.length; j++) {
      if (!placed[j] && j != i && before[j][i]) {
        return false;
      }
    }
    return true;
  }

  private boolean isEarlier(int a, int b) {
    CapsuleTransaction first = facts.transaction(a);
    CapsuleTransaction later = facts.transaction(b);
    if (timed && first.times().endNs() != later.times().endNs()) {
      return first.times().endNs() < later.times().endNs();
    }
    return first.position() != later.position() ? first.position() < later.position() : a < b;
  }
}

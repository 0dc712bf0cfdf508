package io.isotail.incremental.digraph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A list that tells in constant time which of two nodes comes first, and takes nodes at any place:
 * labels ascend along it, and where there is none between two neighbours, those around them are
 * spread anew, in O(log² n) amortized steps [1].
 *
 * <p>[1] Bender, Cole, Demaine, Farach-Colton, Zito, Two Simplified Algorithms for Maintaining
 * Order in a List, ESA 2002.
 *
 * @param <N> a node
 * @param <E> an edge between such nodes
 */
public final class LabelledList<N extends ListedNode<N, E>, E extends Edge<N, E>> {
  /** Between a node and one that is put behind it as the last. */
  private static final long GAP = 1L << 20;

  /**
   * [1] T: a range of 2^i labels is spread anew if it holds no more than (2/T)^i nodes. The nearer
   * to 1, the fewer are spread; the nearer to 2, the more fit.
   */
  private static final double CROWDED = 1.3;

  private static final int LABEL_BITS = 62;

  private final List<N> crowd = new ArrayList<>();
  private @Nullable N last;

  /** The last node, null if there is none. */
  @Nullable N last() {
    return last;
  }

  /** Puts a node last. */
  void append(N node) {
    put(List.of(node), last, null);
  }

  /** Puts nodes, which are not in the list, directly before one that is. */
  void putBefore(N next, List<N> nodes) {
    put(nodes, next.listedBefore, next);
  }

  /** Puts nodes, which are not in the list, directly behind one that is. */
  void putAfter(N previous, List<N> nodes) {
    put(nodes, previous, previous.listedAfter);
  }

  /** Takes a node out; its label stays with it. */
  void remove(N node) {
    N before = node.listedBefore;
    N after = node.listedAfter;
    link(before, after);
    if (last == node) {
      last = before;
    }
    node.listedBefore = null;
    node.listedAfter = null;
  }

  /** Takes nodes that carry their labels into the empty list. */
  void restore(List<N> nodes) {
    List<N> ordered = new ArrayList<>(nodes);
    ordered.sort(Comparator.comparingLong(node -> node.position));
    for (N node : ordered) {
      link(last, node);
      last = node;
    }
  }

  private void put(List<N> nodes, @Nullable N previous, @Nullable N next) {
    int n = nodes.size();
    if (previous != null && next != null && next.position - previous.position <= n) {
      spread(previous, n);
    }
    long label;
    long step;
    if (next == null) {
      step = GAP;
      label = previous == null ? 0 : previous.position + GAP;
    } else if (previous == null) {
      step = GAP;
      label = next.position - n * GAP;
    } else {
      step = (next.position - previous.position) / (n + 1);
      label = previous.position + step;
    }
    N before = previous;
    for (N node : nodes) {
      node.position = label;
      label += step;
      link(before, node);
      before = node;
    }
    link(before, next);
    if (next == null) {
      last = before;
    }
  }

  private void link(@Nullable N before, @Nullable N after) {
    if (before != null) {
      before.listedAfter = after;
    }
    if (after != null) {
      after.listedBefore = before;
    }
  }

  /** Spreads the nodes around a place so that {@code room} more fit directly behind it. */
  private void spread(N place, int room) {
    N first = place;
    N end = place;
    int count = 1;
    double fits = 1;
    for (int bits = 1; bits <= LABEL_BITS; bits++) {
      fits *= 2 / CROWDED;
      long width = 1L << bits;
      long low = place.position & -width;
      for (N n = first.listedBefore; n != null && n.position >= low; n = n.listedBefore) {
        first = n;
        count++;
      }
      for (N n = end.listedAfter; n != null && n.position - low < width; n = n.listedAfter) {
        end = n;
        count++;
      }
      long step = width / (count + room + 1);
      if (count + room <= fits && step > 0) {
        spread(first, end, low, step, place, room);
        return;
      }
    }
    throw new IllegalStateException("no labels are left for " + room + " more");
  }

  private void spread(N first, N end, long low, long step, N place, int room) {
    for (N n = first; n != end; n = after(n)) {
      crowd.add(n);
    }
    crowd.add(end);
    long label = low;
    for (N node : crowd) {
      node.position = label;
      label += node == place ? (room + 1) * step : step;
    }
    crowd.clear();
  }

  private N after(N node) {
    N after = node.listedAfter;
    if (after == null) {
      throw new IllegalStateException("the list ends early");
    }
    return after;
  }
}

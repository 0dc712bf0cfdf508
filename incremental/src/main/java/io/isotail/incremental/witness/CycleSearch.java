package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cycle of dependencies that a level forbids, from {@code causal} on, which assumes least, and
 * of these the shortest.
 *
 * <p>Of cycles of one length the gravest by Adya's order wins (the fewest rw), then the one that
 * needs no real time, then no session order.
 *
 * <p>A place of the search is a transaction and whether the cycle arrived at its commit alone: from
 * there no edge goes on that leaves a begin ({@link EdgeKind#leavesBegin}).
 */
final class CycleSearch {
  private static final long ASSUMED = 1L << 48;
  private static final long STEP = 1L << 36;
  private static final long ANTI_DEPENDENCY = 1L << 24;
  private static final long TIME = 1L << 16;
  private static final long SESSION = 1L << 8;
  private static final long OVERWRITING = 1;

  private final int size;
  private final IsolationLevel level;
  private final List<List<Link>> out = new ArrayList<>();

  private final long[] cost;
  private final boolean[] settled;
  private final @Nullable Link[] arrived;
  private final int[] previous;

  /**
   * A search among links between places 0 to {@code size - 1}.
   *
   * @param level from {@code causal} on
   */
  CycleSearch(int size, List<Link> links, IsolationLevel level) {
    this.size = size;
    this.level = level;
    for (int i = 0; i < size; i++) {
      out.add(new ArrayList<>());
    }
    for (Link link : links) {
      if (link.kind().countsAt(level)) {
        out.get(link.from()).add(link);
      }
    }
    this.cost = new long[2 * size];
    this.settled = new boolean[2 * size];
    this.arrived = new Link[2 * size];
    this.previous = new int[2 * size];
  }

  /** The cycle, or null if there is none. */
  @Nullable List<Link> shortest() {
    List<Link> cycle = lostUpdate();
    long best = cycle == null ? Long.MAX_VALUE : costOf(cycle.get(0)) + STEP + OVERWRITING;
    for (int start = 0; start < 2 * size; start++) {
      if (start % 2 == 1 && !level.tellsBeginFromCommit()) {
        continue;
      }
      long length = run(start, best);
      if (length < best) {
        best = length;
        cycle = unwind(start);
      }
    }
    return cycle;
  }

  /**
   * Two transactions that read one version and both overwrote it: whichever came first, the other
   * one missed it. So nothing is assumed. Null if there are none.
   */
  private @Nullable List<Link> lostUpdate() {
    if (!level.atLeast(IsolationLevel.SNAPSHOT_ISOLATION)) {
      return null;
    }
    for (List<Link> links : out) {
      for (Link overwriting : links) {
        if (overwriting.kind() == EdgeKind.WW) {
          Link there = missed(overwriting.from(), overwriting.to(), overwriting.key());
          Link back = missed(overwriting.to(), overwriting.from(), overwriting.key());
          if (there != null && back != null && there.earlier() == back.earlier()) {
            return List.of(back, overwriting);
          }
        }
      }
    }
    return null;
  }

  /** That one transaction missed what the other wrote, and nothing is assumed of that. */
  private @Nullable Link missed(int reader, int writer, long key) {
    return out.get(reader).stream()
        .filter(link -> link.kind() == EdgeKind.RW && link.to() == writer && link.key() == key)
        .filter(link -> !link.assumed())
        .findFirst()
        .orElse(null);
  }

  /** The cost of the best way from a place back to it, if less than {@code bound}. */
  private long run(int start, long bound) {
    Arrays.fill(cost, Long.MAX_VALUE);
    Arrays.fill(settled, false);
    relaxAll(start, 0, true);
    while (true) {
      int next = -1;
      for (int place = 0; place < cost.length; place++) {
        if (!settled[place] && cost[place] < (next < 0 ? bound : cost[next])) {
          next = place;
        }
      }
      if (next < 0) {
        return Long.MAX_VALUE;
      }
      if (next == start) {
        return cost[start];
      }
      settled[next] = true;
      relaxAll(next, cost[next], false);
    }
  }

  private void relaxAll(int place, long soFar, boolean first) {
    boolean atCommit = place % 2 == 1;
    for (Link link : out.get(place / 2)) {
      // Causal forbids to miss what happens before, and no more: one rw, then so and wr.
      boolean leaves =
          level.isWeak()
              ? first == (link.kind() == EdgeKind.RW)
              : !(atCommit && link.kind().leavesBegin(level));
      if (!leaves) {
        continue;
      }
      int to = 2 * link.to() + (link.kind().leadsToCommit(level) ? 1 : 0);
      long sum = soFar + costOf(link);
      if (sum < cost[to]) {
        cost[to] = sum;
        arrived[to] = link;
        previous[to] = place;
      }
    }
  }

  private static long costOf(Link link) {
    long kind =
        switch (link.kind()) {
          case RW -> ANTI_DEPENDENCY;
          case RT -> TIME;
          case SO -> SESSION;
          case WW -> OVERWRITING;
          default -> 0;
        };
    return STEP + kind + (link.assumed() ? ASSUMED : 0);
  }

  private List<Link> unwind(int start) {
    List<Link> cycle = new ArrayList<>();
    int place = start;
    do {
      Link link = arrived[place];
      if (link == null) {
        throw new IllegalStateException("no way back to " + place);
      }
      cycle.add(0, link);
      place = previous[place];
    } while (place != start);
    return cycle;
  }
}

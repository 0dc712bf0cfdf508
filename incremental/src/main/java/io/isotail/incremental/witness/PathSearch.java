package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.saturation.CommitEdge;
import io.isotail.incremental.saturation.RelationNode;
import io.isotail.incremental.saturation.VectorClocks;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Shortest paths in the commit relation, where any number of session-order edges in a row counts as
 * one step.
 *
 * <p>A search over places, a place being a transaction and whether the path to it ends in session
 * order: from a place that does, a further session-order edge costs nothing. Among paths of equal
 * length the one found through session order and reads first wins, so that inferred edges are used
 * only where they are needed. What lies after the target in the level's order, or for causal paths
 * does not happen before it, is never visited.
 */
final class PathSearch {

  /** How a place is reached. */
  private record Arrival(int length, Step step, boolean fromBySession) {}

  /** A transaction, and whether the path to it ends in session order. */
  private record Place(Transaction transaction, boolean bySession, int length) {}

  private final IsolationLevel level;
  private final boolean causalOnly;
  private final Transaction from;
  private final Transaction to;
  private final Map<Transaction, @Nullable Arrival[]> arrivals =
      new Reference2ObjectOpenHashMap<>();
  private final ArrayDeque<Place> queue = new ArrayDeque<>();

  private PathSearch(Transaction from, Transaction to, IsolationLevel level, boolean causalOnly) {
    this.from = from;
    this.to = to;
    this.level = level;
    this.causalOnly = causalOnly;
  }

  /**
   * The shortest path over so and wr, or null.
   *
   * @param level one whose order is kept
   */
  static @Nullable List<Step> causal(Transaction from, Transaction to, IsolationLevel level) {
    return new PathSearch(from, to, level, true).run();
  }

  /** The shortest path over everything that {@code level} needs and its order holds, or null. */
  static @Nullable List<Step> ordered(Transaction from, Transaction to, IsolationLevel level) {
    return new PathSearch(from, to, level, false).run();
  }

  private @Nullable List<Step> run() {
    queue.add(new Place(from, false, 0));
    while (!queue.isEmpty()) {
      Place place = queue.remove();
      if (place.transaction == to) {
        return unwind(place);
      }
      follow(place);
    }
    return null;
  }

  private void follow(Place place) {
    Transaction transaction = place.transaction;
    RelationNode node = RelationNode.of(transaction);
    if (node == null) {
      return;
    }
    RelationNode after = node.after();
    if (after != null) {
      relax(Step.plain(transaction, after.transaction, EdgeKind.SO), place);
    }
    for (int i = 0; i < node.readerCount(); i++) {
      relax(Step.plain(transaction, node.reader(i).transaction, EdgeKind.WR), place);
    }
    for (int pass = 0; pass < (causalOnly ? 1 : 2); pass++) {
      for (CommitEdge edge = node.firstOut(); edge != null; edge = edge.nextOut()) {
        if ((edge.kind == EdgeKind.CO) == (pass == 1) && counts(edge)) {
          relax(Step.of(edge), place);
        }
      }
    }
  }

  /** Session order holds even where it is left out of the order, since it closes a cycle. */
  private boolean counts(CommitEdge edge) {
    return causalOnly ? edge.isEntered() : edge.active(level);
  }

  private boolean within(Transaction next) {
    RelationNode node = RelationNode.of(next);
    RelationNode target = RelationNode.of(to);
    if (next == from || node == null || target == null) {
      return false;
    }
    if (causalOnly && target.hasClock()) {
      return next == to || VectorClocks.knownToSee(to, next);
    }
    int index = level.ordinal();
    return node.position(index) <= target.position(index);
  }

  private void relax(Step step, Place place) {
    Transaction next = step.to();
    if (!within(next)) {
      return;
    }
    boolean bySession = step.kind() == EdgeKind.SO;
    boolean free = bySession && place.bySession;
    int length = free ? place.length : place.length + 1;
    @Nullable Arrival[] known = arrivals.computeIfAbsent(next, t -> new Arrival[2]);
    int index = bySession ? 1 : 0;
    Arrival best = known[index];
    if (best != null && best.length <= length) {
      return;
    }
    if (free) {
      Arrival before = arrival(place.transaction, true);
      known[index] = new Arrival(length, before.step.andThen(step), before.fromBySession);
      queue.addFirst(new Place(next, true, length));
    } else {
      known[index] = new Arrival(length, step, place.bySession);
      queue.addLast(new Place(next, bySession, length));
    }
  }

  private List<Step> unwind(Place last) {
    List<Step> path = new ArrayList<>();
    Transaction transaction = last.transaction;
    boolean bySession = last.bySession;
    while (transaction != from) {
      Arrival arrival = arrival(transaction, bySession);
      path.add(arrival.step);
      transaction = arrival.step.from();
      bySession = arrival.fromBySession;
    }
    Collections.reverse(path);
    return path;
  }

  private Arrival arrival(Transaction transaction, boolean bySession) {
    @Nullable Arrival[] known = arrivals.get(transaction);
    Arrival arrival = known == null ? null : known[bySession ? 1 : 0];
    if (arrival == null) {
      throw new IllegalStateException("no path to " + transaction);
    }
    return arrival;
  }
}

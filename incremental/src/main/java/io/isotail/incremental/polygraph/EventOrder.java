package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.digraph.SearchMarks;
import io.isotail.incremental.digraph.TopologicalList;
import io.isotail.incremental.snapshot.Numbered;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topological order of the events of a level's graph.
 *
 * <p>A begin comes before its commit without a dependency that says so. Each search remembers by
 * which dependency it came to an event, so that a cycle can be told.
 *
 * <p>A search forward that comes to a transaction from which session order leads to where it wants
 * to go does not walk along the session, unless that is short: so a session that violates the level
 * again and again costs the same each time, however long it is.
 */
final class EventOrder extends TopologicalList<Event, Dependency> {
  /**
   * Session order over no more transactions than this is walked: what is found then leads over
   * shorter ways too, if there are any, and which proofs are told depends on what is found.
   */
  private static final int SHORT_SESSION = 1_024;

  private final SearchMarks marks;
  private final ImpliedEdges implied;

  /** What the search follows, as it is noted at the event; null from begin to commit. */
  private @Nullable Numbered followed;

  private final ImpliedEdges.Visitor forward =
      (event, via) -> {
        followed = via;
        return reach(event);
      };

  private final ImpliedEdges.Visitor backward = (event, via) -> reach(event);

  /** The transaction that the search forward looks for; null for a point in time. */
  private @Nullable TransactionNode sought;

  /** An empty order. */
  EventOrder(ImpliedEdges implied) {
    this(implied, new SearchMarks());
  }

  private EventOrder(ImpliedEdges implied, SearchMarks marks) {
    super(marks);
    this.implied = implied;
    this.marks = marks;
  }

  /** Puts a transaction without dependencies last. */
  void append(TransactionNode node) {
    append(node.begin);
    if (node.commit != node.begin) {
      append(node.commit);
    }
  }

  /** Takes out a transaction without dependencies. */
  void remove(TransactionNode node) {
    remove(node.begin);
    if (node.commit != node.begin) {
      remove(node.commit);
    }
  }

  /**
   * Enters a dependency that is still wanted and makes the order agree with it.
   *
   * @return null, or the cycle that it would close; then nothing has been changed
   */
  @Nullable ClosedCycle enter(Dependency dependency) {
    if (dependency.dead) {
      return null;
    }
    ClosedCycle closed = enter(dependency.from, dependency.to, dependency);
    if (closed == null) {
      dependency.enter();
    }
    return closed;
  }

  /**
   * Makes the order agree with an edge, which the caller enters.
   *
   * @param edge a dependency, or what implies one
   * @return null, or the cycle that it would close; then nothing has been changed
   */
  @Nullable ClosedCycle enter(Event from, Event to, Numbered edge) {
    followed = null;
    sought = from.node;
    boolean ordered = insert(from, to);
    sought = null;
    if (ordered) {
      return null;
    }
    List<Dependency> path = pathTo(from, to);
    endSearch();
    return new ClosedCycle(implied.dependency(edge, to), path);
  }

  @Override
  protected boolean leadsToTarget(Event event) {
    TransactionNode last = sought;
    if (last == null
        || event.node == null
        || !event.node.isEarlierInRun(last)
        || last.transaction.number - event.node.transaction.number <= SHORT_SESSION) {
      return false;
    }
    followed = new Dependency(event.node.commit, last.begin, EdgeKind.SO, null, null);
    boolean met = reach(last.begin);
    followed = null;
    return met || reach(last.commit);
  }

  private List<Dependency> pathTo(Event target, Event start) {
    List<Dependency> path = new ArrayList<>();
    Event event = target;
    while (event != start) {
      Numbered via = event.via;
      if (via == null) {
        event = event.owner().begin;
      } else {
        Dependency last = implied.dependency(via, event);
        path.add(last);
        event = last.from;
      }
    }
    Collections.reverse(path);
    return path;
  }

  @Override
  protected void visit(Event event) {
    event.via = followed;
  }

  @Override
  protected boolean reachSuccessors(Event event) {
    boolean met = event.commit != null && reach(event.commit);
    for (Dependency out = event.firstOut(); out != null && !met; out = out.nextOut()) {
      followed = out;
      met = reach(out.to);
    }
    met = met || implied.successors(event, forward) || TimeEdges.successors(event, forward);
    followed = null;
    return met;
  }

  @Override
  protected boolean reachPredecessors(Event event) {
    boolean met = event.begin != null && reach(event.begin);
    for (Dependency in = event.firstIn(); in != null && !met; in = in.nextIn()) {
      met = reach(in.from);
    }
    return met || implied.predecessors(event, backward) || TimeEdges.predecessors(event, backward);
  }

  /** What has left the window must not be kept by how a search came to an event. */
  @Override
  protected void forget(Event event) {
    event.via = null;
  }

  @Override
  public void save(StateWriter out) {
    super.save(out);
    marks.save(out);
  }

  @Override
  public void load(StateReader in) {
    super.load(in);
    marks.load(in);
  }
}

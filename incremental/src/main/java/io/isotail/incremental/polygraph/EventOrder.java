package io.isotail.incremental.polygraph;

import io.isotail.incremental.digraph.SearchMarks;
import io.isotail.incremental.digraph.TopologicalOrder;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topological order of the events of a level's graph.
 *
 * <p>A begin comes before its commit without a dependency that says so. Each search remembers by
 * which dependency it came to an event, so that a cycle can be told.
 */
final class EventOrder extends TopologicalOrder<Event> {
  private final SearchMarks marks;

  /** The dependency that the search follows; null from begin to commit. */
  private @Nullable Dependency followed;

  /** An empty order. */
  EventOrder() {
    this(new SearchMarks());
  }

  private EventOrder(SearchMarks marks) {
    super(marks);
    this.marks = marks;
  }

  /** Puts a transaction without dependencies last. */
  void append(TransactionNode node) {
    append(node.begin);
    if (node.commit != node.begin) {
      append(node.commit);
    }
  }

  /**
   * Enters a dependency and makes the order agree with it.
   *
   * @return null, or the path from its end to its beginning that closes a cycle with it; then
   *     nothing has been changed
   */
  @Nullable List<Dependency> enter(Dependency dependency) {
    followed = null;
    if (insert(dependency.from, dependency.to)) {
      dependency.enter();
      return null;
    }
    List<Dependency> path = pathTo(dependency.from, dependency.to);
    endSearch();
    return path;
  }

  private static List<Dependency> pathTo(Event target, Event start) {
    List<Dependency> path = new ArrayList<>();
    Event event = target;
    while (event != start) {
      Dependency via = event.via;
      if (via == null) {
        event = event.owner().begin;
      } else {
        path.add(0, via);
        event = via.from;
      }
    }
    return path;
  }

  @Override
  protected long position(Event event) {
    return event.position;
  }

  @Override
  protected void move(Event event, long position) {
    event.position = position;
  }

  @Override
  protected boolean mark(Event event, long searchMark) {
    if (!event.visit(searchMark)) {
      return false;
    }
    event.via = followed;
    return true;
  }

  @Override
  protected boolean reachSuccessors(Event event) {
    boolean met = event.commit != null && reach(event.commit);
    for (Dependency out = event.firstOut(); out != null && !met; out = out.nextOut()) {
      followed = out;
      met = reach(out.to);
    }
    followed = null;
    return met;
  }

  @Override
  protected void reachPredecessors(Event event) {
    if (event.begin != null) {
      reach(event.begin);
    }
    for (Dependency in = event.firstIn(); in != null; in = in.nextIn()) {
      reach(in.from);
    }
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

package io.isotail.incremental.events;

import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The graph of a level, and a topological order of it that is mended when a dependency contradicts
 * it [1].
 *
 * <p>A begin comes before its commit without a dependency that says so.
 *
 * <p>[1] Pearce, Kelly, A Dynamic Topological Sort Algorithm for Directed Acyclic Graphs, JEA 11,
 * 2006.
 */
final class EventOrder {
  private static final Comparator<Event> BY_POSITION = Comparator.comparingLong(e -> e.position);

  private final List<Event> forward = new ArrayList<>();
  private final List<Event> backward = new ArrayList<>();
  private final ArrayList<Event> stack = new ArrayList<>();
  private long[] positions = new long[16];
  private long next;
  private long lastMark;
  private long visited;

  /** Puts a transaction without dependencies last. */
  void append(Member member) {
    append(member.begin);
    if (member.commit != member.begin) {
      append(member.commit);
    }
  }

  /** Puts an event without dependencies last. */
  void append(Event event) {
    event.position = next++;
  }

  /** Saves what the events do not tell. */
  void save(StateWriter out) {
    out.number(next);
    out.number(lastMark);
    out.number(visited);
  }

  /** Takes back what {@link #save} saved. */
  void load(StateReader in) {
    next = in.number();
    lastMark = in.number();
    visited = in.number();
  }

  /** Events visited by all searches so far. */
  long visited() {
    return visited;
  }

  /**
   * Enters a dependency and makes the order agree with it.
   *
   * @return null, or the path from its end to its beginning that closes a cycle with it; then
   *     nothing has been changed
   */
  @Nullable List<Dependency> enter(Dependency dependency) {
    long lower = dependency.to.position;
    long upper = dependency.from.position;
    if (upper >= lower) {
      if (dependency.from == dependency.to
          || !searchForward(dependency.to, dependency.from, upper)) {
        List<Dependency> path = pathTo(dependency.from, dependency.to);
        forget(forward);
        return path;
      }
      searchBackward(dependency.from, lower);
      reorder();
      forget(forward);
      forget(backward);
    }
    dependency.enter();
    return null;
  }

  /** [1] dfs-f; false if {@code target} was met, and the events on the way then tell how. */
  private boolean searchForward(Event start, Event target, long upper) {
    long mark = ++lastMark;
    push(start, mark, null, forward);
    while (!stack.isEmpty()) {
      Event from = stack.remove(stack.size() - 1);
      Event commit = from.commit;
      if (commit != null && commit.mark != mark && commit.position <= upper) {
        push(commit, mark, null, forward);
        if (commit == target) {
          stack.clear();
          return false;
        }
      }
      for (Dependency out = from.firstOut; out != null; out = out.nextOut) {
        Event to = out.to;
        if (to.mark != mark && to.position <= upper) {
          push(to, mark, out, forward);
          if (to == target) {
            stack.clear();
            return false;
          }
        }
      }
    }
    return true;
  }

  /** [1] dfs-b: what reaches {@code start} from position {@code lower} on. */
  private void searchBackward(Event start, long lower) {
    long mark = ++lastMark;
    push(start, mark, null, backward);
    while (!stack.isEmpty()) {
      Event to = stack.remove(stack.size() - 1);
      Event begin = to.begin;
      if (begin != null && begin.mark != mark && begin.position >= lower) {
        push(begin, mark, null, backward);
      }
      for (Dependency in = to.firstIn; in != null; in = in.nextIn) {
        if (in.from.mark != mark && in.from.position >= lower) {
          push(in.from, mark, null, backward);
        }
      }
    }
  }

  private void push(Event event, long mark, @Nullable Dependency via, List<Event> found) {
    event.mark = mark;
    event.via = via;
    found.add(event);
    stack.add(event);
    visited++;
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

  /**
   * [1] reorder: what leads to the new dependency's beginning goes before what its end leads to.
   */
  private void reorder() {
    forward.sort(BY_POSITION);
    backward.sort(BY_POSITION);
    int n = forward.size() + backward.size();
    if (positions.length < n) {
      positions = new long[2 * n];
    }
    int i = 0;
    for (Event event : backward) {
      positions[i++] = event.position;
    }
    for (Event event : forward) {
      positions[i++] = event.position;
    }
    java.util.Arrays.sort(positions, 0, n);
    i = 0;
    for (Event event : backward) {
      event.position = positions[i++];
    }
    for (Event event : forward) {
      event.position = positions[i++];
    }
  }

  /** How a search came to an event must not keep what has left the window. */
  private static void forget(List<Event> found) {
    for (Event event : found) {
      event.via = null;
    }
    found.clear();
  }
}

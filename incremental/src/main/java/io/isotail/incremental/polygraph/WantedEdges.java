package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.polygraph.TimePoint.Begun;
import io.isotail.incremental.snapshot.Numbered;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to enter a level's graph: what a search forces, and the reads, versions, transactions and
 * points in time that imply an edge. What rests on the order of a key's versions is taken out and
 * wanted anew when versions change places.
 */
final class WantedEdges {
  private final ImpliedEdges implied;
  private final RetirementNotes notes;
  private final ArrayDeque<Numbered> wanted = new ArrayDeque<>();

  /** None is wanted yet. */
  WantedEdges(ImpliedEdges implied, RetirementNotes notes) {
    this.implied = implied;
    this.notes = notes;
  }

  /** The next one, or what implies it, which is no longer kept here; null if there is none. */
  @Nullable Numbered poll() {
    return wanted.poll();
  }

  /** One that could not enter is wanted again, before all others, unless it was withdrawn. */
  void wantAgain(Dependency dependency) {
    Numbered impliedBy = dependency.impliedBy;
    if (impliedBy != null) {
      wanted.addFirst(impliedBy);
    } else if (!dependency.dead) {
      wanted.addFirst(dependency);
    }
  }

  /** Nothing is wanted any more. */
  void dropAll() {
    for (Numbered each : wanted) {
      if (each instanceof ReadEdge read) {
        read.from = dropped(read.from);
        read.behind = dropped(read.behind);
      } else if (each instanceof VersionSlot slot) {
        slot.overwritten = dropped(slot.overwritten);
      } else if (each instanceof TimePoint point) {
        point.fromEnded = dropped(point.fromEnded);
        point.toNext = dropped(point.toNext);
      } else if (each instanceof Begun begun) {
        begun.after = dropped(begun.after);
      } else if (each instanceof TransactionNode node) {
        node.afterBefore = dropped(node.afterBefore);
      } else {
        ((Dependency) each).withdraw();
      }
    }
    wanted.clear();
  }

  private static EdgeState dropped(EdgeState state) {
    return state == EdgeState.WANTED ? EdgeState.ABSENT : state;
  }

  /** Takes out what rests on a version's being followed by the next. */
  static void disconnect(VersionSlot slot) {
    slot.overwritten = EdgeState.ABSENT;
    for (ReadEdge read = slot.readers().first(); read != null; read = read.linkedAfter) {
      read.behind = EdgeState.ABSENT;
    }
  }

  /** Wants what rests on a version's being followed by the next. */
  void connect(VersionSlot slot) {
    VersionSlot next = slot.next;
    if (next == null) {
      return;
    }
    if (slot.writer != null && slot.overwritten == EdgeState.ABSENT) {
      slot.overwritten = EdgeState.WANTED;
      want(slot, implied.overwriting(next.owner()));
    }
    for (ReadEdge read = slot.readers().first(); read != null; read = read.linkedAfter) {
      connect(read);
    }
  }

  /** Wants what rests on it for a reader. */
  void connect(ReadEdge read) {
    VersionSlot next = read.version.next;
    boolean follows = next != null && !read.element && next.writer != read.reader;
    if (next != null && follows && read.behind == EdgeState.ABSENT) {
      read.behind = EdgeState.WANTED;
      want(read, implied.behindEnds(read, next.owner()));
    }
  }

  /** Wants that an end comes after the transaction that ended. */
  void wantEnd(TimePoint end) {
    end.fromEnded = EdgeState.WANTED;
    want(end, end);
  }

  /** Wants that a point in time comes before the next one. */
  void wantNext(TimePoint point, TimePoint next) {
    point.toNext = EdgeState.WANTED;
    want(point, next);
  }

  /** Wants that a transaction comes after the end that it began after. */
  void wantBegun(Begun begun) {
    begun.after = EdgeState.WANTED;
    want(begun, begun.node.begin);
  }

  /**
   * Wants that a new transaction comes after those before it in its session and before those after
   * it, which are linked to one another in this order.
   *
   * @param before one that comes before it, null if none is known
   * @param after one that comes after it, null if none is known
   */
  void wantInSession(
      TransactionNode node, @Nullable TransactionNode before, @Nullable TransactionNode after) {
    TransactionNode previous = before == null && after != null ? after.before : before;
    TransactionNode next = after;
    while (previous != null && node.isEarlierThan(previous)) {
      next = previous;
      previous = previous.before;
    }
    while (previous != null && previous.after != null && !node.isEarlierThan(previous.after)) {
      previous = previous.after;
    }
    if (previous != null && previous.after != null) {
      next = previous.after;
    } else if (next != null && next.before != null) {
      // What leads to it stands beside those that are known here: it is not known any more.
      next.before.after = null;
      notes.followed = true;
    }
    if (previous != null) {
      wantAfter(previous, node);
    }
    if (next != null) {
      wantAfter(node, next);
    } else if (previous != null) {
      node.awaitRun();
    }
  }

  /** Wants that a transaction comes after the one that is to stand before it in its session. */
  void wantAfter(TransactionNode before, TransactionNode node) {
    node.follow(before, EdgeState.WANTED);
    want(node, node.begin);
  }

  /** Wants that a reader, or who is listed behind a version, comes after its writer. */
  void wantRead(ReadEdge read) {
    if (read.version.writer != null) {
      read.from = EdgeState.WANTED;
      want(read, implied.fromEnds(read));
    }
  }

  /** Wants that {@code later} overwrites the version of {@code key} by {@code earlier}. */
  Dependency wantOverwriting(TransactionNode earlier, TransactionNode later, KeyVersions key) {
    return want(new Dependency(earlier.commit, implied.overwriting(later), EdgeKind.WW, key, null));
  }

  /** Wants that a reader comes before the writer of a later version. */
  Dependency wantBehind(ReadEdge read, TransactionNode later) {
    return want(implied.behind(read, later, null));
  }

  /** Takes out what rests on the place of neighbouring versions, which are in order. */
  static void detach(List<VersionSlot> slots) {
    VersionSlot previous = slots.get(0).previous;
    if (previous != null) {
      disconnect(previous);
    }
    slots.forEach(WantedEdges::disconnect);
  }

  /** Wants what rests on the place of versions, as far as it is not there. */
  void attach(List<VersionSlot> slots) {
    for (VersionSlot slot : slots) {
      if (slot.previous != null) {
        connect(slot.previous);
      }
      connect(slot);
    }
  }

  private Dependency want(Dependency dependency) {
    want(dependency, dependency.to);
    return dependency;
  }

  private void want(Numbered edge, Event to) {
    wanted.add(edge);
    notes.noteEdgeTo(to);
  }
}

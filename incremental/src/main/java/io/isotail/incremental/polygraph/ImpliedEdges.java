package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.TimePoint.Begun;
import io.isotail.incremental.snapshot.Numbered;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies that follow from sessions, from reads and from the order of versions: an edge
 * from each transaction to the next one of its session, from a version's writer to each reader and
 * to the next version's writer, and from each reader to the writer of the version after the one it
 * read. None of them is kept as an object: a read and a version say themselves which of theirs are
 * part of the graph, and where these lead follows from their neighbours. An object is made for
 * those that a cycle consists of.
 */
final class ImpliedEdges {
  private final boolean overwritersMayOverlap;

  /** Comes along edges. */
  interface Visitor {
    /**
     * An edge leads here.
     *
     * @param via the read, version, transaction or time that implies it
     * @return whether to go no farther
     */
    boolean comesTo(Event event, Numbered via);
  }

  /** Those of a level from {@code prefix} on. */
  ImpliedEdges(IsolationLevel level) {
    this.overwritersMayOverlap = EdgeKind.WW.leadsToCommit(level);
  }

  /** Where an edge from the writer of an earlier version leads. */
  Event overwriting(TransactionNode later) {
    return overwritersMayOverlap ? later.commit : later.begin;
  }

  /** Where the edge from the writer of the version leads. */
  Event fromEnds(ReadEdge read) {
    return read.isRead() ? read.reader.begin : overwriting(read.reader);
  }

  /** Where the edge to the writer of the next version begins. */
  static Event behindBegins(ReadEdge read) {
    return read.isRead() ? read.reader.begin : read.reader.commit;
  }

  /** Where the edge to the writer of a later version leads. */
  Event behindEnds(ReadEdge read, TransactionNode later) {
    return read.isRead() ? later.commit : overwriting(later);
  }

  /** Comes to the end of each edge from an event, until the visitor goes no farther. */
  boolean successors(Event event, Visitor visitor) {
    TransactionNode node = event.node;
    if (node == null) {
      return false;
    }
    boolean stops = false;
    if (event == node.commit) {
      TransactionNode after = node.after;
      stops =
          after != null
              && after.afterBefore == EdgeState.ENTERED
              && visitor.comesTo(after.begin, after);
      for (VersionSlot slot : node.writes) {
        stops = stops || afterVersion(slot, visitor);
      }
    }
    for (ReadEdge read = node.firstRead; read != null && !stops; read = read.nextOfReader) {
      VersionSlot next = read.version.next;
      if (next != null && read.behind == EdgeState.ENTERED && event == behindBegins(read)) {
        stops = visitor.comesTo(behindEnds(read, next.owner()), read);
      }
    }
    return stops;
  }

  private boolean afterVersion(VersionSlot slot, Visitor visitor) {
    boolean stops = false;
    for (ReadEdge read = slot.readers().first(); read != null && !stops; read = read.linkedAfter) {
      stops = read.from == EdgeState.ENTERED && visitor.comesTo(fromEnds(read), read);
    }
    VersionSlot next = slot.next;
    return stops
        || (next != null
            && slot.overwritten == EdgeState.ENTERED
            && visitor.comesTo(overwriting(next.owner()), slot));
  }

  /** Comes to the beginning of each edge to an event, until the visitor goes no farther. */
  boolean predecessors(Event event, Visitor visitor) {
    TransactionNode node = event.node;
    if (node == null) {
      return false;
    }
    boolean stops = false;
    if (event == node.begin) {
      TransactionNode before = node.before;
      stops =
          before != null
              && node.afterBefore == EdgeState.ENTERED
              && visitor.comesTo(before.commit, node);
    }
    for (ReadEdge read = node.firstRead; read != null && !stops; read = read.nextOfReader) {
      stops =
          read.from == EdgeState.ENTERED
              && event == fromEnds(read)
              && visitor.comesTo(read.version.owner().commit, read);
    }
    for (VersionSlot slot : node.writes) {
      VersionSlot previous = slot.previous;
      stops = stops || (previous != null && beforeVersion(previous, event, node, visitor));
    }
    return stops;
  }

  /** Of a version whose next one a transaction wrote. */
  private boolean beforeVersion(
      VersionSlot slot, Event event, TransactionNode later, Visitor visitor) {
    boolean stops = false;
    if (slot.overwritten == EdgeState.ENTERED && event == overwriting(later)) {
      stops = visitor.comesTo(slot.owner().commit, slot);
    }
    if (event != later.commit && slot.key.lists == null && slot.key.replaced == 0) {
      return stops;
    }
    for (ReadEdge read = slot.readers().first(); read != null && !stops; read = read.linkedAfter) {
      stops =
          read.behind == EdgeState.ENTERED
              && event == behindEnds(read, later)
              && visitor.comesTo(behindBegins(read), read);
    }
    return stops;
  }

  /** Whether any leads to an event. */
  boolean anyLeadsTo(Event event) {
    return predecessors(event, (from, via) -> true);
  }

  /**
   * An edge as an object.
   *
   * @param via what implies it
   * @param to where it leads
   */
  Dependency dependency(Numbered via, Event to) {
    if (via instanceof Dependency known) {
      return known;
    }
    if (via instanceof ReadEdge read) {
      if (to.owner() != read.reader) {
        return behind(read, to.owner(), read);
      }
      EdgeKind kind = read.isRead() ? EdgeKind.WR : EdgeKind.WW;
      return new Dependency(
          read.version.owner().commit, to, kind, read.version.key, null, null, false, read);
    }
    if (via instanceof TransactionNode later) {
      return implied(Objects.requireNonNull(later.before).commit, to, EdgeKind.SO, via);
    }
    if (via instanceof Begun begun) {
      return implied(begun.point, to, EdgeKind.RT, via);
    }
    if (via instanceof TimePoint point) {
      Event from = to == point ? Objects.requireNonNull(point.ended).commit : point;
      return implied(from, to, EdgeKind.RT, via);
    }
    VersionSlot slot = (VersionSlot) via;
    return new Dependency(slot.owner().commit, to, EdgeKind.WW, slot.key, null, null, false, slot);
  }

  private static Dependency implied(Event from, Event to, EdgeKind kind, Numbered by) {
    return new Dependency(from, to, kind, null, null, null, false, by);
  }

  /**
   * That a reader did not see the later version by {@code later}, or that this one comes after the
   * version that directly succeeds the one that it overwrites.
   *
   * @param impliedBy what implies it; null for a choice
   */
  Dependency behind(ReadEdge read, TransactionNode later, @Nullable Numbered impliedBy) {
    return new Dependency(
        behindBegins(read),
        behindEnds(read, later),
        read.isRead() ? EdgeKind.RW : EdgeKind.WW,
        read.version.key,
        read.version.writer,
        read.shown,
        read.replaces,
        impliedBy);
  }
}

package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies that are to enter a level's graph, and those that rest on the order of a key's
 * versions: an edge from each version's writer to the next one's, and from each reader to the
 * writer of the version after the one it read. They are taken out and wanted anew when versions
 * change places.
 */
final class WantedEdges {
  private final IsolationLevel level;
  private final RetirementNotes notes;
  private final ArrayDeque<Dependency> wanted = new ArrayDeque<>();

  /** None is wanted yet. */
  WantedEdges(IsolationLevel level, RetirementNotes notes) {
    this.level = level;
    this.notes = notes;
  }

  /** The next one that is to enter, which is no longer kept here; null if there is none. */
  @Nullable Dependency poll() {
    return wanted.poll();
  }

  /** One that could not enter is wanted again, before all others. */
  void wantAgain(Dependency dependency) {
    wanted.addFirst(dependency);
  }

  /** Nothing is wanted any more. */
  void dropAll() {
    wanted.forEach(Dependency::withdraw);
    wanted.clear();
  }

  /** Takes out what rests on a version's being followed by the next. */
  static void disconnect(VersionSlot slot) {
    if (slot.ww != null) {
      slot.ww.withdraw();
      slot.ww = null;
    }
    for (ReadEdge readEdge : slot.readers()) {
      disconnect(readEdge);
    }
  }

  /** Takes it out for a reader; returns whether there was something. */
  static boolean disconnect(ReadEdge readEdge) {
    if (readEdge.toNext == null) {
      return false;
    }
    readEdge.toNext.withdraw();
    readEdge.toNext = null;
    return true;
  }

  /** Wants what rests on a version's being followed by the next. */
  void connect(VersionSlot slot) {
    VersionSlot next = slot.next;
    if (slot.writer != null && next != null && slot.ww == null) {
      slot.ww = wantOverwriting(slot.writer, writerOf(next), slot.key);
    }
    for (ReadEdge readEdge : slot.readers()) {
      connect(readEdge);
    }
  }

  /** Wants what rests on it for a reader. */
  void connect(ReadEdge readEdge) {
    VersionSlot next = readEdge.version.next;
    if (next != null && readEdge.toNext == null && next.writer != readEdge.reader) {
      readEdge.toNext = wantBehind(readEdge, writerOf(next));
    }
  }

  /** Wants that {@code later} overwrites the version of {@code key} by {@code earlier}. */
  Dependency wantOverwriting(TransactionNode earlier, TransactionNode later, KeyVersions key) {
    return want(earlier.commit, overwriting(later), EdgeKind.WW, key);
  }

  /** Where an edge from the writer of an earlier version leads. */
  private Event overwriting(TransactionNode later) {
    return EdgeKind.WW.leadsToCommit(level) ? later.commit : later.begin;
  }

  /**
   * Wants that a reader did not see the later version by {@code later}, or that this one comes
   * after the version that directly succeeds the one that it overwrites.
   */
  Dependency wantBehind(ReadEdge readEdge, TransactionNode later) {
    VersionSlot version = readEdge.version;
    boolean read = readEdge.shown == null;
    return want(
        new Dependency(
            read ? readEdge.reader.begin : readEdge.reader.commit,
            read ? later.commit : overwriting(later),
            read ? EdgeKind.RW : EdgeKind.WW,
            version.key,
            version.writer,
            readEdge.shown));
  }

  /** Wants a dependency. */
  Dependency want(Event from, Event to, EdgeKind kind, @Nullable KeyVersions key) {
    return want(new Dependency(from, to, kind, key, null));
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
    wanted.add(dependency);
    notes.noteEdgeTo(dependency.to);
    return dependency;
  }

  /** The writer of a version that is not the initial one. */
  static TransactionNode writerOf(VersionSlot slot) {
    if (slot.writer == null) {
      throw new IllegalStateException("the initial version comes first");
    }
    return slot.writer;
  }
}

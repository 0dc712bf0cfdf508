package io.isotail.incremental.events;

import io.isotail.incremental.window.Txn;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A transaction in a level's graph. */
final class Member {
  final Txn txn;
  final Event begin;
  final Event commit;

  /** Where it stands among the writers of each key that it wrote. */
  final List<VersionSlot> writes = new ArrayList<>(2);

  /** Its reads from others, and what it is listed behind. */
  final List<Reading> reads = new ArrayList<>(2);

  /** What its list reads show; others may show it too. */
  final List<Succession> shows = new ArrayList<>(0);

  /** Whether it has left the window, and is kept for the versions that it wrote. */
  boolean retired;

  /** Its beginning, in the chain of its clock and in that of all clocks. */
  final List<TimePoint.Begun> begun = new ArrayList<>(0);

  /** Its end, in the same chains. */
  final List<TimePoint> ends = new ArrayList<>(0);

  /** When it committed, as far as is told; only a guess rests on it. */
  final long hint;

  Member(Txn txn, boolean oneEvent, long hint) {
    this.txn = txn;
    this.hint = hint;
    this.begin = new Event(this);
    this.commit = oneEvent ? begin : new Event(this);
    if (!oneEvent) {
      begin.commit = commit;
      commit.begin = begin;
    }
  }

  /** Where it stands among the writers of {@code key}; null if it did not write it. */
  @Nullable VersionSlot slotOf(long key) {
    for (VersionSlot slot : writes) {
      if (slot.key.key == key) {
        return slot;
      }
    }
    return null;
  }

  /** Whether it reads from another one, is listed behind it, or comes after it in its session. */
  boolean follows(Member other) {
    if (txn.session == other.txn.session && other.txn.number < txn.number) {
      return true;
    }
    for (Reading reading : reads) {
      if (reading.version.writer == other) {
        return true;
      }
    }
    return false;
  }

  /** What shows that a version of its own directly succeeds one of another writer, or null. */
  @Nullable Succession listedBehind(Member other) {
    for (Reading reading : reads) {
      if (reading.version.writer == other && reading.shown != null) {
        return reading.shown;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return txn.name();
  }
}

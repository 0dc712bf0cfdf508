package io.isotail.incremental.certificate;

import io.isotail.incremental.window.SessionState;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes room for the reader of a version that seems to be overwritten already. In which order two
 * transactions came is guessed where nothing shows it. Where a guess was wrong,
 *
 * <ul>
 *   <li>the writer of the version that was read and its overwriter swap: the writer gets a number
 *       behind the overwriter's;
 *   <li>or the overwriter gets one behind what the reader must follow.
 * </ul>
 *
 * <p>What follows from the one that moves, up to there, moves with it, and nothing else. So as a
 * rule this costs what lies between the two, where a search costs all that came later. Where begin
 * and commit are told apart, all that came since is looked through for begins.
 *
 * <p>This is the forward half of the algorithm of Pearce and Kelly (A Dynamic Topological Sort
 * Algorithm for Directed Acyclic Graphs, JEA 2006), on numbers instead of places.
 */
final class Swaps {
  /** For one transaction. */
  private static final int MOST = 8;

  /** Begins and commits between two writers. */
  private static final int MOST_BETWEEN = 1_024;

  /** Of these, so many move. */
  private static final int MOST_MOVED = 64;

  /** Transactions that are looked through for those that began between two writers. */
  private static final int MOST_LOOKED_THROUGH = 65_536;

  /** Between two that move, if there is as much. */
  private static final long SPACE = 16;

  private final Places places;

  /** What has left the window and is kept. */
  private final PlacedList kept;

  private boolean anyBelowFloor;
  private int looked;

  Swaps(Places places, PlacedList kept) {
    this.places = places;
    this.kept = kept;
  }

  /**
   * Whether something was moved, since this was asked last, in between what has left the window, of
   * which it is not known any more what it had read.
   */
  boolean takeForgotten() {
    boolean any = anyBelowFloor;
    anyBelowFloor = false;
    return any;
  }

  /** How many transactions were looked through since this was asked last. */
  int takeLooked() {
    int all = looked;
    looked = 0;
    return all;
  }

  /**
   * Moves overwriters of what was read, or the writers, where the reader must follow a number that
   * is not before the overwriter's.
   *
   * @param after the largest number that the reader's begin must come after
   * @param reads what it read
   * @return whether any was moved: then the reader's bounds have changed
   */
  boolean makeRoom(long after, List<PlacedVersion> reads) {
    int before = looked;
    int moved = 0;
    boolean fails = false;
    for (PlacedVersion version : reads) {
      while (!fails && !version.isLast() && version.next.owner().commit <= after + 1) {
        // Where one read has no room the others do not matter.
        fails =
            moved == MOST
                || looked - before > MOST_LOOKED_THROUGH
                || !(swap(version) || push(version.next, after));
        moved += fails ? 0 : 1;
      }
    }
    return moved > 0;
  }

  /** Puts a version behind the next one, and who read that one; returns whether that could be. */
  private boolean swap(PlacedVersion version) {
    Placed writer = version.writer;
    PlacedVersion next = version.next;
    Placed lastRead = next.readers > 0 ? next.lastRead : null;
    // Which of its readers began last is not known once one has left the window.
    boolean known = next.readers == 0 || (lastRead != null && lastRead.begin > places.floor);
    if (writer == null || !known || isPinned(version)) {
      return false;
    }
    long commit = next.owner().commit;
    long to = lastRead == null ? commit : Math.max(commit, lastRead.begin);
    return new Move(writer, places.isDisjoint(), version).behind(to);
  }

  /** Whether a version and the next one cannot swap since it is known who replaced which. */
  private static boolean isPinned(PlacedVersion version) {
    PlacedVersion next = version.next;
    return version.isPinned() || next.isPinned() || next.next.isPinned();
  }

  /** Puts the commit of a version behind a number; returns whether that could be. */
  private boolean push(PlacedVersion version, long to) {
    return !version.owner().retired && new Move(version.owner(), false, null).behind(to);
  }

  /**
   * A begin or a commit, or both where they are one.
   *
   * @param commits whether it is the commit
   */
  private record Event(Placed placed, boolean commits) {
    long number() {
      return commits ? placed.commit : placed.begin;
    }

    /** So that the order of equal numbers does not depend on how they came to stand in a list. */
    long deliveredAt() {
      return placed.transaction.deliveredAt;
    }
  }

  /** A commit gets a larger number, and so does all that follows from it up to there. */
  private final class Move {
    private final Placed first;
    private final boolean withItsBegin;

    /** The version that is put behind the next one, and this; null if none is. */
    private final @Nullable PlacedVersion version;

    private final @Nullable PlacedVersion next;

    /** What moves, ascending. */
    private final List<Event> moved = new ArrayList<>();

    /** Whose begins move. */
    private final Set<Placed> begun = new ReferenceLinkedOpenHashSet<>();

    /** Whose commits move. */
    private final Set<Placed> committed = new ReferenceLinkedOpenHashSet<>();

    /** What those have read whose begins move. */
    private final Set<PlacedVersion> readByThem = new ReferenceOpenHashSet<>();

    /** Sessions of those whose commits move. */
    private final Set<SessionState> sessions = new ReferenceOpenHashSet<>();

    /** The smallest number in use behind all that moves. */
    private long free = Room.MOST;

    Move(Placed first, boolean withItsBegin, @Nullable PlacedVersion version) {
      this.first = first;
      this.withItsBegin = withItsBegin;
      this.version = version;
      this.next = version == null ? null : version.next;
    }

    /** Puts it right behind a number; returns whether that could be, else nothing has changed. */
    boolean behind(long to) {
      long from = withItsBegin ? first.begin : first.commit;
      List<Event> between = between(from, to);
      for (Event event : between) {
        if (!isFirst(event) && !follows(event)) {
          continue;
        }
        if (moved.size() == MOST_MOVED || isAgainst(event)) {
          return false;
        }
        moved.add(event);
        if (begins(event)) {
          begun.add(event.placed);
          readByThem.addAll(List.of(event.placed.read));
        }
        if (event.commits) {
          committed.add(event.placed);
          sessions.add(event.placed.transaction.session);
        }
      }
      long step = Math.min(SPACE, (free - to) / (moved.size() + 1));
      if (between.isEmpty() || step < 1) {
        return false;
      }
      anyBelowFloor |= from <= places.floor;
      move(to, step);
      return true;
    }

    /**
     * Whether it cannot move: it is the writer that another one swaps with, or has read what came
     * before both, or the other version, and must begin before that is overwritten.
     */
    private boolean isAgainst(Event event) {
      Placed placed = event.placed;
      for (PlacedVersion read : begins(event) ? placed.read : Placed.NO_VERSIONS) {
        if (version != null && (read == version.previous || read == next)) {
          return true;
        }
      }
      return next != null && placed == next.writer;
    }

    private boolean begins(Event event) {
      return places.one || !event.commits;
    }

    private boolean isFirst(Event event) {
      return event.placed == first && (event.commits || withItsBegin);
    }

    /** The events from a number to another one, ascending; none if they are too many. */
    private List<Event> between(long from, long to) {
      List<Event> found = new ArrayList<>();
      int most = looked + MOST_LOOKED_THROUGH;
      Placed at = first.retired ? places.inWindow.first() : first;
      while (at != null && at.before != null && at.before.commit >= from && looked++ < most) {
        at = at.before;
      }
      for (; at != null && !(places.one && free < Room.MOST); at = at.after) {
        if (found.size() > MOST_BETWEEN || looked++ >= most) {
          return List.of();
        }
        note(at, from, to, found);
      }
      for (at = from <= places.floor ? kept.first() : null; at != null; at = at.after) {
        if (found.size() > MOST_BETWEEN || looked++ >= most) {
          return List.of();
        }
        note(at, from, to, found);
      }
      found.sort(Comparator.comparingLong(Event::number).thenComparingLong(Event::deliveredAt));
      return found;
    }

    private void note(Placed placed, long from, long to, List<Event> found) {
      if (!places.one) {
        note(new Event(placed, false), from, to, found);
      }
      note(new Event(placed, true), from, to, found);
    }

    private void note(Event event, long from, long to, List<Event> found) {
      long number = event.number();
      if (number > to) {
        free = Math.min(free, number);
      } else if (number >= from) {
        found.add(event);
      }
    }

    /** Whether it must come after something that moves. */
    private boolean follows(Event event) {
      return (begins(event) && beginFollows(event.placed))
          || (event.commits && commitFollows(event.placed));
    }

    private boolean beginFollows(Placed placed) {
      if (sessions.contains(placed.transaction.session)) {
        return true;
      }
      for (PlacedVersion read : placed.read) {
        if (!read.isTakenOut() && committed.contains(read.writer)) {
          return true;
        }
      }
      return (places.isDisjoint() && overwrites(placed)) || isLaterByTime(placed);
    }

    private boolean isLaterByTime(Placed placed) {
      RealTimeOrder realTime = places.realTime;
      if (realTime != null) {
        for (Placed earlier : committed) {
          if (realTime.isBefore(earlier.transaction.times, placed.transaction.times)) {
            return true;
          }
        }
      }
      return false;
    }

    private boolean commitFollows(Placed placed) {
      if (begun.contains(placed) || (!places.isDisjoint() && overwrites(placed))) {
        return true;
      }
      for (PlacedVersion written : placed.wrote) {
        if (written != next && readByThem.contains(written.previous)) {
          return true;
        }
      }
      return false;
    }

    /** Whether a version of it comes directly behind one that moves, when they have swapped. */
    private boolean overwrites(Placed placed) {
      for (PlacedVersion written : placed.wrote) {
        boolean behindBoth = next != null && written.previous == next;
        if (written != next && (behindBoth || committed.contains(written.previous.writer))) {
          return true;
        }
      }
      return false;
    }

    private void move(long to, long step) {
      Placed at = first.retired ? null : first.before;
      while (at != null && committed.contains(at)) {
        at = at.before;
      }
      for (Placed placed : committed) {
        if (!placed.retired) {
          places.inWindow.remove(placed);
        }
      }
      long number = to;
      for (Event event : moved) {
        number += step;
        if (begins(event)) {
          event.placed.begin = number;
        }
        if (event.commits) {
          event.placed.commit = number;
        }
      }
      for (Placed placed : committed) {
        if (placed.retired) {
          kept.rows.changed(placed);
          places.floor = Math.max(places.floor, placed.commit);
        } else {
          places.inWindow.addByCommit(placed, at);
          at = placed;
        }
      }
      for (Placed placed : begun) {
        (placed.retired ? kept : places.inWindow).rows.changed(placed);
        for (PlacedVersion read : placed.read) {
          read.noteRead(placed);
        }
      }
      if (version != null && next != null) {
        next.takeOut();
        next.insertBehind(version.previous);
      }
      if (places.realTime != null) {
        places.realTime.renumbered(new ArrayList<>(committed));
      }
    }
  }
}

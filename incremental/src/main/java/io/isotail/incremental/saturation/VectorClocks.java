package io.isotail.incremental.saturation;

import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes clocks as ComputeHB of [1] Algorithm 3 does, one transaction at a time.
 *
 * <p>A clock is shared by all transactions of a session that have seen the same, and a new one is
 * made only when something new is seen. The entry of a transaction's own slot is left out: it is
 * always its own number less one. Because happens-before is transitive, a writer that the clock
 * already covers adds nothing.
 *
 * <p>The numbers that clocks hold are counted, those that they share once. Beyond a bound clocks
 * are let go, the oldest first; that of a session's latest transaction is passed over a few times,
 * since the next one will ask for it, and then let go like any other. What is let go is computed
 * anew by going back from transaction to transaction over so ∪ wr, as far as the search has not
 * been before or finds a clock. So what is let go changes no answer, as long as the steps last that
 * may be taken: each transaction adds to them. When they are spent a clock is incomplete. It then
 * names only what happens before indeed, but not all of it, so that a violation may be missed.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class VectorClocks {
  private static final int STEPS_PER_TRANSACTION = 1_000;

  /** Latest clocks that are passed over before one of them is let go. */
  private static final int PASSED_OVER = 4;

  /** References that are compared in about one step. */
  private static final int CHUNKS_PER_STEP = 16;

  private final Tuning tuning;

  /** The clocks that are kept, the one that is let go next first. */
  private final ArrayDeque<Clock> kept = new ArrayDeque<>();

  private long entries;
  private int sessions;
  private long steps;

  /** Place of the transaction that was given a clock last. */
  private long last = -1;

  /** Place before which nothing is followed: it has left the window, or is settled. */
  private long oldest;

  /** Whether the steps were spent on the clock that was computed last. */
  private boolean incomplete;

  private @Nullable Transaction[] unread = new Transaction[64];

  /** No clocks yet; keeps about as many numbers as {@code tuning} says. */
  public VectorClocks(Tuning tuning) {
    this.tuning = tuning;
    this.steps = tuning.recallSteps();
  }

  /**
   * Sets the clock of {@code t} from its session predecessor and the writers that it read from.
   *
   * @return false if the clock is incomplete, since what it would have taken was too much
   */
  public boolean assign(Transaction t) {
    begin();
    last = t.deliveredAt;
    if (!t.uncaptured()) {
      sessions = Math.max(sessions, t.slot + 1);
    }
    Transaction predecessor = delivered(t.soPrev);
    Clock shared = predecessor == null ? Clock.NOTHING_SEEN : RelationNode.clockOf(predecessor);
    boolean alike = predecessor == null || predecessor.slot == t.slot;
    if (shared != null && alike && (Slots.isNumbered(t.slot) || predecessor == null)) {
      if (nextUnseen(t, shared) == null) {
        RelationNode.in(t).clock = shared;
        shared.extendTo(t);
        letGo(shared);
        return true;
      }
    }
    keep(t, seenBy(t, predecessor));
    return !incomplete;
  }

  /** What happens before {@code t}, with its own predecessor where that has no number. */
  private Clock seenBy(Transaction t, @Nullable Transaction predecessor) {
    // The writer that was delivered last has most likely seen the others.
    Transaction first = nextUnseen(t, Clock.NOTHING_SEEN);
    if (first == null
        || RelationNode.clockOf(first) == null
        || (predecessor != null && predecessor.deliveredAt > first.deliveredAt)) {
      first = predecessor;
    }
    Clock clock = Clock.NOTHING_SEEN.toBuild(oldest);
    Clock latest = first == null ? null : RelationNode.clockOf(first);
    if (first != null && latest != null) {
      clock = latest.toBuild(oldest);
      clock.add(first);
    }
    if (predecessor != null && !clock.covers(predecessor)) {
      absorb(clock, predecessor);
    }
    for (Transaction next = nextUnseen(t, clock); next != null; next = nextUnseen(t, clock)) {
      absorb(clock, next);
    }
    return clock;
  }

  /** What {@code t}, which was assigned its clock last, has seen, and itself. */
  public Clock with(Transaction t) {
    Clock before = RelationNode.clockOf(t);
    Clock clock = (before == null ? Clock.NOTHING_SEEN : before).toBuild(oldest);
    clock.add(t);
    clock.built();
    return clock;
  }

  /**
   * Adds what {@code more} has seen to the clock of {@code t}, which is computed anew if it has
   * been let go.
   *
   * @return false if the clock is incomplete
   */
  public boolean join(Transaction t, Clock more) {
    begin();
    Clock before = RelationNode.clockOf(t);
    Clock clock = before == null ? seenBy(t, delivered(t.soPrev)) : before.toBuild(oldest);
    clock.addAll(more, oldest);
    remove(t);
    keep(t, clock);
    return !incomplete;
  }

  /**
   * Computes the clock of {@code t} anew if it has been let go.
   *
   * @return false if the clock is incomplete
   */
  public boolean recall(Transaction t) {
    begin();
    if (RelationNode.clockOf(t) == null) {
      keep(t, seenBy(t, delivered(t.soPrev)));
    }
    return !incomplete;
  }

  /** Whether {@code earlier} happens before {@code t}. Both must be delivered. */
  public boolean sees(Transaction t, Transaction earlier) {
    if (earlier.slot == t.slot) {
      return earlier.seq < t.seq;
    }
    Clock clock = RelationNode.clockOf(t);
    if (clock == null) {
      begin();
      clock = seenBy(t, delivered(t.soPrev));
    }
    return clock.covers(earlier);
  }

  /** Whether the last call could not look at all that happens before a transaction. */
  public boolean incomplete() {
    return incomplete;
  }

  /**
   * Whether a clock that is still there says that {@code t} has seen another; false when in doubt.
   * Since a transaction is delivered after what happens before it, most questions need no clock.
   */
  public static boolean knownToSee(Transaction t, Transaction earlier) {
    if (earlier.slot == t.slot) {
      return earlier.seq < t.seq;
    }
    Clock clock = RelationNode.clockOf(t);
    return clock != null && clock.covers(earlier);
  }

  /** The writer delivered last among those that the clock does not cover, or null. */
  private @Nullable Transaction nextUnseen(Transaction t, Clock clock) {
    Transaction latest = null;
    for (Transaction writer : t.readWriters) {
      // Session order already covers a writer of the same slot.
      if (writer != null
          && isFollowed(writer)
          && writer.slot != t.slot
          && (latest == null || writer.deliveredAt > latest.deliveredAt)
          && !clock.covers(writer)) {
        latest = writer;
      }
    }
    return latest;
  }

  private void begin() {
    incomplete = false;
    steps = Math.min(steps + STEPS_PER_TRANSACTION, tuning.recallSteps());
  }

  /** Adds {@code seen} and its past to {@code clock}. */
  private void absorb(Clock clock, Transaction seen) {
    Clock past = RelationNode.clockOf(seen);
    if (past != null) {
      clock.addAll(past, oldest);
      clock.add(seen);
    } else {
      search(clock, seen);
    }
  }

  /**
   * Goes back from {@code start}. An entry of the clock covers the past of what it names, or that
   * past is still to be read.
   */
  private void search(Clock into, Transaction start) {
    int open = push(0, start);
    while (open > 0) {
      Transaction latest = unread[--open];
      unread[open] = null;
      if (latest == null || into.covers(latest)) {
        continue;
      }
      boolean numbered = Slots.isNumbered(latest.slot);
      int known = numbered ? into.number(latest.slot) : 0;
      into.add(latest);
      for (Transaction t = latest; t != null; t = delivered(t.soPrev)) {
        if (t.slot != latest.slot) {
          open = push(open, t);
          break;
        }
        if (numbered ? t.seq <= known : t != latest && into.covers(t)) {
          break;
        }
        into.add(t);
        steps -= 1 + t.readWriters.length;
        if (steps < 0) {
          incomplete = true;
          Arrays.fill(unread, 0, open, null);
          return;
        }
        Clock past = RelationNode.clockOf(t);
        if (past != null) {
          into.addAll(past, oldest);
          steps -= past.chunks() / CHUNKS_PER_STEP;
          break;
        }
        for (Transaction writer : t.readWriters) {
          if (writer != null && isFollowed(writer) && !into.covers(writer)) {
            open = push(open, writer);
          }
        }
      }
    }
  }

  private int push(int size, Transaction t) {
    if (size == unread.length) {
      unread = Arrays.copyOf(unread, size * 2);
    }
    unread[size] = t;
    return size + 1;
  }

  /** The last one up to {@code t} in session order that is delivered, or null. */
  private @Nullable Transaction delivered(@Nullable Transaction t) {
    Transaction last = t;
    while (last != null && last.state == Transaction.State.PENDING) {
      // Promoted after its session had gone on, and not delivered again yet.
      last = last.soPrev;
    }
    return last == null || !isFollowed(last) ? null : last;
  }

  private boolean isFollowed(Transaction t) {
    return t.state == Transaction.State.DELIVERED && t.deliveredAt >= oldest;
  }

  private void keep(Transaction t, Clock clock) {
    RelationNode.in(t).clock = clock;
    entries += clock.keep(t);
    kept.add(clock);
    letGo(clock);
  }

  /** {@code t} has no clock any more: it leaves the window, or is about to be given another one. */
  public void remove(Transaction t) {
    Clock clock = RelationNode.clockOf(t);
    if (clock == null || clock.first() != t) {
      return;
    }
    Transaction next = nextOfSession(t);
    if (t != clock.last() && next != null && RelationNode.clockOf(next) == clock) {
      clock.startAt(next);
    } else {
      entries -= clock.letGo();
    }
  }

  private static @Nullable Transaction nextOfSession(Transaction t) {
    Transaction next = t.soNext;
    while (next != null && next.state == Transaction.State.PENDING) {
      next = next.soNext;
    }
    return next;
  }

  /** What was delivered before that place has left the window, or is settled. */
  public void forgetBefore(long place) {
    oldest = place;
  }

  /** Forgets all clocks, which are those of these transactions. */
  public void clear(Iterable<Transaction> transactions) {
    for (Transaction t : transactions) {
      RelationNode.in(t).clock = null;
    }
    clear();
  }

  /**
   * Lets go of clocks while they hold too many numbers.
   *
   * @param current the one that is about to be asked, which stays
   */
  private void letGo(Clock current) {
    int passedOver = 0;
    while (!kept.isEmpty()) {
      Clock oldest = kept.element();
      Transaction latest = oldest.last();
      if (latest != null && (entries <= tuning.clockEntries(sessions) || oldest == current)) {
        return;
      }
      kept.remove();
      if (latest == null) {
        continue;
      }
      if (passedOver < PASSED_OVER && isLatest(latest)) {
        passedOver++;
        kept.add(oldest);
      } else {
        forget(oldest);
      }
    }
  }

  private void forget(Clock clock) {
    Transaction end = clock.last();
    for (Transaction t = clock.first(); t != null; t = t == end ? null : nextOfSession(t)) {
      // Not so where one in between was given a clock of its own.
      RelationNode node = RelationNode.of(t);
      if (node != null && node.clock == clock) {
        node.clock = null;
      }
    }
    entries -= clock.letGo();
  }

  /** Whether no clock of its session has been made from its own. */
  private boolean isLatest(Transaction t) {
    Transaction next = t.soNext;
    return next == null || next.state != Transaction.State.DELIVERED || next.deliveredAt > last;
  }

  /** Numbers that the clocks hold, of 4 bytes each, with what it takes to hold them. */
  public long entries() {
    return entries;
  }

  /** Forgets all clocks that were kept; the transactions have let go of theirs. */
  public void clear() {
    kept.clear();
    entries = 0;
  }

  /** Saves which clocks are kept, and in which order they are let go. */
  public void save(RelationWriter out) {
    kept.removeIf(clock -> clock.last() == null);
    out.graph.out.count(kept.size());
    kept.forEach(out::clock);
    out.graph.out.number(entries);
    out.graph.out.count(sessions);
    out.graph.out.number(steps);
    out.graph.out.number(last);
    out.graph.out.number(oldest);
  }

  /** Takes back what {@link #save} saved. */
  public void load(RelationReader in) {
    for (int i = in.graph.in.count(); i > 0; i--) {
      kept.add(in.clock());
    }
    entries = in.graph.in.number();
    sessions = in.graph.in.count();
    steps = in.graph.in.number();
    last = in.graph.in.number();
    oldest = in.graph.in.number();
  }
}

package io.isotail.incremental.clock;

import io.isotail.incremental.config.Tuning;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Txn;
import it.unimi.dsi.fastutil.ints.IntArrayFIFOQueue;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Computes clocks as ComputeHB of [1] Algorithm 3 does, one transaction at a time.
 *
 * <p>A clock is shared by all transactions of a session that have seen the same, and copied only
 * when something new is seen. The entry of a transaction's own slot is left out: it is always its
 * own number less one. Because happens-before is transitive, a writer that the clock already covers
 * adds nothing.
 *
 * <p>A clock has an entry for each slot, so with thousands of live sessions not every transaction
 * of the window can keep one. Beyond a bound the oldest are let go, except those of sessions'
 * latest transactions. Whoever needs one that is gone goes back from transaction to transaction
 * over so ∪ wr, as far as he has not been before or finds a clock. What is let go changes no
 * answer.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class VectorClocks {
  private static final int[] NONE = Txn.NOTHING_SEEN;

  private final Tuning tuning;
  private final ArrayDeque<Txn> owners = new ArrayDeque<>();
  private final IntArrayFIFOQueue lengths = new IntArrayFIFOQueue();
  private long entries;
  private int longest;

  /** Place of the transaction that was given a clock last. */
  private long last = -1;

  private @Nullable Txn[] unread = new Txn[64];

  /** No clocks yet; keeps about as many numbers as {@code tuning} says. */
  public VectorClocks(Tuning tuning) {
    this.tuning = tuning;
  }

  /** Sets the clock of {@code t} from its session predecessor and the writers that it read from. */
  public void assign(Txn t) {
    last = t.deliveredAt;
    Txn predecessor = delivered(t.soPrev);
    int[] shared = predecessor == null ? NONE : predecessor.clock;
    if (shared != null && (predecessor == null || predecessor.slot == t.slot)) {
      if (nextUnseen(t, shared) == null) {
        t.clock = shared;
        letGo();
        return;
      }
    }
    // Whoever was delivered last has most likely seen the others.
    Txn first = nextUnseen(t, NONE);
    if (first == null
        || first.clock == null
        || (predecessor != null && predecessor.deliveredAt > first.deliveredAt)) {
      first = predecessor;
    }
    int[] clock = NONE;
    if (first != null && first.clock != null) {
      clock = Arrays.copyOf(first.clock, Math.max(first.clock.length, first.slot + 1));
      clock[first.slot] = Math.max(clock[first.slot], first.seq);
    }
    if (predecessor != null && !covers(clock, predecessor)) {
      clock = absorb(clock, predecessor);
    }
    for (Txn next = nextUnseen(t, clock); next != null; next = nextUnseen(t, clock)) {
      clock = absorb(clock, next);
    }
    t.clock = clock;
    keep(t, clock.length);
    letGo();
  }

  /** Adds everything that {@code earlier} has seen, and itself, to the clock of {@code t}. */
  public void join(Txn t, Txn earlier) {
    int[] clock = t.clock;
    if (clock != null) {
      t.clock = absorb(clock.clone(), earlier);
    }
  }

  /** Gives {@code t} back the clock that it has let go. */
  public void recall(Txn t) {
    if (t.clock == null) {
      t.clock = pastOf(t);
    }
  }

  /** Whether {@code earlier} happens before {@code t}. Both must be delivered. */
  public boolean sees(Txn t, Txn earlier) {
    if (earlier.slot == t.slot) {
      return earlier.seq < t.seq;
    }
    int[] clock = t.clock == null ? pastOf(t) : t.clock;
    return covers(clock, earlier);
  }

  /**
   * The same where only a clock that is still there is asked; false when in doubt. Since a
   * transaction is delivered after what happens before it, most questions need no clock.
   */
  public static boolean knownToSee(Txn t, Txn earlier) {
    if (earlier.slot == t.slot) {
      return earlier.seq < t.seq;
    }
    int[] clock = t.clock;
    return clock != null && covers(clock, earlier);
  }

  /** The writer delivered last among those that the clock does not cover, or null. */
  private static @Nullable Txn nextUnseen(Txn t, int[] clock) {
    Txn latest = null;
    for (Txn writer : t.readWriters) {
      // Session order already covers a writer of the same slot.
      if (writer != null
          && writer.state == Txn.State.DELIVERED
          && writer.slot != t.slot
          && (latest == null || writer.deliveredAt > latest.deliveredAt)
          && !covers(clock, writer)) {
        latest = writer;
      }
    }
    return latest;
  }

  private static boolean covers(int[] clock, Txn writer) {
    return writer.slot < clock.length && clock[writer.slot] >= writer.seq;
  }

  private static int[] merge(int[] into, int[] seen) {
    int[] merged = into.length >= seen.length ? into : Arrays.copyOf(into, seen.length);
    // Written so that it becomes vector instructions.
    for (int i = 0; i < seen.length; i++) {
      merged[i] = Math.max(merged[i], seen[i]);
    }
    return merged;
  }

  /** Adds {@code seen} and its past to {@code clock}, which may be replaced by a longer one. */
  private int[] absorb(int[] clock, Txn seen) {
    int[] into = clock.length > seen.slot ? clock : Arrays.copyOf(clock, seen.slot + 1);
    if (seen.clock != null) {
      into = merge(into, seen.clock);
      into[seen.slot] = Math.max(into[seen.slot], seen.seq);
      return into;
    }
    return search(into, seen);
  }

  /** Everything that happens before {@code t}, from what is left of it in the window. */
  private int[] pastOf(Txn t) {
    int[] clock = NONE;
    Txn predecessor = delivered(t.soPrev);
    if (predecessor != null) {
      clock = absorb(clock, predecessor);
    }
    for (Txn writer : t.readWriters) {
      if (writer != null && writer.state == Txn.State.DELIVERED && !covers(clock, writer)) {
        clock = absorb(clock, writer);
      }
    }
    return clock;
  }

  /**
   * Goes back from {@code start}. An entry of the clock covers the past of what it names, or that
   * past is still to be read.
   */
  private int[] search(int[] clock, Txn start) {
    int[] into = clock;
    int open = push(0, start);
    while (open > 0) {
      Txn last = unread[--open];
      unread[open] = null;
      if (last == null || covers(into, last)) {
        continue;
      }
      if (into.length <= last.slot) {
        into = Arrays.copyOf(into, last.slot + 1);
      }
      int known = into[last.slot];
      into[last.slot] = last.seq;
      for (Txn t = last; t != null; t = delivered(t.soPrev)) {
        if (t.slot == last.slot && t.seq <= known) {
          break;
        }
        if (t.slot != last.slot) {
          open = push(open, t);
          break;
        }
        if (t.clock != null) {
          into = merge(into, t.clock);
          break;
        }
        for (Txn writer : t.readWriters) {
          if (writer != null && writer.state == Txn.State.DELIVERED && !covers(into, writer)) {
            open = push(open, writer);
          }
        }
      }
    }
    return into;
  }

  private int push(int size, Txn t) {
    if (size == unread.length) {
      unread = Arrays.copyOf(unread, size * 2);
    }
    unread[size] = t;
    return size + 1;
  }

  /** The last one up to {@code t} in session order that is delivered, or null. */
  private static @Nullable Txn delivered(@Nullable Txn t) {
    Txn last = t;
    while (last != null && last.state == Txn.State.PENDING) {
      // Promoted after its session had gone on, and not delivered again yet.
      last = last.soPrev;
    }
    return last == null || last.state != Txn.State.DELIVERED ? null : last;
  }

  private void keep(Txn owner, int length) {
    owners.add(owner);
    lengths.enqueue(length);
    entries += length;
    longest = Math.max(longest, length);
  }

  /** Lets go of the oldest clocks while there are too many numbers. */
  private void letGo() {
    int looks = 4;
    while (!owners.isEmpty()) {
      Txn oldest = owners.element();
      boolean truncated = oldest.state == Txn.State.TRUNCATED;
      if (!truncated && (entries <= tuning.clockEntries(longest) || looks-- == 0)) {
        return;
      }
      owners.remove();
      int length = lengths.dequeueInt();
      entries -= length;
      if (!truncated && isLatest(oldest)) {
        keep(oldest, length);
      } else {
        forget(oldest);
      }
    }
  }

  /** Those of its session that have seen nothing more share its clock. */
  private void forget(Txn owner) {
    int[] shared = owner.clock;
    for (Txn t = owner; t != null && shared != null && t.clock == shared; t = t.soNext) {
      if (isLatest(t)) {
        return;
      }
      t.clock = null;
    }
  }

  /** Whether no clock of its session has been made from its own. */
  private boolean isLatest(Txn t) {
    Txn next = t.soNext;
    return next == null || next.state != Txn.State.DELIVERED || next.deliveredAt > last;
  }

  /** Forgets all clocks that were kept; the transactions have let go of theirs. */
  public void clear() {
    owners.clear();
    lengths.clear();
    entries = 0;
  }

  /** Saves which clocks are kept, and in which order they are let go. */
  public void save(GraphWriter out) {
    out.transactions(owners);
    // A queue can't be looked into: each number goes round once.
    for (int i = lengths.size(); i > 0; i--) {
      int length = lengths.dequeueInt();
      out.out.count(length);
      lengths.enqueue(length);
    }
    out.out.number(entries);
    out.out.count(longest);
    out.out.number(last);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader in) {
    owners.addAll(in.transactions());
    for (int i = owners.size(); i > 0; i--) {
      lengths.enqueue(in.in.count());
    }
    entries = in.in.number();
    longest = in.in.count();
    last = in.in.number();
  }
}

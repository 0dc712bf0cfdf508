package io.isotail.incremental.window;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The delivered transactions in the window that wrote one key, in delivery order.
 *
 * <p>Answers the question of [1] Algorithm 3, lines 8-15: of the writers that happen before a
 * reader t3, which are not known to happen before t1, the one that it read from? The algorithm asks
 * the last writer of every session. Here nearly all of them need never be looked at, because each
 * writer remembers which earlier ones it has <em>not</em> seen: they are found from what the last
 * writer that it has seen had not seen in turn, since happens-before is transitive. What remains
 * are those few, and the writers delivered after t1. Where these would be many, the writers are
 * asked by slot after all.
 *
 * <p>A place is a number that a writer keeps while it is here; places ascend in delivery order and
 * are compared by their difference, so that they may wrap.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class KeyWriters {
  /** The unseen writers are not remembered. */
  private static final int[] NOT_KNOWN = {};

  /** Unseen writers that one writer remembers at most. */
  private static final int MAX_UNSEEN = 512;

  /** Only that many of the last writers remember. */
  private static final int REMEMBERING = 128;

  /** More writers than that are not looked at one by one. */
  private static final int ONE_BY_ONE = 32;

  private @Nullable Txn[] writers = new Txn[1];
  private int[] slots = new int[1];
  private int[] numbers = new int[1];
  private int[] @Nullable [] unseen = new int[1][];
  private int head;
  private int tail;
  private int firstPlace;
  private @Nullable SlotIndex bySlot;

  /** Whether there is none. */
  public boolean isEmpty() {
    return head == tail;
  }

  /** The writer at a place. */
  public Txn at(int place) {
    Txn writer = writers[place - firstPlace];
    if (writer == null) {
      throw new IllegalStateException("no writer at place " + place);
    }
    return writer;
  }

  /**
   * Adds a writer that has its clock, after all others.
   *
   * @param found space to work in
   * @return its place
   */
  int add(Txn writer, Places found) {
    if (tail == writers.length) {
      makeRoom();
    }
    int i = tail;
    int @Nullable [] notSeen = unseenBy(writer, found);
    writers[i] = writer;
    slots[i] = writer.slot;
    numbers[i] = writer.seq;
    unseen[i] = notSeen;
    tail++;
    if (tail - head > REMEMBERING) {
      unseen[tail - 1 - REMEMBERING] = NOT_KNOWN;
    }
    if (bySlot != null) {
      bySlot.add(writer.slot, writer.seq, firstPlace + i);
    }
    return firstPlace + i;
  }

  /** Takes out a writer that leaves the window. */
  void remove(int place) {
    int i = place - firstPlace;
    if (bySlot != null) {
      bySlot.remove(slots[i], place);
    }
    writers[i] = null;
    unseen[i] = null;
    while (head < tail && writers[head] == null) {
      head++;
    }
    if (head == tail) {
      bySlot = null;
    }
  }

  /**
   * Collects the writers that happen before {@code t3} and are not known to precede {@code t1} in
   * the causal relation already. Of these only such as are not known to happen before another one:
   * an edge from the later writer implies the one from the earlier.
   *
   * @param t1 one of the writers, or the initial transaction, which nobody happens before
   * @param place of {@code t1}; meaningless for the initial transaction
   * @param found receives the places
   * @return whether those at places before {@code place} are from t1's memory, so that none of them
   *     has been collected for it before, provided that each time {@link #settle} was called
   */
  public boolean seenBeside(Txn t1, int place, Txn t3, Places found) {
    found.clear();
    if (t1 == Txn.INITIAL) {
      if (tail - head <= ONE_BY_ONE) {
        collectFrom(head, t3, found);
      } else {
        collectBySlot(t1, place, t3, found);
      }
      return false;
    }
    int i = place - firstPlace;
    int @Nullable [] notSeen = unseen[i];
    if (tail - 1 - i <= ONE_BY_ONE && notSeen != NOT_KNOWN) {
      collectFrom(i + 1, t3, found);
      if (notSeen != null) {
        for (int p : notSeen) {
          int j = p - firstPlace;
          if (j >= head && writers[j] != null && sees(t3, j)) {
            collect(j, found);
          }
        }
      }
      return true;
    }
    if (tail - head <= ONE_BY_ONE) {
      collectFrom(head, t3, found);
      found.removeIf(p -> p == place || sees(t1, p - firstPlace));
    } else {
      collectBySlot(t1, place, t3, found);
    }
    return false;
  }

  /**
   * The writer at {@code place} forgets the earlier ones that {@code t3} has seen: they now precede
   * it in the causal relation by edges, and so they do everyone who sees it.
   */
  public void settle(int place, Txn t3) {
    int i = place - firstPlace;
    int @Nullable [] notSeen = unseen[i];
    if (notSeen == null || notSeen == NOT_KNOWN) {
      return;
    }
    int kept = 0;
    for (int p : notSeen) {
      int j = p - firstPlace;
      if (j >= head && writers[j] != null && !sees(t3, j)) {
        notSeen[kept++] = p;
      }
    }
    unseen[i] = kept == 0 ? null : kept == notSeen.length ? notSeen : Arrays.copyOf(notSeen, kept);
  }

  /** The last writer of the reader's own session before it, or null. */
  public @Nullable Txn lastInSessionOf(Txn reader) {
    if (tail - head > ONE_BY_ONE) {
      SlotIndex index = slotIndex();
      int s = index.find(reader.slot);
      int last = s < 0 ? -1 : index.lastUpTo(s, reader.seq - 1);
      return last < 0 ? null : at(index.place(s, last));
    }
    Txn last = null;
    for (int j = head; j < tail; j++) {
      if (writers[j] != null
          && slots[j] == reader.slot
          && numbers[j] < reader.seq
          && (last == null || last.seq < numbers[j])) {
        last = writers[j];
      }
    }
    return last;
  }

  /** Latest first, since nobody happens before one who was delivered earlier. */
  private void collectFrom(int from, Txn t3, Places found) {
    for (int j = tail - 1; j >= from; j--) {
      if (writers[j] != null && sees(t3, j)) {
        collect(j, found);
      }
    }
  }

  private void collectBySlot(Txn t1, int place, Txn t3, Places found) {
    SlotIndex index = slotIndex();
    Places last = new Places();
    for (int s = 0; s < index.size(); s++) {
      int i = index.lastUpTo(s, lastSeen(t3, index.slot(s)));
      if (i >= 0) {
        int p = index.place(s, i);
        if (t1 == Txn.INITIAL || (p != place && !sees(t1, p - firstPlace))) {
          last.add(p);
        }
      }
    }
    last.sortLatestFirst(firstPlace);
    for (int k = 0; k < last.size(); k++) {
      collect(last.get(k) - firstPlace, found);
    }
  }

  /** The last number of the slot that {@code t}, which has its clock, has seen. */
  private static int lastSeen(Txn t, int slot) {
    if (slot == t.slot) {
      return t.seq - 1;
    }
    int[] clock = t.clock;
    return clock != null && slot < clock.length ? clock[slot] : 0;
  }

  private void collect(int j, Places found) {
    for (int k = 0; k < found.size(); k++) {
      if (sees(at(found.get(k)), j)) {
        return;
      }
    }
    found.add(firstPlace + j);
  }

  private SlotIndex slotIndex() {
    SlotIndex index = bySlot;
    if (index == null) {
      index = new SlotIndex();
      for (int j = head; j < tail; j++) {
        if (writers[j] != null) {
          index.add(slots[j], numbers[j], firstPlace + j);
        }
      }
      bySlot = index;
    }
    return index;
  }

  /** The places of the writers that {@code writer} has not seen, latest first; null for none. */
  private int @Nullable [] unseenBy(Txn writer, Places found) {
    found.clear();
    for (int i = tail - 1; i >= head; i--) {
      if (writers[i] == null) {
        continue;
      }
      if (!sees(writer, i)) {
        found.add(firstPlace + i);
      } else if (unseen[i] != NOT_KNOWN) {
        int @Nullable [] before = unseen[i];
        if (before != null) {
          for (int place : before) {
            int j = place - firstPlace;
            if (j >= head && writers[j] != null && !sees(writer, j)) {
              found.add(place);
            }
          }
        }
        break;
      }
      if (tail - i > MAX_UNSEEN || found.size() > MAX_UNSEEN) {
        return NOT_KNOWN;
      }
    }
    return found.size() == 0 ? null : found.size() > MAX_UNSEEN ? NOT_KNOWN : found.toArray();
  }

  /**
   * Whether the writer at index {@code i} happens before {@code t}; false when in doubt, since t
   * has let go of its clock.
   */
  private boolean sees(Txn t, int i) {
    int slot = slots[i];
    if (slot == t.slot) {
      return numbers[i] < t.seq;
    }
    int[] clock = t.clock;
    return clock != null && slot < clock.length && clock[slot] >= numbers[i];
  }

  private void makeRoom() {
    int live = tail - head;
    int capacity = live * 2 <= writers.length ? writers.length : writers.length * 2;
    writers = moved(writers, new Txn[capacity]);
    slots = moved(slots, new int[capacity]);
    numbers = moved(numbers, new int[capacity]);
    unseen = moved(unseen, new int[capacity][]);
    firstPlace += head;
    head = 0;
    tail = live;
  }

  @SuppressWarnings("SuspiciousSystemArraycopy")
  private <T> T moved(T from, T to) {
    System.arraycopy(from, head, to, 0, tail - head);
    return to;
  }
}

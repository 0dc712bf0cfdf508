package io.isotail.incremental.saturation;

import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Slots;
import io.isotail.incremental.window.Transaction;
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
 * <p>The first ones may be settled: nobody is asked whether he has seen one of them. They stand in
 * some order of commits. All but the last one in that order may be missing.
 *
 * <p>A place is a number that a writer keeps while it is here; places ascend in delivery order and
 * are compared by their difference, so that they may wrap.
 *
 * <p>Longer than other classes: these are a few arrays that run side by side, and each method needs
 * nearly all of them in the innermost loop of the weak levels.
 *
 * <p>[1] Møldrup, Pavlogiannis, AWDIT: An Optimal Weak Database Isolation Tester, PLDI 2025.
 */
public final class KeyWriters {
  /** The unseen writers are not remembered. */
  private static final int[] NOT_KNOWN = {};

  /** So many writers are looked through for one of them. */
  private static final int LATEST = 16;

  /** So many places are remembered even if there is no room. */
  private static final int FEW = 8;

  /** The key. */
  final long key;

  private @Nullable Transaction[] writers = new Transaction[1];

  /** Slot and number of each writer, 0 where it has gone: most questions need no more. */
  private long[] ids = new long[1];

  private int[] @Nullable [] unseen = new int[1][];
  private int head;
  private int tail;

  /** Index from which on writers were added with their clocks; those before are settled. */
  private int ordered;

  /** Whether settled ones may be missing. */
  private boolean onlyLast;

  private int firstPlace;
  private @Nullable SlotIndex bySlot;
  private final WriterMemory memory;

  /**
   * No writers yet.
   *
   * @param memory shared by all keys
   */
  KeyWriters(long key, WriterMemory memory) {
    this.key = key;
    this.memory = memory;
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return head == tail;
  }

  /** The one that was delivered last; there is one. */
  public Transaction latest() {
    return at(firstPlace + tail - 1);
  }

  /** The one that was delivered first; there is one. */
  public Transaction earliest() {
    return at(firstPlace + head);
  }

  /** The next one that was delivered after {@code writer}, which is one of them, or null. */
  public @Nullable Transaction next(Transaction writer) {
    for (int i = placeOf(writer) - firstPlace + 1; i < tail; i++) {
      if (ids[i] != 0) {
        return writers[i];
      }
    }
    return null;
  }

  /** The settled one that commits last; null if there is none, or it is not known. */
  public @Nullable Transaction lastSettled() {
    for (int i = Math.min(ordered, tail) - 1; i >= head; i--) {
      if (ids[i] != 0) {
        return writers[i];
      }
    }
    return null;
  }

  /** Whether there may be settled ones that are missing here. */
  public boolean settledMayBeMissing() {
    return onlyLast;
  }

  /** Whether there are any that are not settled. */
  public boolean anyUnsettled() {
    return Math.max(head, ordered) < tail;
  }

  /** Whether of two settled ones the second is known to commit after the first. */
  public boolean areInOrder(Transaction settled, Transaction later) {
    int first = settled.writePlace(settled.writeIndex(key));
    int second = later.writePlace(later.writeIndex(key));
    return holds(settled, first) && holds(later, second) && first - second < 0;
  }

  private boolean holds(Transaction writer, int place) {
    int i = place - firstPlace;
    return i >= head && i < tail && writers[i] == writer;
  }

  /** Adds the settled writer that commits last; others may be missing. */
  int addLastSettled(Transaction writer) {
    onlyLast = true;
    return addUnordered(writer);
  }

  /** Adds a writer after all others, without a look at what it has seen. */
  int addUnordered(Transaction writer) {
    int place = append(writer);
    ordered = tail;
    return place;
  }

  /** Adds a writer after all others, none of which is asked what it has seen; it is not settled. */
  int append(Transaction writer) {
    if (tail == writers.length) {
      makeRoom();
    }
    writers[tail] = writer;
    ids[tail] = id(writer);
    if (bySlot != null) {
      bySlot.add(writer.slot, writer.seq, firstPlace + tail);
    }
    return firstPlace + tail++;
  }

  /**
   * Takes back a writer, to be added again, if it is here: of those that were added with their
   * clocks the last one, or if there is none, any.
   */
  void takeBack(Transaction writer, int place) {
    if (!holds(writer, place)) {
      return;
    }
    int i = place - firstPlace;
    writers[i] = null;
    ids[i] = 0;
    remember(i, null);
    while (tail > head && ids[tail - 1] == 0) {
      tail--;
    }
    while (head < tail && ids[head] == 0) {
      head++;
    }
    ordered = Math.min(ordered, tail);
    bySlot = null;
  }

  /** The writer at a place. */
  public Transaction at(int place) {
    Transaction writer = writers[place - firstPlace];
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
  int add(Transaction writer, Places found) {
    if (tail == writers.length) {
      makeRoom();
    }
    int i = tail;
    int @Nullable [] notSeen = unseenBy(writer, found);
    writers[i] = writer;
    ids[i] = id(writer);
    remember(i, notSeen);
    tail++;
    if (tail - head > memory.tuning.rememberingWriters()) {
      remember(tail - 1 - memory.tuning.rememberingWriters(), NOT_KNOWN);
    }
    if (bySlot != null) {
      bySlot.add(writer.slot, writer.seq, firstPlace + i);
    }
    return firstPlace + i;
  }

  /**
   * Adds a writer that has been delivered before others, at its place. What those after it had not
   * seen is not known any more.
   *
   * @return its place
   */
  int addLate(Transaction writer) {
    if (tail == writers.length) {
      makeRoom();
    }
    int i = tail;
    for (int j = tail - 1; j >= head && !isBefore(j, writer); j--) {
      i = j;
    }
    for (int j = tail; j > i; j--) {
      writers[j] = writers[j - 1];
      ids[j] = ids[j - 1];
      Transaction moved = writers[j];
      if (moved != null) {
        moved.writePlace(moved.writeIndex(key), firstPlace + j);
      }
    }
    writers[i] = writer;
    ids[i] = id(writer);
    ordered = ordered == tail && RelationNode.of(writer) == null ? tail + 1 : ordered;
    tail++;
    for (int j = Math.max(i, ordered); j < tail; j++) {
      remember(j, NOT_KNOWN);
    }
    bySlot = null;
    return firstPlace + i;
  }

  /** Whether the writer at an index, if there is one, was delivered before another one. */
  private boolean isBefore(int i, Transaction other) {
    Transaction writer = writers[i];
    return writer != null && writer.deliveredAt < other.deliveredAt;
  }

  /** Reads what the next questions will need. */
  int prefetch() {
    int last = Math.max(tail - 1, 0);
    int @Nullable [] notSeen = unseen[last];
    return (int) ids[last] + (notSeen == null ? 0 : notSeen.length);
  }

  /** Reads what taking out the writer at a place will need. */
  int prefetch(int place) {
    int i = Math.max(0, Math.min(place - firstPlace, ids.length - 1));
    int @Nullable [] notSeen = unseen[i];
    return (int) ids[i] + (writers[i] == null ? 0 : 1) + (notSeen == null ? 0 : notSeen.length);
  }

  /** Takes out a writer that leaves the window, if it is here. */
  void remove(Transaction writer, int place) {
    if (!holds(writer, place)) {
      return;
    }
    int i = place - firstPlace;
    if (bySlot != null) {
      bySlot.remove(slot(ids[i]), place);
    }
    writers[i] = null;
    ids[i] = 0;
    remember(i, null);
    while (head < tail && ids[head] == 0) {
      head++;
    }
    if (head == tail) {
      bySlot = null;
    }
  }

  /**
   * Place of {@code writer}, which is one of them; one before all others if it is settled and
   * missing, and any for the initial transaction.
   */
  public int placeOf(Transaction writer) {
    if (writer == Transaction.INITIAL) {
      return 0;
    }
    // What is read was mostly written of late, and the next question looks at the same memory.
    long id = id(writer);
    int stop = Math.max(head, tail - LATEST);
    for (int i = tail - 1; i >= stop; i--) {
      if (ids[i] == id) {
        return firstPlace + i;
      }
    }
    int place = writer.writePlace(writer.writeIndex(key));
    return holds(writer, place) ? place : firstPlace + head - 1;
  }

  /**
   * Collects the writers that happen before {@code t3} and are not known to precede {@code t1} in
   * the causal relation already. Of these only such as are not known to happen before another one,
   * unless {@link Places#ofEachSession} says so: an edge from the later writer implies the one from
   * the earlier, as long as it is not left out.
   *
   * @param t1 one of the writers, or the initial transaction, which nobody happens before
   * @param place of {@code t1}; meaningless for the initial transaction
   * @param found receives the places
   * @return whether those at places before {@code place} are from t1's memory, so that none of them
   *     has been collected for it before, provided that each time {@link #forgetOrdered} was called
   */
  public boolean seenBeside(Transaction t1, int place, Transaction t3, Places found) {
    found.clear();
    int from = Math.max(head, ordered);
    if (t1 == Transaction.INITIAL || place - firstPlace < from) {
      if (tail - from <= memory.tuning.writersOneByOne()) {
        collectFrom(from, t3, found);
      } else {
        collectBySlot(t1, t3, found);
      }
      return false;
    }
    int i = place - firstPlace;
    int @Nullable [] notSeen = unseen[i];
    if (tail - 1 - i <= memory.tuning.writersOneByOne() && notSeen != NOT_KNOWN) {
      collectFrom(i + 1, t3, found);
      if (notSeen != null) {
        for (int p : notSeen) {
          int j = p - firstPlace;
          if (j >= head && ids[j] != 0 && sees(t3, j)) {
            collect(j, found);
          }
        }
      }
      return true;
    }
    if (tail - from <= memory.tuning.writersOneByOne()) {
      collectFrom(from, t3, found);
      found.removeIf(p -> p == place || sees(t1, p - firstPlace));
    } else {
      collectBySlot(t1, t3, found);
    }
    return false;
  }

  /**
   * The writer at {@code place} forgets the earlier ones that {@code t3} has seen: they now precede
   * it in the causal relation by edges, and so they do everyone who sees it.
   */
  public void forgetOrdered(int place, Transaction t3) {
    int i = place - firstPlace;
    int @Nullable [] notSeen = i < Math.max(head, ordered) ? null : unseen[i];
    if (notSeen == null) {
      return;
    }
    if (notSeen == NOT_KNOWN) {
      if (tail - i <= memory.tuning.rememberingWriters()
          && tail - head > memory.tuning.writersOneByOne()) {
        remember(i, unseenBySlot(t3, i));
      }
      return;
    }
    int kept = 0;
    for (int p : notSeen) {
      int j = p - firstPlace;
      if (j >= head && ids[j] != 0 && !sees(t3, j)) {
        notSeen[kept++] = p;
      }
    }
    if (kept < notSeen.length) {
      remember(i, kept == 0 ? null : Arrays.copyOf(notSeen, kept));
    }
  }

  private void remember(int i, int @Nullable [] places) {
    int @Nullable [] before = unseen[i];
    memory.used -= before == null ? 0 : before.length;
    boolean fits = places == null || places.length <= Math.max(FEW, memory.free());
    unseen[i] = fits ? places : NOT_KNOWN;
    memory.used += fits && places != null ? places.length : 0;
  }

  /** The last writer of the reader's own session before it, or null. */
  public @Nullable Transaction lastInSessionOf(Transaction reader) {
    if (tail - head > memory.tuning.writersOneByOne()) {
      SlotIndex index = slotIndex();
      int s = index.find(reader.slot);
      int last = s < 0 ? SlotIndex.NONE : index.lastUpTo(s, reader.seq - 1);
      return last == SlotIndex.NONE ? null : at(index.place(s, last));
    }
    Transaction last = null;
    long latest = 0;
    for (int j = head; j < tail; j++) {
      if (slot(ids[j]) == reader.slot && ids[j] > latest && number(ids[j]) < reader.seq) {
        last = writers[j];
        latest = ids[j];
      }
    }
    return last;
  }

  /** Latest first, since no transaction happens before one that was delivered earlier. */
  private void collectFrom(int from, Transaction t3, Places found) {
    for (int j = tail - 1; j >= from; j--) {
      if (ids[j] != 0 && sees(t3, j)) {
        collect(j, found);
      }
    }
  }

  private void collectBySlot(Transaction t1, Transaction t3, Places found) {
    SlotIndex index = slotIndex();
    Places last = new Places();
    for (int s = 0; s < index.size(); s++) {
      int i = lastSeen(t3, index, s);
      if (i != SlotIndex.NONE && (t1 == Transaction.INITIAL || !isUpTo(t1, index, s, i))) {
        last.add(index.place(s, i));
      }
    }
    last.sortLatestFirst(firstPlace);
    for (int k = 0; k < last.size(); k++) {
      collect(last.get(k) - firstPlace, found);
    }
  }

  /** Index of the last writer in the {@code s}-th slot that {@code t} has seen. */
  private int lastSeen(Transaction t, SlotIndex index, int s) {
    int slot = index.slot(s);
    if (slot == t.slot) {
      return index.lastUpTo(s, t.seq - 1);
    }
    Clock clock = RelationNode.clockOf(t);
    if (clock == null) {
      return SlotIndex.NONE;
    }
    return Slots.isNumbered(slot)
        ? index.lastUpTo(s, clock.number(slot))
        : index.lastOf(s, place -> clock.coversPlace(at(place).deliveredAt));
  }

  /** Whether the writer at an index of the {@code s}-th slot is {@code t} or was seen by it. */
  private boolean isUpTo(Transaction t, SlotIndex index, int s, int i) {
    int slot = index.slot(s);
    if (slot == t.slot) {
      return index.number(s, i) <= t.seq;
    }
    Clock clock = RelationNode.clockOf(t);
    if (clock == null) {
      return false;
    }
    return Slots.isNumbered(slot)
        ? index.number(s, i) <= clock.number(slot)
        : clock.coversPlace(at(index.place(s, i)).deliveredAt);
  }

  private void collect(int j, Places found) {
    if (j < ordered) {
      return;
    }
    for (int k = 0; k < found.size(); k++) {
      Transaction later = at(found.get(k));
      if ((later.slot == slot(ids[j]) || !found.ofEachSession()) && sees(later, j)) {
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
        if (ids[j] != 0) {
          index.add(slot(ids[j]), number(ids[j]), firstPlace + j);
        }
      }
      bySlot = index;
    }
    return index;
  }

  /** The places of the writers that {@code writer} has not seen, latest first; null for none. */
  private int @Nullable [] unseenBy(Transaction writer, Places found) {
    found.clear();
    for (int i = tail - 1; i >= Math.max(head, ordered); i--) {
      if (ids[i] == 0) {
        continue;
      }
      if (!sees(writer, i)) {
        found.add(firstPlace + i);
      } else if (unseen[i] != NOT_KNOWN) {
        addUnseenBefore(i, writer, found);
        break;
      }
      if (tail - i > memory.tuning.unseenWriters()) {
        return NOT_KNOWN;
      }
    }
    return remembered(found);
  }

  private void addUnseenBefore(int i, Transaction writer, Places found) {
    int @Nullable [] before = unseen[i];
    if (before != null) {
      for (int place : before) {
        int j = place - firstPlace;
        if (j >= head && ids[j] != 0 && !sees(writer, j)) {
          found.add(place);
        }
      }
    }
  }

  /** The places before index {@code before} of those, settled ones apart, that it has not seen. */
  private int @Nullable [] unseenBySlot(Transaction t, int before) {
    Places found = new Places();
    SlotIndex index = slotIndex();
    for (int s = 0; s < index.size(); s++) {
      int last = lastSeen(t, index, s);
      index.addBetween(s, last, firstPlace + ordered, firstPlace + before, found);
      if (found.size() > memory.tuning.unseenWriters()) {
        return NOT_KNOWN;
      }
    }
    found.sortLatestFirst(firstPlace);
    return remembered(found);
  }

  private int @Nullable [] remembered(Places found) {
    return found.size() == 0
        ? null
        : found.size() > memory.tuning.unseenWriters() ? NOT_KNOWN : found.toArray();
  }

  /**
   * Whether the writer at index {@code i} happens before {@code t}; false when in doubt, since t
   * has let go of its clock.
   */
  private boolean sees(Transaction t, int i) {
    int slot = slot(ids[i]);
    if (slot == t.slot) {
      return number(ids[i]) < t.seq;
    }
    Clock clock = RelationNode.clockOf(t);
    if (clock == null) {
      return false;
    }
    return Slots.isNumbered(slot)
        ? clock.number(slot) >= number(ids[i])
        : clock.coversPlace(at(firstPlace + i).deliveredAt);
  }

  /** Numbers start at 1, so that no writer has the id 0. */
  private static long id(Transaction writer) {
    return (long) writer.slot << 32 | writer.seq;
  }

  private static int slot(long id) {
    return (int) (id >>> 32);
  }

  private static int number(long id) {
    return (int) id;
  }

  private void makeRoom() {
    int live = tail - head;
    int capacity = live * 2 <= writers.length ? writers.length : writers.length * 2;
    writers = moved(writers, new Transaction[capacity]);
    ids = moved(ids, new long[capacity]);
    unseen = moved(unseen, new int[capacity][]);
    firstPlace += head;
    ordered = Math.max(0, ordered - head);
    head = 0;
    tail = live;
  }

  @SuppressWarnings("SuspiciousSystemArraycopy")
  private <T> T moved(T from, T to) {
    System.arraycopy(from, head, to, 0, tail - head);
    return to;
  }

  void save(GraphWriter out) {
    out.out.number(key);
    out.out.count(writers.length);
    out.out.count(head);
    out.out.count(tail - head);
    out.out.count(ordered);
    out.out.flag(onlyLast);
    out.out.number(firstPlace);
    for (int i = head; i < tail; i++) {
      out.transaction(writers[i]);
      int @Nullable [] notSeen = unseen[i];
      out.out.flag(notSeen == NOT_KNOWN);
      if (notSeen != NOT_KNOWN) {
        out.out.numbers(notSeen == null ? NOT_KNOWN : notSeen);
      }
    }
    SlotIndex index = bySlot;
    out.out.flag(index != null);
    if (index != null) {
      index.save(out.out);
    }
  }

  static KeyWriters load(GraphReader in, WriterMemory memory) {
    KeyWriters loaded = new KeyWriters(in.in.number(), memory);
    int capacity = in.in.count();
    int head = in.in.count();
    int live = in.in.count();
    int ordered = in.in.count();
    boolean onlyLast = in.in.flag();
    in.in.require(
        capacity > 0 && head <= capacity && live <= capacity - head && ordered <= head + live,
        "%d writers from %d on in %d places".formatted(live, head, capacity));
    loaded.writers = new Transaction[capacity];
    loaded.ids = new long[capacity];
    loaded.unseen = new int[capacity][];
    loaded.head = head;
    loaded.tail = head + live;
    loaded.ordered = ordered;
    loaded.onlyLast = onlyLast;
    loaded.firstPlace = in.in.smallNumber();
    for (int i = head; i < head + live; i++) {
      Transaction writer = in.transactionOrNull();
      loaded.writers[i] = writer;
      loaded.ids[i] = writer == null ? 0 : id(writer);
      if (writer != null) {
        in.in.require(writer.writes(loaded.key), "writer of key " + loaded.key);
        writer.writePlace(writer.writeIndex(loaded.key), loaded.firstPlace + i);
      }
      int[] notSeen = in.in.flag() ? NOT_KNOWN : in.in.smallNumbers();
      loaded.unseen[i] = notSeen == NOT_KNOWN || notSeen.length > 0 ? notSeen : null;
    }
    loaded.bySlot = in.in.flag() ? SlotIndex.load(in.in) : null;
    return loaded;
  }
}

package io.isotail.incremental.certificate;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of all transactions of one level, which prove that it holds. What has left the window
 * has smaller numbers than any that is added from then on.
 */
public final class Certificate {
  /** Between the numbers of two transactions of which no time is known. */
  private static final long STEP = 1L << 20;

  /** So many, and no more than twice as many, may be later than one that is added by its time. */
  private static final int RECENT = 512;

  final IsolationLevel level;
  private final Places places;
  private final Fitting fitting;
  private final Swaps swaps;
  private final Renumbering renumbering;
  private final Retention retention;

  /** The largest commit number. */
  private long latest;

  /**
   * Commits are not wished to have smaller numbers: the largest when some hundreds were added less.
   */
  private long recent = Room.LEAST;

  private long nextRecent = Room.LEAST;
  private int added;

  /**
   * No transactions.
   *
   * @param level from {@code prefix} on
   * @param mostRetired transactions that have left the window and are kept at most
   * @param uncertaintyNs how far clocks may be apart, for a level that follows real time
   */
  public Certificate(IsolationLevel level, int mostRetired, long uncertaintyNs) {
    this.level = level;
    this.places =
        new Places(this, level, level.followsRealTime() ? new RealTimeOrder(uncertaintyNs) : null);
    this.fitting = new Fitting(places);
    this.renumbering = new Renumbering(places);
    this.retention = new Retention(places, mostRetired);
    this.swaps = new Swaps(places, retention.kept());
  }

  /** Number of transactions of the window that have a place. */
  public int size() {
    return places.inWindow.size();
  }

  /** The writer of a key that has the largest number of some. */
  @FunctionalInterface
  public interface LastWriter {
    /** Takes it. */
    void of(long key, Transaction writer);
  }

  /**
   * Tells of each key the last writer of those in the window that were delivered before a place.
   */
  public void lastWriters(long place, LastWriter to) {
    for (PlacedVersion initial : places.initials()) {
      PlacedVersion version = initial.previous;
      while (version.writer != null && !isBefore(version.writer, place)) {
        version = version.previous;
      }
      if (version.writer != null) {
        to.of(version.key, version.writer.transaction);
      }
    }
  }

  private static boolean isBefore(Placed placed, long place) {
    return !placed.retired && placed.transaction.deliveredAt < place;
  }

  /** A transaction's place, null if it has none. */
  public @Nullable Placed of(Transaction transaction) {
    return places.of(transaction);
  }

  /** Whether all numbers are as they must be, for assertions of tests; throws if not. */
  public boolean isSound() {
    return Soundness.of(places);
  }

  /** Forgets the keys that what was added last in vain read or wrote, and nobody else. */
  public void forgetVain() {
    fitting.forgetVain();
  }

  /**
   * Places the transaction that was delivered last, if there is room for it.
   *
   * @param ofKey which keys' reads count
   * @param before the one before it in its session, null if none is known
   * @param after the one after it in its session, null if none is known
   * @param late whether it may have to come before what has left the window: then it has no room
   * @param wish the number that its commit should be close to; its begin comes right before that
   * @param mayMove whether others may get other numbers to make room for it
   * @return false if there is no room: it would come after what it must come {@link #before}
   */
  public boolean add(
      Transaction transaction,
      LongPredicate ofKey,
      @Nullable Placed before,
      @Nullable Placed after,
      boolean late,
      Wish wish,
      boolean mayMove) {
    long commit = find(transaction, ofKey, before, after, late, wish);
    if (commit == Room.LEAST
        && mayMove
        && !late
        && swaps.makeRoom(fitting.room.after(), fitting.readOrReplaced())) {
      Placed last = places.inWindow.last();
      latest = last == null ? latest : Math.max(latest, last.commit);
      commit = find(transaction, ofKey, before, after, false, wish);
    }
    if (commit == Room.LEAST) {
      return false;
    }
    Placed placed = new Placed(this, transaction);
    placed.commit = commit;
    placed.begin = fitting.room.begin(commit - 1, commit);
    enter(placed);
    return true;
  }

  private long find(
      Transaction transaction,
      LongPredicate ofKey,
      @Nullable Placed before,
      @Nullable Placed after,
      boolean late,
      Wish wish) {
    Room room = fitting.room;
    room.clear(places.floor);
    if (late) {
      room.commitBefore(Room.LEAST);
    }
    if (before != null) {
      room.beginAfter(before.commit);
    }
    if (after != null) {
      room.commitBefore(after.begin);
    }
    if (places.realTime != null) {
      places.realTime.bound(transaction.times, room);
    }
    fitting.boundByReads(transaction, ofKey);
    fitting.boundByReplaced(transaction);
    return fitting.find(transaction, wished(wish));
  }

  private long wished(Wish wish) {
    return Math.max(recent, wish.commit(latest + STEP));
  }

  /** Whether there is room for a transaction by some of its reads alone; it is not added. */
  public boolean hasRoom(Transaction transaction, LongPredicate ofKey, Wish wish) {
    fitting.room.clear(places.floor);
    fitting.replaced.clear();
    fitting.boundByReads(transaction, ofKey);
    return fitting.find(transaction, wished(wish)) != Room.LEAST;
  }

  /** The number that what was added last, in vain, must come before. */
  public long before() {
    return fitting.room.before();
  }

  private void enter(Placed placed) {
    latest = Math.max(latest, placed.commit);
    noteRecent();
    placed.enter();
    places.inWindow.addByCommit(placed);
    PlacedVersion[] behind = fitting.behind;
    if (behind.length > 0) {
      placed.wrote = new PlacedVersion[behind.length];
      for (int i = 0; i < behind.length; i++) {
        PlacedVersion version = new PlacedVersion(behind[i].key, placed);
        version.insertBehind(behind[i]);
        placed.wrote[i] = version;
      }
    }
    if (!fitting.reads.isEmpty()) {
      placed.read = fitting.reads.toArray(Placed.NO_VERSIONS);
      for (PlacedVersion version : placed.read) {
        version.readBy(placed);
      }
    }
    if (places.realTime != null) {
      places.realTime.add(placed);
    }
    fitting.forgetVain();
  }

  private void noteRecent() {
    if (++added == RECENT) {
      recent = nextRecent;
      nextRecent = latest;
      added = 0;
    }
  }

  /**
   * It has become known that a transaction, which has a place, wrote a key too.
   *
   * @return false if that does not fit its numbers
   */
  public boolean addWrite(Placed placed, long key) {
    if (placed.commit <= places.floor) {
      // Of who read what down there, only the largest number was ever known.
      return false;
    }
    PlacedVersion at = Fitting.lastBefore(places.initialOf(key), null, placed.commit);
    Placed earlier = at.writer;
    Placed lastRead = at.lastRead == placed ? null : at.lastRead;
    boolean fits =
        (at.isLast() || places.ends(at.next.owner()) > placed.commit)
            && !at.next.isPinned()
            && (!places.isDisjoint() || earlier == null || earlier.commit < placed.begin)
            && (lastRead == null || lastRead.begin < placed.commit);
    if (fits) {
      PlacedVersion version = new PlacedVersion(key, placed);
      version.insertBehind(at);
      placed.addVersion(version);
    } else {
      places.forgetIfUnused(at);
    }
    return fits;
  }

  /** Takes out a transaction of the window. */
  public void exclude(Placed placed) {
    places.inWindow.remove(placed);
    if (places.realTime != null) {
      places.realTime.exclude(placed);
    }
    Set<PlacedVersion> open = new ReferenceOpenHashSet<>();
    for (PlacedVersion version : placed.read) {
      version.readers--;
      if (version.lastRead == placed) {
        version.lastRead = null;
        open.add(version);
      }
      retention.dropUnlessOfUse(version);
    }
    for (Placed at = open.isEmpty() ? null : places.inWindow.first(); at != null; at = at.after) {
      for (PlacedVersion version : at.read) {
        if (open.contains(version)) {
          version.noteRead(at);
        }
      }
    }
    placed.read = Placed.NO_VERSIONS;
    placed.leave();
    Places.takeOutVersions(placed).forEach(retention::dropUnlessOfUse);
  }

  /**
   * Those that a place before a number, for what was added last in vain, may contradict: all that
   * have a larger one; null if these are more than {@code most}, or some may have left the window.
   *
   * @param whole whether to have with these what they have read and overwritten
   */
  public @Nullable Excerpt excerpt(long from, int most, boolean whole) {
    return renumbering.excerpt(from, most, fitting.readOrReplaced(), whole);
  }

  /**
   * Gives new numbers to those that have larger ones than was to be, and a place to a new one.
   *
   * @param order the later ones of the excerpt, and the new one, in a new order: twice where begin
   *     and commit are told apart
   * @param added the one that was added last in vain, null if there is none
   */
  public void renumber(
      Excerpt excerpt, List<Transaction> order, @Nullable Transaction added, Wish wish) {
    Placed newest = null;
    if (added != null) {
      newest = new Placed(this, added);
      newest.commit = wished(wish);
      newest.begin = newest.commit - 1;
    }
    renumbering.renumber(excerpt, order, newest, fitting.reads);
    excerpt.later().forEach(placed -> latest = Math.max(latest, placed.commit));
    latest = newest == null ? latest : Math.max(latest, newest.commit);
  }

  /**
   * The number from which an excerpt must begin to have a transaction among the later ones; the
   * least there is where that has left the window.
   */
  public long leastFor(Placed placed) {
    return placed.retired ? Room.LEAST : placed.begin;
  }

  /** All that there are: what is kept first. */
  public Excerpt all() {
    List<Placed> kept = new ArrayList<>(retention.kept().size());
    for (Placed at = retention.kept().first(); at != null; at = at.after) {
      kept.add(at);
    }
    List<Placed> window = new ArrayList<>(places.inWindow.size());
    for (Placed at = places.inWindow.first(); at != null; at = at.after) {
      window.add(at);
    }
    return new Excerpt(Room.LEAST, kept, window);
  }

  /**
   * Takes transactions with their numbers into the empty certificate: what has left the window in
   * the order in which it did, then the others.
   */
  public void fill(List<Numbers> all) {
    List<Placed> entered = new ArrayList<>(all.size());
    for (Numbers each : all) {
      Placed placed = new Placed(this, each.transaction());
      placed.begin = each.begin();
      placed.commit = each.commit();
      placed.enter();
      if (each.kept()) {
        retention.keep(placed);
        places.floor = Math.max(places.floor, placed.commit);
      }
      entered.add(placed);
      latest = Math.max(latest, placed.commit);
    }
    Places.byCommit(entered).forEach(places::appendVersions);
    for (int i = 0; i < all.size(); i++) {
      Placed placed = entered.get(i);
      if (!placed.retired) {
        boolean readsAll = all.get(i).readsAll();
        fitting.boundByReads(
            placed.transaction, key -> readsAll || !placed.transaction.leavesOutReadsOf(key));
        placed.read = fitting.reads.toArray(Placed.NO_VERSIONS);
        fitting.reads.forEach(version -> version.readBy(placed));
        places.inWindow.addByCommit(placed);
        if (places.realTime != null) {
          places.realTime.add(placed);
        }
      }
    }
    fitting.forgetVain();
  }

  /** Ends; no transaction has a place any more. */
  public void end() {
    Excerpt all = all();
    all.earlier().forEach(Placed::leave);
    all.later().forEach(Placed::leave);
  }

  /** All that read from what is kept have been added; drops what nobody needs. */
  public void dropUseless() {
    retention.dropUseless();
  }

  /**
   * Whether transactions have got other numbers, since this was asked last, of which it is not
   * known any more all that they come after and before.
   */
  public boolean takeForgotten() {
    return swaps.takeForgotten();
  }

  /** How many others were looked through to make room, since this was asked last. */
  public int takeLooked() {
    return swaps.takeLooked();
  }

  /** Whether anything has left the window. */
  public boolean anyLeft() {
    return places.floor > Room.LEAST;
  }

  /** The largest number of a commit. */
  public long latest() {
    return latest;
  }

  /** The numbers of what has left the window and is kept, oldest first. */
  public List<Numbers> keptNumbers() {
    List<Numbers> numbers = new ArrayList<>();
    all().earlier().forEach(each -> numbers.add(Numbers.of(each)));
    return numbers;
  }

  /** Saves all numbers. */
  public void save(GraphWriter to) {
    to.out.number(places.floor);
    to.out.number(latest);
    to.out.number(recent);
    to.out.number(nextRecent);
    to.out.count(added);
    CertificateState.save(to, retention.kept(), places.inWindow, places.floor);
    if (places.realTime != null) {
      places.realTime.save(to.out);
    }
  }

  /**
   * Reads what {@link #save} saved; {@link #restore} must follow once the transactions are whole.
   */
  public List<Numbers> load(GraphReader from) {
    places.floor = from.in.number();
    latest = from.in.number();
    recent = from.in.number();
    nextRecent = from.in.number();
    added = from.in.count();
    List<Numbers> numbers = CertificateState.load(from, places.floor);
    if (places.realTime != null) {
      places.realTime.load(from.in);
    }
    return numbers;
  }

  /** Takes back what was saved. */
  public void restore(List<Numbers> numbers) {
    long savedFloor = places.floor;
    fill(numbers);
    places.floor = savedFloor;
    if (places.realTime != null) {
      places.realTime.loaded();
    }
  }

  /**
   * The operations of a transaction, or what it leaves out of them, have become others since it got
   * its place.
   */
  public void changed(Transaction transaction) {
    Placed placed = of(transaction);
    if (placed != null) {
      (placed.retired ? retention.kept() : places.inWindow).rows.changed(placed);
    }
  }

  /** A transaction of the window leaves it; see {@link Retention}. */
  public void truncate(Transaction transaction) {
    Placed placed = of(transaction);
    if (placed == null) {
      return;
    }
    places.floor = Math.max(places.floor, placed.commit);
    places.inWindow.remove(placed);
    if (places.realTime != null) {
      places.realTime.takeOut(placed);
    }
    PlacedVersion[] read = takeOutReads(placed);
    retention.left(placed, read);
  }

  private static PlacedVersion[] takeOutReads(Placed placed) {
    PlacedVersion[] read = placed.read;
    placed.read = Placed.NO_VERSIONS;
    for (PlacedVersion version : read) {
      version.readers--;
      if (version.lastRead == placed) {
        version.lastRead = null;
      }
    }
    return read;
  }

  /** Tells what has left the window and is not kept, since this was asked last. */
  public void drainDropped(Consumer<Transaction> to) {
    retention.drainDropped(to);
  }
}

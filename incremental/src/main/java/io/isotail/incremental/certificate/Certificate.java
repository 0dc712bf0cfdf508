package io.isotail.incremental.certificate;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import it.unimi.dsi.fastutil.objects.ReferenceOpenHashSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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

  /** So many reads are looked through one by one. */
  private static final int FEW = 16;

  final IsolationLevel level;
  private final boolean one;
  private final boolean mayOverlap;
  private final @Nullable RealTimeOrder realTime;
  private final Long2ObjectOpenHashMap<PlacedVersion> initial = new Long2ObjectOpenHashMap<>();
  private final PlacedList inWindow = new PlacedList();
  private final Retention retention;
  private final Room room;

  /** Larger than the numbers of all that have left the window, or one of them. */
  private long floor = Room.LEAST;

  /** The largest commit number. */
  private long latest;

  /**
   * Commits are not wished to have smaller numbers: the largest when some hundreds were added less.
   */
  private long recent = Room.LEAST;

  private long nextRecent = Room.LEAST;
  private int added;

  private final List<PlacedVersion> reads = new ArrayList<>();

  /** The reads, where they are more than a few. */
  private Set<PlacedVersion> seen = Set.of();

  private PlacedVersion[] behind = Placed.NO_VERSIONS;

  /**
   * No transactions.
   *
   * @param level from {@code prefix} on
   * @param mostRetired transactions that have left the window and are kept at most
   * @param uncertaintyNs how far clocks may be apart, for a level that follows real time
   */
  public Certificate(IsolationLevel level, int mostRetired, long uncertaintyNs) {
    this.level = level;
    this.one = !level.tellsBeginFromCommit();
    this.mayOverlap = level.overwritersMayOverlap();
    this.realTime = level.followsRealTime() ? new RealTimeOrder(uncertaintyNs) : null;
    this.retention = new Retention(this, mostRetired);
    this.room = new Room(one);
  }

  /** Number of transactions of the window that have a place. */
  public int size() {
    return inWindow.size();
  }

  /** A transaction's place, null if it has none. */
  public @Nullable Placed of(Transaction transaction) {
    return Placed.of(transaction, this);
  }

  /**
   * Places the transaction that was delivered last, if there is room for it.
   *
   * @param ofKey which keys' reads count
   * @param before the one before it in its session, null if none is known
   * @param after the one after it in its session, null if none is known
   * @param late whether it may have to come before what has left the window: then it has no room
   * @param wish numbers that its begin and commit should be close to
   * @return false if there is no room: it would come after what it must come {@link #before}
   */
  public boolean add(
      Transaction transaction,
      LongPredicate ofKey,
      @Nullable Placed before,
      @Nullable Placed after,
      boolean late,
      Wish wish) {
    room.clear(floor);
    if (late) {
      room.commitBefore(Room.LEAST);
    }
    if (before != null) {
      room.beginAfter(before.commit);
    }
    if (after != null) {
      room.commitBefore(after.begin);
    }
    if (realTime != null) {
      realTime.bound(transaction.times, room);
    }
    boundByReads(transaction, ofKey);
    long commit = fit(transaction, Math.max(recent, wish.commit(latest + STEP)));
    while (one && commit != Room.LEAST && hasNumberOfReader(commit)) {
      room.beginAfter(commit);
      commit = fit(transaction, commit + 1);
    }
    if (commit == Room.LEAST) {
      return false;
    }
    Placed placed = new Placed(this, transaction);
    placed.commit = commit;
    placed.begin = room.begin(wish.begin(commit), commit);
    enter(placed);
    return true;
  }

  /** Whether there is room for a transaction by some of its reads alone; it is not added. */
  public boolean hasRoom(Transaction transaction, LongPredicate ofKey, Wish wish) {
    room.clear(floor);
    boundByReads(transaction, ofKey);
    return fit(transaction, wish.commit(latest + STEP)) != Room.LEAST;
  }

  /** The number that what was added last, in vain, must come before. */
  public long before() {
    return room.before();
  }

  private void boundByReads(Transaction transaction, LongPredicate ofKey) {
    reads.clear();
    for (int i = 0; i < transaction.readWriters.length; i++) {
      Transaction writer = transaction.readWriters[i];
      if (writer == null || !transaction.readsVersion(i)) {
        continue;
      }
      long key = transaction.operations.key(transaction.readOperations[i]);
      PlacedVersion version = ofKey.test(key) ? versionBy(writer, key) : null;
      if (version == null || !isNew(version)) {
        continue;
      }
      reads.add(version);
      if (version.writer != null) {
        room.beginAfter(version.writer.commit);
      }
      if (!version.isLast()) {
        room.beginBefore(version.next.owner().commit);
      }
    }
  }

  private boolean isNew(PlacedVersion version) {
    if (reads.size() < FEW) {
      return !reads.contains(version);
    }
    if (reads.size() == FEW) {
      seen = new ReferenceOpenHashSet<>(reads);
    }
    return seen.add(version);
  }

  private @Nullable PlacedVersion versionBy(Transaction writer, long key) {
    if (writer == Transaction.INITIAL) {
      return initialOf(key);
    }
    Placed placed = of(writer);
    return placed == null ? null : placed.versionOf(key);
  }

  private PlacedVersion initialOf(long key) {
    PlacedVersion version = initial.get(key);
    if (version == null) {
      version = new PlacedVersion(key, null);
      initial.put(key, version);
    }
    return version;
  }

  /**
   * The smallest number from a wish on, as far as bounds let it be, at which the commit and all
   * that it writes fit; notes behind which version each is written. {@link Room#LEAST} if there is
   * none.
   */
  private long fit(Transaction transaction, long wish) {
    int n = transaction.writeCount();
    behind = n == 0 ? Placed.NO_VERSIONS : new PlacedVersion[n];
    if (!room.isLeft()) {
      return Room.LEAST;
    }
    long commit = room.commit(wish);
    int settled = 0;
    int i = 0;
    // Each key in turn, until all have fitted since the number was raised last.
    while (settled < n) {
      PlacedVersion version = lastBefore(initialOf(transaction.writeKey(i)), behind[i], commit);
      behind[i] = version;
      if (!one && !mayOverlap && version.writer != null) {
        room.beginAfter(version.writer.commit);
      }
      long beyond = obstacle(version, commit);
      if (beyond > Room.LEAST) {
        room.commitAfter(beyond);
        settled = 0;
      } else {
        settled++;
      }
      if (!room.isLeft()) {
        return Room.LEAST;
      }
      long raised = room.commit(Math.max(wish, commit));
      settled = raised == commit ? settled : 0;
      commit = raised;
      i = i + 1 == n ? 0 : i + 1;
    }
    return commit;
  }

  /** Whether it would have one number with another reader, which would hide who comes first. */
  private boolean hasNumberOfReader(long commit) {
    for (PlacedVersion read : reads) {
      if (read.lastRead != null && read.lastRead.begin == commit) {
        return true;
      }
    }
    return false;
  }

  /**
   * The last version of a key that is written before a number.
   *
   * @param from one that is not later, null if none is known
   */
  private static PlacedVersion lastBefore(
      PlacedVersion first, @Nullable PlacedVersion from, long number) {
    PlacedVersion version = first.previous;
    while (version.writer != null && version != from && version.writer.commit >= number) {
      version = version.previous;
    }
    return version;
  }

  /** What a commit with this number must come after to be written behind a version. */
  private long obstacle(PlacedVersion version, long commit) {
    if (!version.isLast()) {
      Placed next = version.next.owner();
      if (ends(next) <= commit) {
        return next.commit;
      }
    }
    Placed lastRead = version.lastRead;
    return lastRead != null && lastRead.begin >= commit ? lastRead.begin : Room.LEAST;
  }

  private void enter(Placed placed) {
    latest = Math.max(latest, placed.commit);
    noteRecent();
    placed.enter();
    inWindow.addByCommit(placed);
    if (behind.length > 0) {
      placed.wrote = new PlacedVersion[behind.length];
      for (int i = 0; i < behind.length; i++) {
        PlacedVersion version = new PlacedVersion(behind[i].key, placed);
        version.insertBehind(behind[i]);
        placed.wrote[i] = version;
      }
    }
    if (!reads.isEmpty()) {
      placed.read = reads.toArray(Placed.NO_VERSIONS);
      for (PlacedVersion version : placed.read) {
        version.readBy(placed);
      }
    }
    if (realTime != null) {
      realTime.add(placed);
    }
    forgetVain();
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
    if (placed.commit <= floor) {
      // Of who read what down there, only the largest number was ever known.
      return false;
    }
    PlacedVersion at = lastBefore(initialOf(key), null, placed.commit);
    Placed earlier = at.writer;
    Placed lastRead = at.lastRead == placed ? null : at.lastRead;
    boolean fits =
        (at.isLast() || ends(at.next.owner()) > placed.commit)
            && (one || mayOverlap || earlier == null || earlier.commit < placed.begin)
            && (lastRead == null || lastRead.begin < placed.commit);
    if (fits) {
      PlacedVersion version = new PlacedVersion(key, placed);
      version.insertBehind(at);
      placed.addVersion(version);
    } else {
      forgetIfUnused(at);
    }
    return fits;
  }

  /** Where an edge from the writer of the version before leads. */
  private long ends(Placed overwriter) {
    return one || mayOverlap ? overwriter.commit : overwriter.begin;
  }

  /** Takes out a transaction of the window. */
  public void exclude(Placed placed) {
    inWindow.remove(placed);
    if (realTime != null) {
      realTime.takeOut(placed);
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
    for (Placed at = open.isEmpty() ? null : inWindow.first(); at != null; at = at.after) {
      for (PlacedVersion version : at.read) {
        if (open.contains(version)) {
          version.noteRead(at);
        }
      }
    }
    placed.read = Placed.NO_VERSIONS;
    placed.leave();
    takeOutVersions(placed).forEach(retention::dropUnlessOfUse);
  }

  /**
   * Those that a place before a number, for what was added last in vain, may contradict: all that
   * have a larger one, and what these have read; null if these are more than {@code most}, or some
   * may have left the window.
   */
  public @Nullable Excerpt excerpt(long from, int most) {
    List<Placed> later = new ArrayList<>();
    long least = from;
    for (Placed at = inWindow.last(); at != null && at.commit >= least; at = at.before) {
      if (later.size() == most) {
        return null;
      }
      later.add(at);
      least = Math.min(least, at.begin);
    }
    if (least <= floor) {
      // What has left may be between them.
      return null;
    }
    Collections.reverse(later);
    Set<Placed> earlier = new ReferenceLinkedOpenHashSet<>();
    for (Placed placed : later) {
      for (PlacedVersion version : placed.wrote) {
        addEarlier(version.previous, least, earlier);
      }
      for (PlacedVersion version : placed.read) {
        addEarlier(version, least, earlier);
      }
    }
    for (PlacedVersion version : reads) {
      addEarlier(version, least, earlier);
    }
    return new Excerpt(least, byCommit(earlier), later);
  }

  private static void addEarlier(PlacedVersion version, long least, Set<Placed> to) {
    if (version.writer != null && version.writer.commit < least) {
      to.add(version.writer);
    }
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
    List<Placed> window = new ArrayList<>(inWindow.size());
    for (Placed at = inWindow.first(); at != null; at = at.after) {
      window.add(at);
    }
    return new Excerpt(Room.LEAST, kept, window);
  }

  private static List<Placed> byCommit(Collection<Placed> placed) {
    List<Placed> sorted = new ArrayList<>(placed);
    sorted.sort(Comparator.comparingLong(Placed::commit));
    return sorted;
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
    Placed newest = added == null ? null : new Placed(this, added);
    long[] numbers = numbersOf(excerpt, newest, wish);
    if (newest != null) {
      newest.enter();
    }
    excerpt.later().forEach(inWindow::remove);
    Set<Placed> begun = new ReferenceOpenHashSet<>();
    List<Placed> committed = new ArrayList<>();
    int i = 0;
    for (Transaction transaction : order) {
      Placed placed = Objects.requireNonNull(of(transaction));
      boolean commits = one || !begun.add(placed);
      if (commits) {
        placed.commit = numbers[i];
        committed.add(placed);
      }
      if (one || !commits) {
        placed.begin = numbers[i];
      }
      i++;
    }
    committed.forEach(placed -> takeOutVersionsToMove(placed));
    for (Placed placed : committed) {
      inWindow.addByCommit(placed);
      latest = Math.max(latest, placed.commit);
      for (int w = 0; w < placed.wrote.length; w++) {
        placed.wrote[w].insertBehind(initialOf(placed.wrote[w].key).previous);
      }
      if (placed == newest) {
        for (int w = 0; w < placed.transaction.writeCount(); w++) {
          long key = placed.transaction.writeKey(w);
          PlacedVersion version = new PlacedVersion(key, placed);
          version.insertBehind(initialOf(key).previous);
          placed.addVersion(version);
        }
      }
    }
    noteReads(committed, newest);
    if (realTime != null) {
      realTime.renumbered(excerpt.later());
      if (newest != null) {
        realTime.add(newest);
      }
    }
  }

  private static void takeOutVersionsToMove(Placed placed) {
    for (PlacedVersion version : placed.wrote) {
      version.takeOut();
    }
  }

  private void noteReads(List<Placed> moved, @Nullable Placed newest) {
    if (newest != null) {
      newest.read = reads.toArray(Placed.NO_VERSIONS);
      reads.forEach(version -> version.readers++);
    }
    for (Placed placed : moved) {
      for (PlacedVersion version : placed.read) {
        version.lastRead = null;
      }
    }
    for (Placed placed : moved) {
      for (PlacedVersion version : placed.read) {
        version.noteRead(placed);
      }
    }
  }

  /**
   * As many numbers as there are events, ascending; those that they have, as far as they differ.
   */
  private long[] numbersOf(Excerpt excerpt, @Nullable Placed newest, Wish wish) {
    List<Placed> moved = excerpt.later();
    int events = one ? 1 : 2;
    long[] numbers = new long[(moved.size() + (newest == null ? 0 : 1)) * events];
    int n = 0;
    for (Placed placed : moved) {
      numbers[n++] = placed.commit;
      if (!one) {
        numbers[n++] = placed.begin;
      }
    }
    if (newest != null) {
      long commit = Math.max(recent, wish.commit(latest + STEP));
      numbers[n++] = commit;
      if (!one) {
        numbers[n++] = wish.begin(commit);
      }
    }
    Arrays.sort(numbers);
    long last = Math.max(floor, excerpt.from() - 1);
    for (int i = 0; i < numbers.length; i++) {
      last = Math.max(last + 1, numbers[i]);
      numbers[i] = last;
    }
    return numbers;
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
        floor = Math.max(floor, placed.commit);
      }
      entered.add(placed);
      latest = Math.max(latest, placed.commit);
    }
    for (Placed placed : byCommit(entered)) {
      for (int w = 0; w < placed.transaction.writeCount(); w++) {
        long key = placed.transaction.writeKey(w);
        PlacedVersion version = new PlacedVersion(key, placed);
        version.insertBehind(initialOf(key).previous);
        placed.addVersion(version);
      }
    }
    for (int i = 0; i < all.size(); i++) {
      Placed placed = entered.get(i);
      if (!placed.retired) {
        boolean readsAll = all.get(i).readsAll();
        boundByReads(
            placed.transaction, key -> readsAll || !placed.transaction.leavesOutReadsOf(key));
        placed.read = reads.toArray(Placed.NO_VERSIONS);
        reads.forEach(version -> version.readBy(placed));
        inWindow.addByCommit(placed);
        if (realTime != null) {
          realTime.add(placed);
        }
      }
    }
    forgetVain();
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

  /** Forgets the keys that what was added last in vain read or wrote, and nobody else. */
  public void forgetVain() {
    for (PlacedVersion version : behind) {
      if (version != null && version.writer == null) {
        forgetIfUnused(version);
      }
    }
    for (PlacedVersion version : reads) {
      if (version.writer == null) {
        forgetIfUnused(version);
      }
    }
    behind = Placed.NO_VERSIONS;
    reads.clear();
  }

  /**
   * Whether all numbers are as they must be, for assertions of tests: true, or it throws what is
   * wrong. Time in proportion to all that is placed.
   */
  public boolean isSound() {
    for (PlacedVersion first : initial.values()) {
      for (PlacedVersion version = first; ; version = version.next) {
        require(version.next.previous == version, "linked both ways", version);
        if (version.isLast()) {
          break;
        }
        Placed next = version.next.owner();
        require(next.versionOf(version.key) == version.next, "of its writer", version);
        require(
            version.writer == null || version.writer.commit < ends(next),
            "overwritten later",
            version);
      }
    }
    long last = Room.LEAST;
    for (Placed at = inWindow.first(); at != null; at = at.after) {
      require(last <= at.commit, "in the order of commits", at);
      require(one ? at.begin == at.commit : at.begin < at.commit, "begun before its commit", at);
      require(of(at.transaction) == at, "known of its transaction", at);
      last = at.commit;
      for (PlacedVersion version : at.read) {
        require(version.readers > 0, "counted", version);
        require(version.writer == null || version.writer.commit < at.begin, "written before", at);
        // Of a version that was taken out nothing follows.
        Placed overwriter = version.next == version ? null : version.next.writer;
        require(
            overwriter == null || overwriter == at || at.begin < overwriter.commit,
            "overwritten after it was read",
            at + " of " + version + " before " + version.next);
        require(
            at.begin <= floor || (version.lastRead != null && version.lastRead.begin >= at.begin),
            "known to be read",
            at);
      }
    }
    return true;
  }

  private static void require(boolean holds, String what, Object of) {
    if (!holds) {
      throw new IllegalStateException("not " + what + ": " + of);
    }
  }

  /** Whether anything has left the window. */
  public boolean anyLeft() {
    return floor > Room.LEAST;
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
    to.out.number(floor);
    to.out.number(latest);
    to.out.number(recent);
    to.out.number(nextRecent);
    to.out.count(added);
    CertificateState.save(to, all(), floor);
    if (realTime != null) {
      realTime.save(to.out);
    }
  }

  /**
   * Reads what {@link #save} saved; {@link #restore} must follow once the transactions are whole.
   */
  public List<Numbers> load(GraphReader from) {
    floor = from.in.number();
    latest = from.in.number();
    recent = from.in.number();
    nextRecent = from.in.number();
    added = from.in.count();
    List<Numbers> numbers = CertificateState.load(from, floor);
    if (realTime != null) {
      realTime.load(from.in);
    }
    return numbers;
  }

  /** Takes back what was saved. */
  public void restore(List<Numbers> numbers) {
    long savedFloor = floor;
    fill(numbers);
    floor = savedFloor;
    if (realTime != null) {
      realTime.loaded();
    }
  }

  /** A transaction of the window leaves it; see {@link Retention}. */
  public void truncate(Transaction transaction) {
    Placed placed = of(transaction);
    if (placed == null) {
      return;
    }
    floor = Math.max(floor, placed.commit);
    inWindow.remove(placed);
    if (realTime != null) {
      realTime.takeOut(placed);
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

  /** Takes out the versions of a transaction; returns those before them. */
  List<PlacedVersion> takeOutVersions(Placed placed) {
    List<PlacedVersion> previous = new ArrayList<>(placed.wrote.length);
    for (PlacedVersion version : placed.wrote) {
      previous.add(version.previous);
      version.takeOut();
    }
    placed.wrote = Placed.NO_VERSIONS;
    return previous;
  }

  /** Forgets a key of which nothing is known but its initial version, which nobody has read. */
  void forgetIfUnused(PlacedVersion version) {
    if (version.next == version && version.readers == 0) {
      initial.remove(version.key);
    }
  }

  /** Tells what has left the window and is not kept, since this was asked last. */
  public void drainDropped(Consumer<Transaction> to) {
    retention.drainDropped(to);
  }
}

package io.isotail.incremental.events;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.state.StateReader;
import io.isotail.incremental.state.StateWriter;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Txn;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongCollection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The graph of one level over the transactions in the window, with a guessed order of each key's
 * versions.
 *
 * <p>With the order given, an edge from each version's writer to the next one's and from each
 * reader to the writer of the version after the one it read imply all others, so there is one for
 * each write and each read.
 */
public final class LevelGraph {
  private static final Comparator<VersionSlot> BY_COMMIT =
      Comparator.comparingLong(slot -> LevelGraph.commitOf(slot).position);

  /** A place is not guessed farther back: clocks may be far apart. */
  private static final int MOST_STEPS_BACK = 4_096;

  final IsolationLevel level;
  final EventOrder order = new EventOrder();

  /** What is to enter the graph. */
  final ArrayDeque<Dependency> wanted = new ArrayDeque<>();

  /** The members that are in the window, in the order in which they were added. */
  final LinkedItems<Member> inWindow = new LinkedItems<>();

  final Long2ObjectOpenHashMap<KeyVersions> keys = new Long2ObjectOpenHashMap<>();

  /** What has left the window and is kept. */
  final Past past;

  /** Ends of transactions that are not ordered by time, since they came too late. */
  long unordered;

  private final GraphLimits limits;
  private final SearchBudget budget;

  /** Null where the level does not ask for real time. */
  final @Nullable RealTime realTime;

  final CommitHints hints = new CommitHints();

  /** An empty graph of a level from {@code prefix} on. */
  public LevelGraph(IsolationLevel level, GraphLimits limits) {
    this(level, limits, SearchBudget.DEFAULT);
  }

  /** The same with other bounds of what a search may cost. */
  LevelGraph(IsolationLevel level, GraphLimits limits, SearchBudget budget) {
    this.level = level;
    this.limits = limits;
    this.past = new Past(this, limits.mostRetired());
    this.budget = budget;
    this.realTime = level == IsolationLevel.STRICT_SERIALIZABLE ? new RealTime(this, limits) : null;
  }

  /**
   * Adds the transaction that was delivered last.
   *
   * @return null if the level still holds; otherwise why not, and the transaction stays out
   */
  public @Nullable Conflict add(Txn txn) {
    Member member = newMember(txn);
    order.append(member);
    member.enter();
    inWindow.add(member);
    if (realTime != null) {
      realTime.add(member);
    }
    addSessionOrder(member);
    addReads(member, key -> !txn.leavesOutReadsOf(key));
    member.hint = hints.of(member);
    addWrites(member);
    if (limits.listReads()) {
      ListReads.add(this, member);
    }
    Conflict conflict = enterWanted(member);
    past.settle();
    return conflict;
  }

  /**
   * Why what a transaction read and overwrote of some keys does not fit, all else that is known of
   * it apart; null if it does. The transaction stays out.
   */
  public @Nullable Conflict conflictOfUpdates(Txn txn, LongCollection updated) {
    Member member = newMember(txn);
    order.append(member);
    member.enter();
    inWindow.add(member);
    addReads(member, key -> updated.contains(key) && txn.writes(key));
    member.hint = hints.of(member);
    addWrites(member);
    Conflict conflict = enterWanted(member);
    if (conflict == null) {
      exclude(member);
      enterAll();
    }
    past.settle();
    return conflict;
  }

  private @Nullable Conflict enterWanted(Member newest) {
    for (Dependency next = wanted.poll(); next != null; next = wanted.poll()) {
      List<Dependency> path = next.dead ? null : order.enter(next);
      if (path != null) {
        return new VersionSearch(this, budget).resolve(newest, next, path);
      }
    }
    return null;
  }

  /** A transaction that is not yet in the graph. */
  Member newMember(Txn txn) {
    return new Member(this, txn, level.atLeast(IsolationLevel.SERIALIZABLE));
  }

  /** Saves its transactions; {@link #saveBody} must follow. */
  public void saveHead(GraphWriter out) {
    LevelGraphState.saveHead(this, out);
  }

  /** Saves the rest; may be called for several graphs at the same time, each by one thread. */
  public void saveBody(StateWriter out) {
    LevelGraphState.saveBody(this, out);
  }

  /** Takes back what {@link #saveHead} saved, into an empty graph. */
  public void loadHead(GraphReader in) {
    LevelGraphState.loadHead(this, in);
  }

  /** Takes back what {@link #saveBody} saved. */
  public void loadBody(StateReader in) {
    LevelGraphState.loadBody(this, in);
  }

  /** Whether a transaction is part of the graph. */
  public boolean contains(Txn txn) {
    return Member.of(txn, this) != null;
  }

  /**
   * A transaction leaves the window; see {@link Past}.
   *
   * @return which cycles can no longer be found
   */
  public Loss truncate(Txn txn) {
    Member member = Member.of(txn, this);
    return member == null ? Loss.NONE : past.leave(member);
  }

  /** Ends; no transaction is part of it any more. */
  public void end() {
    inWindow.forEach(Member::leave);
    past.retired.forEach(Member::leave);
  }

  /** Begins, empty, with what another level's graph keeps of what has left the window. */
  public void addPast(LevelGraph other) {
    hints.addAll(other.hints);
    past.incomplete |= other.past.incomplete;
    past.fill();
    for (Member known : other.past.retired) {
      Member member = newMember(known.txn);
      member.hint = known.hint;
      hints.note(known.hint);
      order.append(member);
      member.enter();
      past.add(member);
      addWrites(member);
    }
    enterAll();
  }

  /** Another level's graph ends, and this one is to stand for it. */
  public void standInFor(LevelGraph other) {
    past.standInFor(other.past);
  }

  /** All are added; takes out what {@link #addPast} added and nobody in the window needs. */
  public Loss dropUseless() {
    past.filled();
    return past.dropUseless();
  }

  /** Tells what has been taken out since this was asked last. */
  public void drainDropped(Consumer<Txn> to) {
    past.drainDropped(to);
  }

  /** The transactions that have left the window and are still kept. */
  public List<Txn> kept() {
    List<Txn> kept = new ArrayList<>(past.retired.size());
    past.retired.forEach(member -> kept.add(member.txn));
    return kept;
  }

  /** Which cycles could not be found since this was asked last, because of what has left before. */
  public Loss loss() {
    return past.toldLoss();
  }

  /** Ends of transactions that were not ordered by time, since they came too late. */
  public long unordered() {
    return unordered;
  }

  private void addSessionOrder(Member member) {
    Member before = null;
    for (Txn t = member.txn.soPrev; t != null && before == null; t = t.soPrev) {
      before = Member.of(t, this);
    }
    before = before == null ? past.latestBefore(member.txn) : before;
    if (before != null) {
      want(before.commit, member.begin, EdgeKind.SO, null);
    }
    // A successor is there only if this was promoted late; else the walk would be in vain.
    if (member.txn.outcome != Outcome.UNKNOWN) {
      return;
    }
    Member after = null;
    for (Txn t = member.txn.soNext; t != null && after == null; t = t.soNext) {
      after = Member.of(t, this);
    }
    if (after != null) {
      want(member.commit, after.begin, EdgeKind.SO, null);
    }
  }

  private void addReads(Member member, LongPredicate ofKey) {
    Txn txn = member.txn;
    for (int i = 0; i < txn.readWriters.length; i++) {
      Txn writer = txn.readWriters[i];
      long key = txn.operations.key(txn.readOperations[i]);
      if (writer == null || !ofKey.test(key)) {
        continue;
      }
      VersionSlot version;
      if (writer == Txn.INITIAL) {
        version = versions(key).initial;
      } else {
        Member source = Member.of(writer, this);
        if (source == null) {
          continue;
        }
        version = source.slotOf(key);
        if (version == null) {
          continue;
        }
      }
      if (!isReadBy(version, member)) {
        if (version.writer != null) {
          want(version.writer.commit, member.begin, EdgeKind.WR, version.key);
        }
        Reading reading = new Reading(member, version, null);
        version.readers.add(reading);
        member.reads.add(reading);
        connect(reading);
      }
    }
  }

  private static boolean isReadBy(VersionSlot version, Member member) {
    for (Reading reading : member.reads) {
      if (reading.version == version && reading.shown == null) {
        return true;
      }
    }
    return false;
  }

  private void addWrites(Member member) {
    Txn txn = member.txn;
    for (int i = 0; i < member.writes.length; i++) {
      KeyVersions versions = versions(txn.writeKey(i));
      VersionSlot slot = new VersionSlot(versions, member);
      if (versions.lists != null) {
        versions.lists.addWriter(slot);
      }
      VersionSlot previous = guessPlace(versions, slot, member);
      disconnect(previous);
      versions.insert(slot, previous);
      past.noteOverwritten(previous);
      member.writes[i] = slot;
      connect(previous);
      connect(slot);
      if (versions.lists != null) {
        ListReads.enforce(this, versions.lists.about(slot));
      }
    }
  }

  /**
   * Behind the version that a list shows before it; else behind whatever committed earlier as far
   * as is told, and behind what it read itself.
   */
  private static VersionSlot guessPlace(KeyVersions versions, VersionSlot slot, Member member) {
    VersionSlot shown = versions.lists == null ? null : versions.lists.placeOf(slot);
    if (shown != null) {
      return shown;
    }
    VersionSlot place = versions.last();
    int steps = 0;
    while (place.writer != null
        && steps++ < MOST_STEPS_BACK
        && place.writer.hint > member.hint
        && !isReadBy(place, member)
        && place.previous != null) {
      place = place.previous;
    }
    return place;
  }

  KeyVersions versions(long key) {
    KeyVersions versions = keys.get(key);
    if (versions == null) {
      versions = new KeyVersions(key);
      keys.put(key, versions);
    }
    return versions;
  }

  void forgetIfEmpty(KeyVersions versions) {
    if (versions.size() == 0 && versions.initial.readers.isEmpty() && versions.lists == null) {
      keys.remove(versions.key);
    }
  }

  /** Takes out what rests on a version's being followed by the next. */
  private static void disconnect(VersionSlot slot) {
    if (slot.ww != null) {
      slot.ww.remove();
      slot.ww = null;
    }
    for (Reading reading : slot.readers) {
      disconnect(reading);
    }
  }

  /** Whether there was something to take out. */
  private static boolean disconnect(Reading reading) {
    if (reading.toNext == null) {
      return false;
    }
    reading.toNext.remove();
    reading.toNext = null;
    return true;
  }

  /** Wants what rests on a version's being followed by the next. */
  private void connect(VersionSlot slot) {
    VersionSlot next = slot.next;
    if (slot.writer != null && next != null && slot.ww == null) {
      slot.ww = wantOverwriting(slot.writer, writerOf(next), slot.key);
    }
    for (Reading reading : slot.readers) {
      connect(reading);
    }
  }

  void connect(Reading reading) {
    VersionSlot next = reading.version.next;
    if (next != null && reading.toNext == null && next.writer != reading.reader) {
      reading.toNext = wantBehind(reading, writerOf(next));
    }
  }

  /** Wants that {@code later} overwrites the version of {@code key} by {@code earlier}. */
  Dependency wantOverwriting(Member earlier, Member later, KeyVersions key) {
    return want(earlier.commit, overwriting(later), EdgeKind.WW, key);
  }

  /** Where an edge from the writer of an earlier version leads. */
  private Event overwriting(Member later) {
    return level == IsolationLevel.PREFIX ? later.commit : later.begin;
  }

  /**
   * Wants that a reader did not see the later version by {@code later}, or that this one comes
   * after the version that directly succeeds the one that it overwrites.
   */
  Dependency wantBehind(Reading reading, Member later) {
    VersionSlot version = reading.version;
    boolean read = reading.shown == null;
    return want(
        new Dependency(
            read ? reading.reader.begin : reading.reader.commit,
            read ? later.commit : overwriting(later),
            read ? EdgeKind.RW : EdgeKind.WW,
            version.key,
            version.writer,
            reading.shown));
  }

  Dependency want(Event from, Event to, EdgeKind kind, @Nullable KeyVersions key) {
    return want(new Dependency(from, to, kind, key, null));
  }

  /** Takes out what rests on the place of neighbouring versions, which are in order. */
  static void detach(List<VersionSlot> slots) {
    VersionSlot previous = slots.get(0).previous;
    if (previous != null) {
      disconnect(previous);
    }
    slots.forEach(LevelGraph::disconnect);
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

  /** The versions as the commits of their writers are ordered now. */
  static List<VersionSlot> byCommit(List<VersionSlot> slots) {
    List<VersionSlot> sorted = new ArrayList<>(slots);
    sorted.sort(BY_COMMIT);
    return sorted;
  }

  /** Takes out a transaction that nobody read from. */
  void exclude(Member member) {
    member.leave();
    inWindow.remove(member);
    forgetVersions(member);
    ListReads.forgetShownBy(this, member, false);
    takeOut(member);
    takeOutWrites(member);
  }

  /** Lists show nothing more of its versions. */
  static void forgetVersions(Member member) {
    for (VersionSlot slot : member.writes) {
      if (slot.key.lists != null) {
        slot.key.lists.removeWriter(slot);
      }
    }
  }

  void takeOutWrites(Member member) {
    for (VersionSlot slot : member.writes) {
      VersionSlot previous = slot.previous;
      slot.readers.forEach(this::takeOut);
      unlink(slot);
      past.noteOverwritten(previous);
      if (previous != null) {
        connect(previous);
      }
      forgetIfEmpty(slot.key);
    }
  }

  /** Enters all that is wanted, of which is known that it closes no cycle. */
  void enterAll() {
    for (Dependency next = wanted.poll(); next != null; next = wanted.poll()) {
      if (!next.dead && order.enter(next) != null) {
        throw new IllegalStateException("a cycle without the transaction that closed it: " + next);
      }
    }
  }

  private static void unlink(VersionSlot slot) {
    VersionSlot previous = slot.previous;
    if (previous != null) {
      disconnect(previous);
    }
    disconnect(slot);
    slot.key.remove(slot);
  }

  /** Takes out its reads, and every dependency of its events. */
  void takeOut(Member member) {
    for (int i = member.reads.size() - 1; i >= 0; i--) {
      takeOut(member.reads.get(i));
    }
    if (realTime != null) {
      realTime.remove(member);
    }
    removeAll(member.begin);
    removeAll(member.commit);
  }

  void takeOut(Reading reading) {
    disconnect(reading);
    reading.version.readers.remove(reading);
    reading.reader.reads.remove(reading);
    if (reading.shown != null) {
      ListReads.notInForce(reading.shown);
    }
    past.noteOverwritten(reading.version);
    if (reading.version.writer == null) {
      forgetIfEmpty(reading.version.key);
    }
  }

  static void removeAll(Event event) {
    for (Dependency out = event.firstOut; out != null; out = event.firstOut) {
      out.remove();
    }
    for (Dependency in = event.firstIn; in != null; in = event.firstIn) {
      in.remove();
    }
  }

  private static Member writerOf(VersionSlot slot) {
    if (slot.writer == null) {
      throw new IllegalStateException("the initial version comes first");
    }
    return slot.writer;
  }

  private static Event commitOf(VersionSlot slot) {
    return writerOf(slot).commit;
  }

  private Dependency want(Dependency dependency) {
    wanted.add(dependency);
    past.noteEdgeTo(dependency.to);
    return dependency;
  }

  /** The keys that both wrote. */
  static List<KeyVersions> commonKeys(Member a, Member b) {
    List<KeyVersions> common = new ArrayList<>(2);
    for (VersionSlot slot : a.writes) {
      if (b.txn.writes(slot.key.key)) {
        common.add(slot.key);
      }
    }
    return common;
  }
}

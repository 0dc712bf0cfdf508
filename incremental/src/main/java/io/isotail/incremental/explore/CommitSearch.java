package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import io.isotail.incremental.level.IsolationLevel;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whether a whole history satisfies a level that speaks of an order of the commits: searches for
 * the order, and finds it if there is one.
 *
 * <p>A transaction is one event at serializable; at prefix and snapshot isolation it is two, its
 * begin, which reads, and its commit, which writes ([2] Theorems 4.8 and 4.9). Events are placed
 * one after another. A write of a variable is placed once all have read it that read an older
 * version of it. What can follow is a function of the set of those placed, so that each set is
 * tried once: for s sessions and n transactions at most (2n/s + 1)<sup>s</sup> of them ([2] Theorem
 * 4.3).
 *
 * <p>At snapshot isolation, no two transactions that overlap write the same variable. At prefix
 * they may.
 *
 * <p>[2] Biswas, Enea: On the Complexity of Checking Transactional Consistency, OOPSLA 2019.
 */
final class CommitSearch {
  private final SessionOrder sessions;
  private final boolean two;
  private final boolean overlap;
  private final LongOpenHashSet tried = new LongOpenHashSet();

  /** For each transaction: who must have read before its write is placed, if the source is. */
  private final int[][] readers;

  /** For each transaction: the transactions whose versions those readers read. */
  private final int[][] readFrom;

  private final int[] sourcesOf;
  private final int[] sharesWrites;
  private final int[] events;
  private int placedEvents;
  private int all;

  CommitSearch(SessionOrder sessions, IsolationLevel level) {
    this.sessions = sessions;
    this.two = level.tellsBeginFromCommit();
    this.overlap = level.overwritersMayOverlap();
    int count = sessions.transactions + 1;
    this.readers = new int[count][];
    this.readFrom = new int[count][];
    this.sourcesOf = new int[count];
    this.sharesWrites = new int[count];
    this.events = new int[2 * count];
  }

  /**
   * An order of events: t for the begin of a transaction, and -t for its commit; where both are one
   * event, -t alone. Null if there is none.
   */
  int @Nullable [] order(Frame frame) {
    all = frame.present;
    prepare(frame);
    tried.clear();
    placedEvents = 0;
    return search(1, 1) ? Arrays.copyOf(events, placedEvents) : null;
  }

  private void prepare(Frame frame) {
    for (int writer = 1; writer <= sessions.transactions; writer++) {
      Step step = frame.step(writer);
      int[] written = step.committed ? step.written() : new int[0];
      sourcesOf[writer] = 1;
      for (byte source : frame.sources[writer]) {
        sourcesOf[writer] |= bit(source);
      }
      int shares = 0;
      int[] who = new int[sessions.transactions + 1];
      int found = 0;
      int[] from = new int[sessions.transactions + 1];
      for (int other = 1; other <= sessions.transactions; other++) {
        if (other == writer) {
          continue;
        }
        Step otherStep = frame.step(other);
        int sources = 0;
        for (int i = 0; i < otherStep.reads.length; i++) {
          if (frame.sources[other][i] != writer && contains(written, otherStep.reads[i])) {
            sources |= bit(frame.sources[other][i]);
          }
        }
        if (sources != 0) {
          who[found] = other;
          from[found] = sources;
          found++;
        }
        for (int variable : written) {
          shares |= otherStep.writes(variable) ? bit(other) : 0;
        }
      }
      readers[writer] = Arrays.copyOf(who, found);
      readFrom[writer] = Arrays.copyOf(from, found);
      sharesWrites[writer] = shares;
    }
  }

  private static boolean contains(int[] sorted, int variable) {
    return Arrays.binarySearch(sorted, variable) >= 0;
  }

  /** Places what is left; the transactions that have begun and those that have committed. */
  private boolean search(int begun, int committed) {
    if (committed == all) {
      return true;
    }
    if (!tried.add(begun | (long) committed << Integer.SIZE)) {
      return false;
    }
    for (int t = 1; t <= sessions.transactions; t++) {
      if ((committed & bit(t)) != 0) {
        continue;
      }
      boolean hasBegun = (begun & bit(t)) != 0;
      boolean commits = !two || hasBegun;
      if (!hasBegun && !mayBegin(t, committed)) {
        continue;
      }
      int begunThen = begun | bit(t);
      if (commits && !mayCommit(t, begunThen, committed)) {
        continue;
      }
      int mark = placedEvents;
      events[placedEvents++] = commits ? -t : t;
      if (search(begunThen, commits ? committed | bit(t) : committed)) {
        return true;
      }
      placedEvents = mark;
    }
    return false;
  }

  private boolean mayBegin(int t, int committed) {
    return ((sessions.before[t] | sourcesOf[t]) & ~committed) == 0;
  }

  private boolean mayCommit(int t, int begun, int committed) {
    for (int i = 0; i < readers[t].length; i++) {
      boolean hasRead = (begun & bit(readers[t][i])) != 0;
      if (!hasRead && (readFrom[t][i] & committed) != 0) {
        return false;
      }
    }
    return !two || overlap || (sharesWrites[t] & begun & ~committed) == 0;
  }
}

package io.isotail.incremental.explore;

import static io.isotail.incremental.explore.Frame.bit;

import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a whole history satisfies levels that speak of an order of the commits: searches for the
 * order, and finds it if there is one. There is one order for all transactions; what a read demands
 * of it follows from the level of its own transaction ([3]).
 *
 * <p>At prefix and snapshot isolation a transaction is two events, its begin, which reads, and its
 * commit, which writes ([2] Theorems 4.8 and 4.9); else it is one. Events are placed one after
 * another. A transaction's commit follows all that {@link Frame#before} names, which is what weak
 * levels demand, and the commits of those that it reads from. A write of a variable is placed once
 * all have read it that read an older version of it, weak levels aside. What can follow is a
 * function of the set of those placed, so that each set is tried once: for s sessions and n
 * transactions at most (2n/s + 1)<sup>s</sup> of them ([2] Theorem 4.3).
 *
 * <p>Between the begin and the commit of a transaction at snapshot isolation, none commits that
 * writes a variable of it, at whatever level. At prefix that is allowed.
 *
 * <p>[2] Biswas, Enea: On the Complexity of Checking Transactional Consistency, OOPSLA 2019.
 *
 * <p>[3] Bouajjani, Enea, Román-Calvo: On the Complexity of Checking Mixed Isolation Levels for SQL
 * Transactions, CAV 2025.
 */
final class CommitSearch {
  /** Sets that are tried for one history; beyond it there is no answer. */
  static final int MOST_STATES = 4_000_000;

  private static final int STATES_BETWEEN_QUESTIONS = 4_096;

  private final SessionOrder sessions;
  private final Levels levels;
  private final LongOpenHashSet tried = new LongOpenHashSet();

  /** For each transaction: who must have read before its write is placed, if the source is. */
  private final int[] readers;

  /** For each transaction and each of those readers: the transactions whose versions it read. */
  private final int[][] readFrom;

  private final int[] sourcesOf;

  /** For each transaction: what its commit follows. */
  private int[] before = {};

  private final int[] sharesWrites;
  private final int[] events;
  private int placedEvents;
  private int all;
  private BooleanSupplier mayGoOn = () -> true;
  private @Nullable Limit limit;

  CommitSearch(SessionOrder sessions, Levels levels) {
    this.sessions = sessions;
    this.levels = levels;
    int count = sessions.transactions + 1;
    this.readers = new int[count];
    this.readFrom = new int[count][count];
    this.sourcesOf = new int[count];
    this.sharesWrites = new int[count];
    this.events = new int[2 * count];
  }

  /** Asks from now on whether to go on, every now and then. */
  void limit(BooleanSupplier goOn) {
    this.mayGoOn = goOn;
  }

  /** Why the last search ended without an answer; null if it has one. */
  @Nullable Limit limit() {
    return limit;
  }

  /**
   * An order of events: t for the begin of a transaction, and -t for its commit; where both are one
   * event, -t alone. Null if there is none.
   *
   * @param frame in which {@link Frame#before} holds what the weak ones of the levels demand
   */
  int @Nullable [] order(Frame frame) {
    all = frame.present;
    before = frame.before;
    prepare(frame);
    tried.clear();
    limit = null;
    placedEvents = 0;
    return search(1, 1) ? Arrays.copyOf(events, placedEvents) : null;
  }

  private void prepare(Frame frame) {
    Arrays.fill(readers, 0);
    for (int[] from : readFrom) {
      Arrays.fill(from, 0);
    }
    for (int t = 1; t <= sessions.transactions; t++) {
      sourcesOf[t] = 1;
      for (byte source : frame.sources[t]) {
        sourcesOf[t] |= bit(source);
      }
      if ((levels.searched & bit(t)) != 0) {
        prepareReader(frame, t);
      }
      sharesWrites[t] = 0;
      for (int other = 1; other < t; other++) {
        if (frame.step(t).sharesWrites(frame.step(other))) {
          sharesWrites[t] |= bit(other);
          sharesWrites[other] |= bit(t);
        }
      }
    }
  }

  private void prepareReader(Frame frame, int reader) {
    int[] variables = frame.step(reader).reads;
    for (int i = 0; i < variables.length; i++) {
      int source = frame.sources[reader][i];
      int writers = frame.writers(variables[i]) & ~(1 | bit(reader) | bit(source));
      for (int rest = writers; rest != 0; rest &= rest - 1) {
        int writer = Integer.numberOfTrailingZeros(rest);
        readers[writer] |= bit(reader);
        readFrom[writer][reader] |= bit(source);
      }
    }
  }

  /** Places what is left; the transactions that have begun and those that have committed. */
  private boolean search(int begun, int committed) {
    int mark = placedEvents;
    int began = begun;
    int done = committed;
    // What cannot stand in the way of anything is placed without a choice.
    for (int event = harmless(began, done); event != 0; event = harmless(began, done)) {
      began |= bit(Math.abs(event));
      done |= event < 0 ? bit(-event) : 0;
      events[placedEvents++] = event;
    }
    if (done == all) {
      return true;
    }
    if (limit == null && isNew(began, done)) {
      for (int t = 1; t <= sessions.transactions; t++) {
        int event = next(t, began, done);
        if (event != 0) {
          int here = placedEvents;
          events[placedEvents++] = event;
          if (search(began | bit(t), event < 0 ? done | bit(t) : done)) {
            return true;
          }
          placedEvents = here;
        }
      }
    }
    placedEvents = mark;
    return false;
  }

  private boolean isNew(int begun, int committed) {
    boolean added = tried.add(begun | (long) committed << Integer.SIZE);
    if (tried.size() > MOST_STATES) {
      limit = Limit.COMMIT_ORDERS;
    } else if (tried.size() % STATES_BETWEEN_QUESTIONS == 0 && !mayGoOn.getAsBoolean()) {
      limit = Limit.TIME;
    }
    return added && limit == null;
  }

  /** The event of a transaction that may be placed now: t its begin, -t its commit; 0 for none. */
  private int next(int t, int begun, int committed) {
    if ((committed & bit(t)) != 0) {
      return 0;
    }
    boolean hasBegun = (begun & bit(t)) != 0;
    if (!hasBegun && !mayBegin(t, committed)) {
      return 0;
    }
    if (!hasBegun && (levels.apart & bit(t)) != 0) {
      return t;
    }
    return mayCommit(t, begun | bit(t), committed) ? -t : 0;
  }

  /**
   * An event that no event which is still to be placed could want to come first: a begin, unless it
   * makes the transaction overlap another writer of its variables; and a commit that neither hides
   * a version from a later reader nor conflicts with a later writer.
   */
  private int harmless(int begun, int committed) {
    for (int t = 1; t <= sessions.transactions; t++) {
      int event = next(t, begun, committed);
      boolean alone = (sharesWrites[t] & ~committed) == 0;
      if (event > 0 && (alone || (levels.alone & bit(t)) == 0)) {
        return event;
      }
      if (event < 0 && alone && noOtherReader(t, begun)) {
        return event;
      }
    }
    return 0;
  }

  /** Whether all have read that read an own variable of the transaction from another one. */
  private boolean noOtherReader(int t, int begun) {
    return (readers[t] & ~begun) == 0;
  }

  private boolean mayBegin(int t, int committed) {
    return ((sessions.before[t] | sourcesOf[t]) & ~committed) == 0;
  }

  private boolean mayCommit(int t, int begun, int committed) {
    if ((before[t] & ~committed) != 0) {
      return false;
    }
    for (int rest = readers[t] & ~begun; rest != 0; rest &= rest - 1) {
      if ((readFrom[t][Integer.numberOfTrailingZeros(rest)] & committed) != 0) {
        return false;
      }
    }
    return (sharesWrites[t] & begun & ~committed & levels.alone) == 0;
  }
}

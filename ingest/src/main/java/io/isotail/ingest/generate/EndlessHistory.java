package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.util.Comparator;
import java.util.Iterator;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Generates a serializable history without end, in commit order, with anomalies at chosen places:
 * what a checker sees that runs for months beside production.
 *
 * <p>Sessions come and go, keys are drawn around a moving frontier. The ordinary transactions are
 * strictly serializable, by the times of one clock; anomalies have keys of their own, above {@link
 * #FIRST_INJECTED_KEY}, and no times.
 *
 * <p>Not thread-safe; may run ahead of the checker in a thread of its own. Memory: the keys that
 * are not dead, the sessions that are open, the anomalies that are under way.
 */
public final class EndlessHistory {
  /** Ordinary keys lie below, those of anomalies from here on. */
  public static final long FIRST_INJECTED_KEY = 1L << 62;

  private static final long FIRST_NS = 1_700_000_000_000_000_000L;
  private static final int NS_BETWEEN_COMMITS = 10_000;
  private static final int MOST_NS_BEFORE_COMMIT = 500_000;
  private static final int MOST_NS_AFTER_COMMIT = 100_000;
  private static final int MOST_MINI_KEYS = 2;

  private final EndlessTraffic traffic;
  private final Iterator<Placement> placements;
  private final Consumer<Injection> listener;
  private final Prng random;
  private final Prng injectionChoice;
  private final Prng timing;
  private final AgingKeys keys;
  private final SessionBook[] sessions;
  private final Operations.Builder operations = new Operations.Builder();
  private final PriorityQueue<Turn> turns =
      new PriorityQueue<>(Comparator.comparingLong(Turn::position).thenComparingLong(Turn::number));
  private @Nullable Placement nextPlacement;
  private long turnNumber;
  private long groups;
  private long nextSession;
  private long nextInjectedKey = FIRST_INJECTED_KEY;
  private long lastVersion;
  private long emitted;

  /**
   * Where an anomaly comes.
   *
   * @param position number of the transaction, from 0, before which it does not begin
   * @param spanTransactions it ends so many transactions later at the latest, but for other
   *     anomalies in between
   */
  public record Placement(long position, AnomalyKind kind, int spanTransactions) {

    /** Checks that the anomaly can be put in. */
    public Placement {
      GenerateConfig.require("span", spanTransactions, 1, Integer.MAX_VALUE);
      AnomalyPattern.of(kind);
    }
  }

  /** The next transaction of a group comes at that position or soon after. */
  private record Turn(long position, long number, InjectionGroup group) {}

  /**
   * Starts with no keys.
   *
   * @param placements anomalies to put in, by growing position; read as far as needed
   * @param listener is told of each anomaly before {@link #next} returns its last transaction
   */
  public EndlessHistory(
      EndlessTraffic traffic,
      long seed,
      Iterator<Placement> placements,
      Consumer<Injection> listener) {
    this.traffic = traffic;
    this.placements = placements;
    this.listener = listener;
    Prng seeds = new Prng(seed);
    random = new Prng(seeds.nextLong());
    injectionChoice = new Prng(seeds.nextLong());
    timing = new Prng(seeds.nextLong());
    keys = new AgingKeys(traffic, random);
    sessions = new SessionBook[traffic.sessions()];
    for (int i = 0; i < sessions.length; i++) {
      sessions[i] = new SessionBook(nextSession++);
    }
    nextPlacement = placements.hasNext() ? placements.next() : null;
  }

  /** The next transaction in commit order. */
  public TransactionRecord next() {
    while (nextPlacement != null && nextPlacement.position() <= emitted) {
      plan(nextPlacement);
      nextPlacement = placements.hasNext() ? placements.next() : null;
    }
    Turn turn = turns.peek();
    if (turn != null && turn.position() <= emitted) {
      turns.remove();
      emitted++;
      return inject(turn.group());
    }
    emitted++;
    return ordinary();
  }

  private TransactionRecord ordinary() {
    int slot = random.nextInt(sessions.length);
    if (random.nextInt(traffic.sessionTransactions()) == 0) {
      sessions[slot] = new SessionBook(nextSession++);
    }
    operations.clear();
    keys.advance();
    boolean aborts = random.chance(traffic.abortRatio());
    if (traffic.mini()) {
      miniTransaction(aborts);
    }
    for (int i = 0; i < traffic.operations() && !traffic.mini(); i++) {
      if (random.nextDouble() < traffic.readRatio()) {
        long key = random.chance(traffic.coldRatio()) ? keys.cold() : keys.warm();
        if (!aborts) {
          read(key);
        }
      } else {
        operations.write(write(aborts), lastVersion);
      }
    }
    // Its versions were current when it committed, in between; others may overlap with it.
    long commitNs = FIRST_NS + emitted * NS_BETWEEN_COMMITS;
    return sessions[slot].record(
        aborts ? Outcome.ABORTED : Outcome.COMMITTED,
        commitNs - timing.nextInt(MOST_NS_BEFORE_COMMIT),
        commitNs + timing.nextInt(MOST_NS_AFTER_COMMIT),
        "clock",
        operations.build());
  }

  private void miniTransaction(boolean aborts) {
    boolean readOnly = random.nextDouble() < traffic.readRatio();
    for (int i = random.nextInt(MOST_MINI_KEYS); i >= 0; i--) {
      long key = readOnly && random.chance(traffic.coldRatio()) ? keys.cold() : keys.warm();
      read(key);
      if (!readOnly) {
        lastVersion++;
        operations.write(key, lastVersion);
        if (!aborts) {
          keys.write(key, lastVersion);
        }
      }
    }
  }

  private void read(long key) {
    long version = keys.read(key);
    if (version == SimulatedStore.INITIAL) {
      operations.readInitial(key);
    } else {
      operations.read(key, version);
    }
  }

  /** Writes a new version of some key; one that aborts leaves no trace. */
  private long write(boolean aborts) {
    long key = keys.warm();
    lastVersion++;
    if (!aborts) {
      keys.write(key, lastVersion);
    }
    return key;
  }

  private void plan(Placement placement) {
    AnomalyPattern pattern = AnomalyPattern.of(placement.kind());
    SessionBook[] chosen =
        pattern.apart()
            ? ownSessions(pattern.sessions())
            : SessionBook.choose(sessions, pattern.sessions(), injectionChoice);
    InjectionGroup group = new InjectionGroup(pattern, ++groups, nextInjectedKey, chosen);
    nextInjectedKey += pattern.keys();
    injectionChoice
        .longs(pattern.parts().size(), placement.spanTransactions())
        .sorted()
        .forEach(offset -> turns.add(new Turn(placement.position() + offset, turnNumber++, group)));
  }

  private SessionBook[] ownSessions(int count) {
    SessionBook[] own = new SessionBook[count];
    for (int i = 0; i < count; i++) {
      own[i] = new SessionBook(nextSession++);
    }
    return own;
  }

  private TransactionRecord inject(InjectionGroup group) {
    AnomalyPattern.Part part = group.nextPart();
    operations.clear();
    part.appendTo(operations, group.firstKey(), 1);
    TransactionRecord record = group.nextSession().record(part.outcome(), operations.build());
    group.emitted(record.transaction());
    if (group.complete()) {
      listener.accept(group.injection());
    }
    return record;
  }
}

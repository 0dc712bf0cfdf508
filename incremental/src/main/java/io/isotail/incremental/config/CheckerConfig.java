package io.isotail.incremental.config;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Statement;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a checker assumes of its history, and its bounds.
 *
 * @param history id of the history; part of every anomaly's id
 * @param strongest strongest level to check; weaker ones come with it
 * @param promise level promised by every transaction whatever it ran at; null takes the promise of
 *     each transaction from {@code promises}
 * @param promises from {@code database:level} to the level promised; a level's own name needs no
 *     entry
 * @param closed whether every writer is captured: a version without a known writer is then a
 *     thin-air read, as long as nothing was lost
 * @param uniqueVersions whether no two writes of a key install the same version, aborted ones
 *     included. If not (a counter, where a retry installs the number of the aborted attempt), a
 *     read of a closed history is decided only once no further writer can come, and in an open one
 *     it is decided only in {@code countingTables}
 * @param countingTables tables whose versions, though not unique, never start again for a key: its
 *     row is never inserted again after a delete, or with higher versions. No two committed
 *     transactions then write the same version of a row, whoever is not captured
 * @param deletes whether keys can be deleted, so that absence may follow presence
 * @param outsiders whether there may be writers that a transaction at {@code serializable} is not
 *     kept apart from: some that are promised less, and in an open history some that are not
 *     captured. What nobody saw between a version and the one that overwrote it may then be theirs
 * @param live whether the stream has proxies with heartbeats, so that a missing writer is waited
 *     for
 * @param windowTransactions delivered transactions kept, at least 2; {@link Integer#MAX_VALUE} for
 *     all
 * @param retiredVersions versions of truncated transactions that are remembered
 * @param pendingTransactions transactions that may wait for delivery; beyond it the oldest goes on
 *     without the reads that it waits for
 * @param maxTransactionOperations operations of one transaction that are kept
 * @param clockUncertaintyNs how far two clocks may be apart, in ns; times of different clocks that
 *     differ by more are ordered, for {@code strict-serializable} alone. {@link #NEVER_COMPARED} by
 *     default
 * @param silentAfterMs a proxy without a heartbeat for so long, in ms of log append time, is taken
 *     for dead
 * @param provenPerInterval anomalies of one pattern that are proven in an interval, at least 1;
 *     further ones are counted. {@link #PROVE_ALL} proves all
 */
public record CheckerConfig(
    String history,
    IsolationLevel strongest,
    @Nullable IsolationLevel promise,
    Map<String, IsolationLevel> promises,
    boolean closed,
    boolean uniqueVersions,
    Set<String> countingTables,
    boolean deletes,
    boolean outsiders,
    boolean live,
    int windowTransactions,
    int retiredVersions,
    int pendingTransactions,
    int maxTransactionOperations,
    long clockUncertaintyNs,
    long silentAfterMs,
    int provenPerInterval) {

  /** As the number of proofs: every anomaly is proven and reported. */
  public static final int PROVE_ALL = Integer.MAX_VALUE;

  /** As the uncertainty of clocks: times of two clocks are not compared at all. */
  public static final long NEVER_COMPARED = Long.MAX_VALUE;

  private static final int LIVE_PENDING = 100_000;
  private static final int LIVE_PROVEN = 8;

  /**
   * What the documentation of PostgreSQL, of MariaDB and of MySQL promises for each level.
   *
   * <p>A physical standby shows what was committed in the order of the log. On the primary two
   * commits may become visible in the other order, and one that waits for a synchronous standby
   * does after it is visible there. So a snapshot of each together may be a long fork, and neither
   * shows an effect without its cause: that is {@code causal}. A standby refuses {@code
   * serializable}.
   *
   * <p>InnoDB's {@code repeatable-read} reads from a snapshot and overwrites what is newer, which
   * is {@code prefix}. A read that locks its rows is not of the snapshot.
   */
  public static final Map<String, IsolationLevel> DEFAULT_PROMISES =
      Map.ofEntries(
          Map.entry("postgresql:read-uncommitted", IsolationLevel.READ_COMMITTED),
          Map.entry("postgresql:read-committed", IsolationLevel.READ_COMMITTED),
          Map.entry("postgresql:repeatable-read", IsolationLevel.SNAPSHOT_ISOLATION),
          Map.entry("postgresql:serializable", IsolationLevel.SERIALIZABLE),
          Map.entry("postgresql-standby:read-uncommitted", IsolationLevel.READ_COMMITTED),
          Map.entry("postgresql-standby:read-committed", IsolationLevel.READ_COMMITTED),
          Map.entry("postgresql-standby:repeatable-read", IsolationLevel.CAUSAL),
          Map.entry("postgresql-standby:serializable", IsolationLevel.CAUSAL),
          Map.entry("mariadb:read-committed", IsolationLevel.READ_COMMITTED),
          Map.entry("mariadb:repeatable-read", IsolationLevel.PREFIX),
          Map.entry("mariadb:repeatable-read-locking", IsolationLevel.READ_COMMITTED),
          Map.entry("mariadb:serializable", IsolationLevel.SERIALIZABLE),
          Map.entry("mysql:read-committed", IsolationLevel.READ_COMMITTED),
          Map.entry("mysql:repeatable-read", IsolationLevel.PREFIX),
          Map.entry("mysql:repeatable-read-locking", IsolationLevel.READ_COMMITTED),
          Map.entry("mysql:serializable", IsolationLevel.SERIALIZABLE));

  private static final String READ_UNCOMMITTED = "read-uncommitted";

  /** Checks the bounds. */
  public CheckerConfig {
    Objects.requireNonNull(history);
    promises = Map.copyOf(promises);
    countingTables = Set.copyOf(countingTables);
    requireAtLeast("window.transactions", windowTransactions, 2);
    requireAtLeast("window.retired-versions", retiredVersions, 0);
    requireAtLeast("pending.transactions", pendingTransactions, 1);
    requireAtLeast("transaction.operations", maxTransactionOperations, 1);
    requireAtLeast("clock-uncertainty-ns", clockUncertaintyNs, 0);
    requireAtLeast("proxy.silent-after-ms", silentAfterMs, 1);
    requireAtLeast("witnesses.proven-per-interval", provenPerInterval, 1);
  }

  /** A finished history file: closed, unique versions, no deletes, everything in the window. */
  public static CheckerConfig forFile(String history, IsolationLevel strongest) {
    return new CheckerConfig(
        history,
        strongest,
        null,
        DEFAULT_PROMISES,
        true,
        true,
        Set.of(),
        false,
        false,
        false,
        Integer.MAX_VALUE,
        1_000_000,
        Integer.MAX_VALUE,
        1_000_000,
        NEVER_COMPARED,
        10_000,
        PROVE_ALL);
  }

  /** Live traffic with the defaults of the monitor: an open history in a bounded window. */
  public static CheckerConfig forLive(String history) {
    return new CheckerConfig(
        history,
        IsolationLevel.STRICT_SERIALIZABLE,
        null,
        DEFAULT_PROMISES,
        false,
        false,
        Set.of(),
        true,
        true,
        true,
        100_000,
        400_000,
        LIVE_PENDING,
        100_000,
        NEVER_COMPARED,
        10_000,
        LIVE_PROVEN);
  }

  /**
   * A copy with another window. In a file nothing but a bound tells that a writer is not coming, so
   * as many transactions may wait as the window holds, or as many as in live traffic.
   */
  public CheckerConfig withWindow(int transactions) {
    return with(
        copy -> {
          copy.windowTransactions = transactions;
          if (!live) {
            copy.pendingTransactions = Math.max(transactions, LIVE_PENDING);
          }
        });
  }

  /** A copy for another history. */
  public CheckerConfig withHistory(String id) {
    return with(copy -> copy.history = id);
  }

  /** A copy that is checked up to another level. */
  public CheckerConfig withStrongest(IsolationLevel level) {
    return with(copy -> copy.strongest = level);
  }

  /** A copy with one promise for the whole history. */
  public CheckerConfig withPromise(@Nullable IsolationLevel level) {
    return with(copy -> copy.promise = level);
  }

  /** A copy in which what ran at these levels is promised this; other levels keep their promise. */
  public CheckerConfig withPromises(Map<String, IsolationLevel> byLevel) {
    return with(copy -> copy.promises.putAll(byLevel));
  }

  /** A copy with the history declared closed or open. */
  public CheckerConfig withClosed(boolean isClosed) {
    return with(copy -> copy.closed = isClosed);
  }

  /** A copy with versions declared unique or not. */
  public CheckerConfig withUniqueVersions(boolean unique) {
    return with(copy -> copy.uniqueVersions = unique);
  }

  /** A copy with tables whose versions never start again. */
  public CheckerConfig withCountingTables(Set<String> tables) {
    return with(copy -> copy.countingTables = tables);
  }

  /** A copy with keys that can be deleted, or not. */
  public CheckerConfig withDeletes(boolean canBeDeleted) {
    return with(copy -> copy.deletes = canBeDeleted);
  }

  /** A copy with writers that serializable transactions are not kept apart from, or without. */
  public CheckerConfig withOutsiders(boolean anyWriters) {
    return with(copy -> copy.outsiders = anyWriters);
  }

  /** A copy that remembers at most so many versions of truncated transactions. */
  public CheckerConfig withRetired(int versions) {
    return with(copy -> copy.retiredVersions = versions);
  }

  /** A copy with another bound on waiting transactions. */
  public CheckerConfig withPending(int transactions) {
    return with(copy -> copy.pendingTransactions = transactions);
  }

  /**
   * A copy with another bound on how far two clocks may be apart, in ns; see {@link
   * #clockUncertaintyNs}.
   */
  public CheckerConfig withClockUncertainty(long ns) {
    return with(copy -> copy.clockUncertaintyNs = ns);
  }

  /** A copy that proves so many anomalies of one pattern in an interval; or {@link #PROVE_ALL}. */
  public CheckerConfig withProvenPerInterval(int anomalies) {
    return with(copy -> copy.provenPerInterval = anomalies);
  }

  /** Whether a version that a committed transaction wrote by the statement is nobody else's. */
  public boolean isCommittedOnce(Statement statement) {
    String table = statement.table();
    return uniqueVersions
        || statement.namesWriters()
        || (table != null && countingTables.contains(table));
  }

  /** Whether a version that any transaction wrote by the statement is no other write's. */
  public boolean isUnique(Statement statement) {
    return uniqueVersions && !statement.namesWriters();
  }

  /** Whether versions of any table are declared to be of one committed transaction each. */
  public boolean anyCommittedOnce() {
    return uniqueVersions || !countingTables.isEmpty();
  }

  private CheckerConfig with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return new CheckerConfig(
        copy.history,
        copy.strongest,
        copy.promise,
        copy.promises,
        copy.closed,
        copy.uniqueVersions,
        copy.countingTables,
        copy.deletes,
        copy.outsiders,
        live,
        copy.windowTransactions,
        copy.retiredVersions,
        copy.pendingTransactions,
        maxTransactionOperations,
        copy.clockUncertaintyNs,
        silentAfterMs,
        copy.provenPerInterval);
  }

  /** What can be changed. */
  private static final class Copy {
    private String history;
    private IsolationLevel strongest;
    private @Nullable IsolationLevel promise;
    private final Map<String, IsolationLevel> promises;
    private boolean closed;
    private boolean uniqueVersions;
    private Set<String> countingTables;
    private boolean deletes;
    private boolean outsiders;
    private int windowTransactions;
    private int retiredVersions;
    private int pendingTransactions;
    private long clockUncertaintyNs;
    private int provenPerInterval;

    private Copy(CheckerConfig config) {
      this.history = config.history;
      this.strongest = config.strongest;
      this.promise = config.promise;
      this.promises = new HashMap<>(config.promises);
      this.closed = config.closed;
      this.uniqueVersions = config.uniqueVersions;
      this.countingTables = config.countingTables;
      this.deletes = config.deletes;
      this.outsiders = config.outsiders;
      this.windowTransactions = config.windowTransactions;
      this.retiredVersions = config.retiredVersions;
      this.pendingTransactions = config.pendingTransactions;
      this.clockUncertaintyNs = config.clockUncertaintyNs;
      this.provenPerInterval = config.provenPerInterval;
    }
  }

  /** The level that a transaction which ran at {@code ranAt} was promised. */
  public IsolationLevel promiseOf(@Nullable String ranAt) {
    if (promise != null) {
      return promise;
    }
    if (ranAt == null) {
      // A file without levels is checked at every level; live traffic is held to what is known.
      return live ? IsolationLevel.READ_COMMITTED : IsolationLevel.STRICT_SERIALIZABLE;
    }
    IsolationLevel declared = promises.get(ranAt);
    if (declared != null) {
      return declared;
    }
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.label().equals(ranAt)) {
        return level;
      }
    }
    return IsolationLevel.READ_COMMITTED;
  }

  /**
   * The level that a database gives to what runs at {@code ranAt}, as declared or as it documents;
   * null where that is not known. One promise for the whole history says nothing of it. Whose fault
   * an anomaly is goes by {@link #owedBy}.
   */
  public @Nullable IsolationLevel givenBy(@Nullable String ranAt) {
    if (ranAt == null || promises.containsKey(ranAt)) {
      return ranAt == null ? null : promises.get(ranAt);
    }
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.label().equals(ranAt)) {
        return level;
      }
    }
    return null;
  }

  /** The level that a database documents for {@code ranAt}; null where none is known. */
  public static @Nullable IsolationLevel documentedBy(@Nullable String ranAt) {
    return ranAt == null ? null : DEFAULT_PROMISES.get(ranAt);
  }

  /**
   * The level that a database owes to what runs at {@code ranAt}, by what it documents or, where
   * that is not known, as declared; null where neither is. A stronger declaration is the
   * operator's, and a weaker one asks for no more.
   */
  public @Nullable IsolationLevel owedBy(@Nullable String ranAt) {
    IsolationLevel given = givenBy(ranAt);
    IsolationLevel documented = documentedBy(ranAt);
    return given == null || documented == null ? given : given.weakerOf(documented);
  }

  /**
   * Whether a transaction that ran at this level was promised nothing that is checked: a database's
   * {@code read-uncommitted} without a promise of its own. Its reads are not looked at.
   */
  public boolean promisesNothing(@Nullable String ranAt) {
    return promise == null
        && ranAt != null
        && !promises.containsKey(ranAt)
        && (ranAt.equals(READ_UNCOMMITTED) || ranAt.endsWith(":" + READ_UNCOMMITTED));
  }

  /**
   * Every setting by its name, as text. A snapshot is restored only under the settings that it was
   * saved under.
   */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("history", history);
    settings.put("strongest", strongest.label());
    settings.put("promise", promise == null ? "by transaction" : promise.label());
    settings.put("promises", new TreeMap<>(promises).toString());
    settings.put("closed", Boolean.toString(closed));
    settings.put("unique-versions", Boolean.toString(uniqueVersions));
    settings.put("counting-tables", new TreeSet<>(countingTables).toString());
    settings.put("deletes", Boolean.toString(deletes));
    settings.put("outsiders", Boolean.toString(outsiders));
    settings.put("live", Boolean.toString(live));
    settings.put("window.transactions", Integer.toString(windowTransactions));
    settings.put("window.retired-versions", Integer.toString(retiredVersions));
    settings.put("pending.transactions", Integer.toString(pendingTransactions));
    settings.put("transaction.operations", Integer.toString(maxTransactionOperations));
    settings.put("clock-uncertainty-ns", Long.toString(clockUncertaintyNs));
    settings.put("proxy.silent-after-ms", Long.toString(silentAfterMs));
    settings.put("witnesses.proven-per-interval", Integer.toString(provenPerInterval));
    return settings;
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s=%d; expected at least %d".formatted(name, value, least));
    }
  }
}

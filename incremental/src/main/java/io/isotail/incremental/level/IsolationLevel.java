package io.isotail.incremental.level;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The isolation levels, weakest first: each implies the ones before it. This is the table of what
 * differs by level; the stages ask it, and name no level where a column says it.
 *
 * <p>Only the judge has a table of its own ({@code judge.WeakAxioms}, {@code judge.EventGraph}),
 * which follows the definitions.
 */
public enum IsolationLevel {
  READ_COMMITTED(
      0, "read-committed", Observed.READ_FROM_BEFORE, Events.ONE, Overwriting.AFTER_COMMIT, false),
  READ_ATOMIC(
      1, "read-atomic", Observed.SESSION_OR_READ_FROM, Events.ONE, Overwriting.AFTER_COMMIT, false),
  CAUSAL(2, "causal", Observed.HAPPENS_BEFORE, Events.ONE, Overwriting.AFTER_COMMIT, false),
  PREFIX(
      3,
      "prefix",
      Observed.BY_COMMIT_ORDER,
      Events.BEGIN_AND_COMMIT,
      Overwriting.MAY_OVERLAP,
      false),
  SNAPSHOT_ISOLATION(
      4,
      "snapshot-isolation",
      Observed.BY_COMMIT_ORDER,
      Events.BEGIN_AND_COMMIT,
      Overwriting.AFTER_COMMIT,
      false),
  SERIALIZABLE(
      5, "serializable", Observed.BY_COMMIT_ORDER, Events.ONE, Overwriting.AFTER_COMMIT, false),
  STRICT_SERIALIZABLE(
      6,
      "strict-serializable",
      Observed.BY_COMMIT_ORDER,
      Events.ONE,
      Overwriting.AFTER_COMMIT,
      true);

  /** What of a transaction the level puts in order. */
  private enum Events {
    /** The transaction as a whole. */
    ONE,
    /** Its begin, where its snapshot is taken, and its commit. */
    BEGIN_AND_COMMIT
  }

  /** Where an edge from the writer of a version to the writer of the next one leads. */
  private enum Overwriting {
    /** To the commit: two transactions that overlap may write the same key. */
    MAY_OVERLAP,
    /** To the begin: the one commits before the other begins. */
    AFTER_COMMIT
  }

  private static final IsolationLevel[] LEVELS = values();

  private final int code;
  private final String label;
  private final Observed observed;
  private final Events events;
  private final Overwriting overwriting;
  private final boolean realTime;

  IsolationLevel(
      int code,
      String label,
      Observed observed,
      Events events,
      Overwriting overwriting,
      boolean realTime) {
    this.code = code;
    this.label = label;
    this.observed = observed;
    this.events = events;
    this.overwriting = overwriting;
    this.realTime = realTime;
  }

  /** A number that stands for the level in ids and metrics, and never changes. */
  public int code() {
    return code;
  }

  /** Which transactions a transaction must not miss, by the level's axiom. */
  public Observed observed() {
    return observed;
  }

  /**
   * Whether the level is weak: its axiom does not speak of the order of the commits, so that the
   * order is found by saturating a commit relation, and not by a search.
   */
  public boolean isWeak() {
    return observed != Observed.BY_COMMIT_ORDER;
  }

  /** Whether the level tells a transaction's begin and its commit apart. */
  public boolean tellsBeginFromCommit() {
    return events == Events.BEGIN_AND_COMMIT;
  }

  /**
   * Whether an edge from the writer of a version to the writer of the next one leads to the commit
   * of the latter, and not to its begin.
   */
  public boolean overwritersMayOverlap() {
    return overwriting == Overwriting.MAY_OVERLAP;
  }

  /** Whether a transaction that ended before another began must come before it. */
  public boolean followsRealTime() {
    return realTime;
  }

  /** The weakest level of all. */
  public static IsolationLevel weakest() {
    return READ_COMMITTED;
  }

  /** The strongest level that is weak. */
  public static IsolationLevel strongestWeak() {
    IsolationLevel strongest = LEVELS[0];
    for (IsolationLevel level : LEVELS) {
      strongest = level.isWeak() ? level : strongest;
    }
    return strongest;
  }

  /** The weakest level that is not weak. */
  public static IsolationLevel weakestStrong() {
    return strongestWeak().nextStronger();
  }

  /** The level's name in every interface. */
  public String label() {
    return label;
  }

  /** Whether this level implies {@code other}. */
  public boolean atLeast(IsolationLevel other) {
    return compareTo(other) >= 0;
  }

  /** The next stronger level; the strongest has none. */
  public IsolationLevel nextStronger() {
    return LEVELS[ordinal() + 1];
  }

  /** The next weaker level; the weakest has none. */
  public IsolationLevel nextWeaker() {
    return LEVELS[ordinal() - 1];
  }

  /** The weaker one of this level and {@code other}. */
  public IsolationLevel weakerOf(IsolationLevel other) {
    return compareTo(other) < 0 ? this : other;
  }

  /**
   * The level of that name.
   *
   * @throws IllegalArgumentException naming the levels that exist
   */
  public static IsolationLevel ofLabel(String label) {
    for (IsolationLevel level : values()) {
      if (level.label.equals(label)) {
        return level;
      }
    }
    throw new IllegalArgumentException(
        "isolation level '%s' is unknown; expected one of %s"
            .formatted(
                label,
                Arrays.stream(values())
                    .map(IsolationLevel::label)
                    .collect(Collectors.joining(", "))));
  }

  @Override
  public String toString() {
    return label;
  }
}

package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;

/**
 * What the searches of all levels of a history have cost, and what they may cost from now on.
 *
 * <p>A live stream must not stand still for its searches: they have an allowance of steps, to which
 * each transaction adds. A step is an event visited, a version that changed its place, a dependency
 * put in force, or a choice looked at; some tenths of a microsecond. Steps are counted, not time,
 * so that the same log gives the same answers everywhere. One thread owns it.
 */
public final class SearchAccount {
  private static final long MOST_STEPS = 4_000_000;
  private static final long STEPS_PER_TRANSACTION = 100;

  private final boolean bounded;
  private long searches;
  private long steps;

  /** Negative, as far as to the same number, after searches whose last cycles took more. */
  private long allowance;

  /**
   * Nothing is spent.
   *
   * @param bounded whether there is an allowance for all searches together
   */
  public SearchAccount(boolean bounded) {
    this.bounded = bounded;
    this.allowance = bounded ? MOST_STEPS : Long.MAX_VALUE;
  }

  /** A transaction is delivered. */
  public void transaction() {
    if (bounded) {
      allowance = Math.min(MOST_STEPS, allowance + STEPS_PER_TRANSACTION);
    }
  }

  /** A search has ended. */
  void searched(long taken) {
    searches++;
    steps += taken;
    if (bounded) {
      allowance = Math.max(-MOST_STEPS, allowance - taken);
    }
  }

  /** Steps that the next search may take as far as this is concerned. */
  long allowance() {
    return allowance;
  }

  /** Searches so far. */
  public long searches() {
    return searches;
  }

  /** Steps that they took. */
  public long steps() {
    return steps;
  }

  /** Saves it. */
  public void save(StateWriter out) {
    out.number(searches);
    out.number(steps);
    out.number(allowance);
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    searches = in.number();
    steps = in.number();
    allowance = in.number();
  }
}

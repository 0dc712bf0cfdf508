package io.isotail.ingest.capture;

/**
 * How often a server is asked the same again: a small share of the time, and what was not used of
 * that lately. Thread-safe.
 */
final class QuestionBudget {
  /** The longest pause after one question, in nanoseconds. */
  private static final long MOST_NS = 5_000_000_000L;

  private final int times;
  private final long keptNs;

  /** When the next question may be asked, by {@link System#nanoTime}. */
  private long dueNs;

  /**
   * A budget of which nothing is used.
   *
   * @param times so much longer than for answers it is waited
   * @param keptNs of so long what was not used is kept, in nanoseconds
   * @param nowNs the time
   */
  QuestionBudget(int times, long keptNs, long nowNs) {
    this.times = times;
    this.keptNs = keptNs;
    dueNs = nowNs - keptNs;
  }

  /** A budget of a share of the time, or without a limit. */
  static QuestionBudget of(boolean limited, int times, long keptNs) {
    return new QuestionBudget(limited ? times : 0, keptNs, System.nanoTime());
  }

  /** Whether a question may be asked now. */
  synchronized boolean allows(long nowNs) {
    return nowNs - dueNs >= 0;
  }

  /** A question was asked and answered, or refused. */
  synchronized void spend(long askedNs, long answeredNs) {
    long oldest = answeredNs - keptNs;
    long dueThen =
        (dueNs - oldest > 0 ? dueNs : oldest) + Math.min(times * (answeredNs - askedNs), MOST_NS);
    long latest = answeredNs + MOST_NS; // where several have asked at once
    dueNs = dueThen - latest > 0 ? latest : dueThen;
  }
}

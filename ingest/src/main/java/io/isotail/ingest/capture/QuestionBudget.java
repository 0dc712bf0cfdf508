package io.isotail.ingest.capture;

/**
 * How often a session asks its server the same again: a small share of the time, and what it has
 * not used of that lately. Not thread-safe.
 */
final class QuestionBudget {
  /** Of so long what was not used is kept. */
  private static final long KEPT_NS = 1_000_000_000L;

  private final int times;

  /** When the next question may be asked, by {@link System#nanoTime}. */
  private long dueNs;

  /**
   * A budget of which nothing is used.
   *
   * @param times so much longer than for answers it is waited
   * @param nowNs the time
   */
  QuestionBudget(int times, long nowNs) {
    this.times = times;
    dueNs = nowNs - KEPT_NS;
  }

  /** Whether a question may be asked now. */
  boolean allows(long nowNs) {
    return nowNs - dueNs >= 0;
  }

  /** A question was asked and answered, or refused. */
  void spend(long askedNs, long answeredNs) {
    long oldest = answeredNs - KEPT_NS;
    dueNs =
        (dueNs - oldest > 0 ? dueNs : oldest) + QuestionPause.after(times, answeredNs - askedNs);
  }
}

package io.isotail.ingest.capture;

/** How long the database is not asked the same again: asking takes a small share of the time. */
final class QuestionPause {
  /** So much longer than the question took is the pause. */
  private static final int TIMES = 20;

  /** The longest pause, in nanoseconds. */
  static final long MOST_NS = 5_000_000_000L;

  private QuestionPause() {}

  /** The pause after a question that took so long; both in nanoseconds. */
  static long after(long tookNs) {
    return after(TIMES, tookNs);
  }

  /** A pause that is so many times as long as the question took; both in nanoseconds. */
  static long after(int times, long tookNs) {
    return Math.min(times * tookNs, MOST_NS);
  }
}

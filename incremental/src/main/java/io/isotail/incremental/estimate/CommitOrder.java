package io.isotail.incremental.estimate;

import io.isotail.incremental.record.TransactionRecord;
import java.util.List;

/**
 * Estimates in which order the transactions of a file committed, from what they read and wrote.
 *
 * <p>First comes what follows from happens-before ({@link HappensBefore}), as often as something
 * new follows. Then the transactions are run as a database may have run them ({@link Replay}).
 */
public final class CommitOrder {
  /** Searches for what follows. */
  private static final int MOST_SEARCHES = 4;

  /** Entries of clocks that are computed for each record, over all searches. */
  private static final int MOST_ENTRIES = 6_144;

  private CommitOrder() {}

  /**
   * For each place in the estimated order, which of the records has it. Those of a session stay in
   * their order. The same records give the same order on any machine.
   *
   * @param history all records of a file, in its order, which is that of each session
   */
  public static int[] of(List<TransactionRecord> history) {
    HistoryColumns columns = new HistoryColumns(history);
    Ranks ranks = new Ranks(columns);
    long entries = HappensBefore.entries(columns);
    long searches = Math.min(MOST_SEARCHES, MOST_ENTRIES / Math.max(1, entries));
    for (int found = 1; searches > 0 && found > 0; searches--) {
      found = HappensBefore.search(columns, ranks);
    }
    return new Replay(columns, ranks).run();
  }
}

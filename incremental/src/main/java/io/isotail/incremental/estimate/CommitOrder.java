package io.isotail.incremental.estimate;

import io.isotail.incremental.record.TransactionRecord;
import java.util.Arrays;
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

  /** How often all searches together go through the records, with clocks of 64 sessions at most. */
  private static final int MOST_PASSES = 96;

  private CommitOrder() {}

  /**
   * For each place in the estimated order, which of the records has it; as they are if that {@link
   * Fit fits} no better. Those of a session stay in their order. The same records give the same
   * order on any machine.
   *
   * @param history all records of a file, in its order, which is that of each session
   */
  public static int[] of(List<TransactionRecord> history) {
    HistoryColumns columns = new HistoryColumns(history);
    Ranks ranks = new Ranks(columns);
    int searches =
        Math.min(MOST_SEARCHES, MOST_PASSES / Math.max(1, HappensBefore.passes(columns)));
    for (int found = 1; searches > 0 && found > 0; searches--) {
      found = HappensBefore.search(columns, ranks);
    }
    int[] order = new Replay(columns, ranks).run();
    int[] given = new int[order.length];
    Arrays.setAll(given, record -> record);
    return misfits(history, order) < misfits(history, given) ? order : given;
  }

  private static long misfits(List<TransactionRecord> history, int[] order) {
    Fit fit = new Fit();
    for (int record : order) {
      fit.add(history.get(record));
    }
    return fit.misfits();
  }
}

package io.isotail.incremental.judge.second;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.level.IsolationLevel;
import java.util.List;
import java.util.function.Function;

/** Decides whether transactions violate a level, by trying what the definitions allow. */
public final class SecondOpinion {
  private SecondOpinion() {}

  /**
   * Whether the transactions violate the level, read as an open history.
   *
   * @param level up to {@code causal} any number of transactions is decided soon; from {@code
   *     prefix} on the work doubles, and more, with each transaction
   * @param clockUncertaintyNs times of two clocks that differ by more are ordered, in ns; {@link
   *     Long#MAX_VALUE} or less than 0 if they are never compared
   * @param promises the level that each transaction was promised; up to {@code causal} one that was
   *     promised less has observed only what its promise says
   */
  public static boolean violates(
      List<CapsuleTransaction> transactions,
      IsolationLevel level,
      long clockUncertaintyNs,
      Function<CapsuleTransaction, IsolationLevel> promises) {
    HistoryReading history = new HistoryReading(transactions, clockUncertaintyNs);
    SourcesOfReads sources = new SourcesOfReads(history);
    if (sources.anyBad()) {
      return true;
    }
    return level.isWeak()
        ? !new CommitOrders(history, sources, level, promises).anyExists()
        : !new Schedules(history, sources, new ListNeighbours(history, sources), level).anyRuns();
  }
}

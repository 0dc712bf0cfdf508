package io.isotail.monitor.config;

import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is declared of one history; the fields are those of {@link CheckerConfig}.
 *
 * @param promise one promise for the whole history, or null
 * @param strongest strongest level to check
 * @param promises promise by database and level, the built-in ones included
 * @param closed whether every writer is captured
 * @param uniqueVersions whether no two writes of a key install the same version
 * @param countingTables tables whose versions never start again
 * @param deletes whether keys can be deleted
 * @param windowTransactions delivered transactions kept
 * @param retiredVersions versions remembered of truncated transactions
 * @param pendingTransactions transactions that may wait for delivery
 * @param transactionOperations operations kept of one transaction
 * @param clockUncertaintyNs how far two clocks may be apart, in ns
 * @param silentAfterMs silence after which a proxy is taken for dead, in ms
 * @param shedding what is done when checking falls behind; the only field that is not the checker's
 */
public record HistoryConfig(
    @Nullable IsolationLevel promise,
    IsolationLevel strongest,
    Map<String, IsolationLevel> promises,
    boolean closed,
    boolean uniqueVersions,
    Set<String> countingTables,
    boolean deletes,
    int windowTransactions,
    int retiredVersions,
    int pendingTransactions,
    int transactionOperations,
    long clockUncertaintyNs,
    int silentAfterMs,
    Shedding shedding) {

  /** Copies the collections. */
  public HistoryConfig {
    promises = Map.copyOf(promises);
    countingTables = Set.copyOf(countingTables);
  }

  /** The checker's configuration for live traffic of the history with this id. */
  public CheckerConfig forChecker(String history) {
    return new CheckerConfig(
        history,
        strongest,
        promise,
        promises,
        closed,
        uniqueVersions,
        countingTables,
        deletes,
        true,
        windowTransactions,
        retiredVersions,
        pendingTransactions,
        transactionOperations,
        clockUncertaintyNs,
        silentAfterMs);
  }
}

package io.isotail.monitor.pipeline;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.monitor.config.HistoryConfig;
import io.isotail.monitor.status.HistoryStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One history: its checker, and the partition that its records come from. A checker that throws is
 * never called again, its last report stands, and the history says so.
 */
final class HistoryWorker implements AnomalyListener {
  private static final Logger log = LoggerFactory.getLogger(HistoryWorker.class);
  private static final int NO_PARTITION = -1;

  /** Receives what the checkers find, on the pipeline's thread. */
  interface Findings {
    /** As {@link AnomalyListener#found}, with the log append time of the completing record. */
    void found(Anomaly anomaly, long appendTimeMs);

    /** As {@link AnomalyListener#repeated}. */
    void repeated(String id, long occurrences);
  }

  private final String history;
  private final HistoryConfig config;
  private final Findings findings;
  private final Checker checker;
  private final RateWindow rates = new RateWindow();
  private CheckerReport report;
  private int partition = NO_PARTITION;
  private long records;
  private long appendTimeMs;
  private @Nullable String failure;

  @SuppressWarnings("this-escape") // the checker only keeps the listener
  HistoryWorker(String history, HistoryConfig config, Findings findings) {
    this.history = history;
    this.config = config;
    this.findings = findings;
    this.checker = new Checker(config.forChecker(history), this);
    this.report = checker.report();
  }

  /**
   * Hands a record to the checker.
   *
   * @return false when it is none of this history: a history lives on one partition
   */
  boolean accept(int fromPartition, long offset, long timestampMs, StreamRecord record) {
    if (partition == NO_PARTITION) {
      partition = fromPartition;
    } else if (partition != fromPartition) {
      return false;
    }
    records++;
    if (failure != null) {
      return true;
    }
    appendTimeMs = Math.max(appendTimeMs, timestampMs);
    try {
      checker.accept(offset, appendTimeMs, record);
    } catch (RuntimeException | AssertionError | StackOverflowError e) {
      quarantine("at offset " + offset, e);
    }
    return true;
  }

  /** Where the history stands. */
  HistoryStatus status(long nowNs) {
    if (failure == null) {
      try {
        report = checker.report();
      } catch (RuntimeException | AssertionError e) {
        quarantine("in its report", e);
      }
    }
    rates.sample(nowNs, report.transactions(), report.operations());
    return new HistoryStatus(
        history,
        config.promise(),
        report,
        records,
        failure,
        rates.transactionsPerSecond(),
        rates.operationsPerSecond(),
        rates.recentTransactions());
  }

  @Override
  public void found(Anomaly anomaly) {
    findings.found(anomaly, appendTimeMs);
  }

  @Override
  public void repeated(String id, long occurrences) {
    findings.repeated(id, occurrences);
  }

  private void quarantine(String where, Throwable e) {
    failure = "checking stopped %s: %s".formatted(where, e);
    log.error("history {}: {}", history, failure, e);
  }
}

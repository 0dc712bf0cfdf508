package io.isotail.ingest.generate;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Size of a soak run.
 *
 * @param transactions of the stream, those of anomalies included
 * @param injections anomalies that must be found; on top of them come others that the checked
 *     levels allow, which must not be reported
 * @param window of the checker, in transactions
 * @param seed of the stream
 */
record SoakConfig(long transactions, int injections, int window, long seed) {

  /**
   * Those that the checked levels forbid. A thin-air read is not among them: it can be told only as
   * long as no version has ever been forgotten.
   */
  static final List<AnomalyKind> FOUND =
      List.of(
          AnomalyKind.ABORTED_READ,
          AnomalyKind.FUTURE_READ,
          AnomalyKind.NOT_MY_LAST_WRITE,
          AnomalyKind.NOT_MY_OWN_WRITE,
          AnomalyKind.INTERMEDIATE_READ,
          AnomalyKind.NON_REPEATABLE_READS,
          AnomalyKind.SESSION_GUARANTEE_VIOLATION,
          AnomalyKind.NON_MONOTONIC_READ,
          AnomalyKind.FRACTURED_READ,
          AnomalyKind.CAUSALITY_VIOLATION);

  /** Those that they allow. */
  static final List<AnomalyKind> ALLOWED =
      List.of(AnomalyKind.LONG_FORK, AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW);

  private static final int TAIL_TRANSACTIONS = 1_000;

  SoakConfig {
    GenerateConfig.require("window", window, 100, 10_000_000);
    GenerateConfig.require("injections", injections, 1, 10_000_000);
    GenerateConfig.require("transactions", transactions, window + 10L * injections, Long.MAX_VALUE);
  }

  /**
   * A live stream of one proxy, so that reads of what only aborted transactions wrote are decided
   * as it goes; closed and with unique versions, so that every such read is an anomaly. Promised
   * causal: what stronger levels forbid is put in to see that it is not reported.
   */
  CheckerConfig checker() {
    return CheckerConfig.forLive("soak")
        .withWindow(window)
        .withPromise(IsolationLevel.CAUSAL)
        .withClosed(true)
        .withUniqueVersions(true)
        .withDeletes(false);
  }

  int spanTransactions() {
    return window / 2;
  }

  /** Spread evenly, each as long as half a window at most. */
  Iterator<EndlessHistory.Placement> placements() {
    List<AnomalyKind> kinds = new ArrayList<>(FOUND);
    kinds.addAll(ALLOWED);
    long rounds = (injections + FOUND.size() - 1L) / FOUND.size();
    long places = rounds * kinds.size();
    long room = transactions - spanTransactions() - TAIL_TRANSACTIONS;
    return LongStream.range(0, places)
        .filter(
            i ->
                i / kinds.size() * FOUND.size() + i % kinds.size() < injections
                    || i % kinds.size() >= FOUND.size())
        .mapToObj(
            i ->
                new EndlessHistory.Placement(
                    i * room / places, kinds.get((int) (i % kinds.size())), spanTransactions()))
        .iterator();
  }
}

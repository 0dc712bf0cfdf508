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
 * @param promise of the stream, and so the strongest level checked
 * @param mini whether the stream is of mini-transactions
 * @param sessionTransactions of a session, on average; 1: each transaction has a connection of its
 *     own
 */
record SoakConfig(
    long transactions,
    int injections,
    int window,
    long seed,
    IsolationLevel promise,
    boolean mini,
    int sessionTransactions) {

  /**
   * Those that causal forbids. A thin-air read is not among them: it can be told only as long as no
   * version has ever been forgotten.
   */
  private static final List<AnomalyKind> WEAK =
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

  /** Those that serializable forbids and causal allows. */
  private static final List<AnomalyKind> STRONG =
      List.of(AnomalyKind.LONG_FORK, AnomalyKind.LOST_UPDATE, AnomalyKind.WRITE_SKEW);

  private static final int TAIL_TRANSACTIONS = 1_000;

  /** Average length of a session where nothing else is asked for. */
  static final int SESSION_TRANSACTIONS = 300;

  SoakConfig {
    GenerateConfig.require("window", window, 100, 10_000_000);
    if (promise.atLeast(IsolationLevel.PREFIX) && !promise.atLeast(IsolationLevel.SERIALIZABLE)) {
      throw new IllegalArgumentException(
          "promise %s; expected one up to causal, or from serializable".formatted(promise));
    }
    GenerateConfig.require("injections", injections, 1, 10_000_000);
    GenerateConfig.require("transactions", transactions, window + 10L * injections, Long.MAX_VALUE);
  }

  /**
   * A live stream of one proxy, so that reads of what only aborted transactions wrote are decided
   * as it goes; closed and with unique versions, so that every such read is an anomaly. What is
   * promised to nobody is put in to see that it is not reported.
   */
  CheckerConfig checker() {
    return CheckerConfig.forLive("soak")
        .withWindow(window)
        .withPromise(promise)
        .withClosed(true)
        .withUniqueVersions(true)
        .withDeletes(false);
  }

  /** Kinds that must be found. */
  List<AnomalyKind> found() {
    List<AnomalyKind> kinds = new ArrayList<>(WEAK);
    if (promise.atLeast(IsolationLevel.SERIALIZABLE)) {
      kinds.addAll(STRONG);
    }
    return kinds;
  }

  /** Kinds that must not be reported. */
  List<AnomalyKind> allowed() {
    return promise.atLeast(IsolationLevel.SERIALIZABLE) ? List.of() : STRONG;
  }

  EndlessTraffic traffic() {
    EndlessTraffic traffic =
        EndlessTraffic.aroundWindow(window).withSessionTransactions(sessionTransactions);
    return mini ? traffic.ofMiniTransactions() : traffic;
  }

  int spanTransactions() {
    return window / 2;
  }

  /** Spread evenly, each as long as half a window at most. */
  Iterator<EndlessHistory.Placement> placements() {
    int found = found().size();
    List<AnomalyKind> kinds = new ArrayList<>(found());
    kinds.addAll(allowed());
    long rounds = (injections + found - 1L) / found;
    long places = rounds * kinds.size();
    long room = transactions - spanTransactions() - TAIL_TRANSACTIONS;
    return LongStream.range(0, places)
        .filter(
            i ->
                i / kinds.size() * found + i % kinds.size() < injections
                    || i % kinds.size() >= found)
        .mapToObj(
            i ->
                new EndlessHistory.Placement(
                    i * room / places, kinds.get((int) (i % kinds.size())), spanTransactions()))
        .iterator();
  }
}

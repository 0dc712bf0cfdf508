package io.isotail.ingest.generate;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;

/**
 * Times of transactions that commit one after the other: each commits between its begin and its
 * end, and sessions run one transaction at a time. Where a transaction missed some of the last
 * commits, it began before them, unless its session was still busy.
 */
final class SimulatedClocks {
  /** 2024-05-29 16:26:40 UTC. */
  private static final long START_NS = 1_717_000_000_000_000_000L;

  private static final int MEAN_PAUSE_NS = 10_000;

  private final GenerateConfig.Clocks config;
  private final Prng random;
  private final long[] recentCommitsNs;
  private final Long2LongOpenHashMap sessionEndNs = new Long2LongOpenHashMap();
  private final Long2LongOpenHashMap offsetNs = new Long2LongOpenHashMap();
  private int commits;
  private long nowNs = START_NS;

  SimulatedClocks(GenerateConfig.Clocks config, int lag, Prng random) {
    this.config = config;
    this.random = random;
    this.recentCommitsNs = new long[lag + 1];
  }

  /** The session's next transaction, which commits next and missed some of the last commits. */
  TransactionRecord record(
      SessionBook session, Outcome outcome, int missed, Operations operations) {
    if (!config.stamped()) {
      return session.record(outcome, operations);
    }
    long earliestNs = sessionEndNs.get(session.id()) + 1;
    nowNs = Math.max(nowNs + 1 + random.nextInt(2 * MEAN_PAUSE_NS), earliestNs + 1);
    int first = commits - Math.min(missed, Math.min(commits, recentCommitsNs.length - 1));
    long beforeNs = first == commits ? nowNs : recentCommitsNs[first % recentCommitsNs.length];
    long beginNs = Math.max(earliestNs, beforeNs - 1 - random.nextInt(config.latencyNs()));
    long endNs = nowNs + 1 + random.nextInt(config.latencyNs());
    sessionEndNs.put(session.id(), endNs);
    if (outcome != Outcome.ABORTED) {
      recentCommitsNs[commits++ % recentCommitsNs.length] = nowNs;
      commits = commits == 2 * recentCommitsNs.length ? recentCommitsNs.length : commits;
    }
    long skewNs = skewOf(session.id());
    return session.record(
        outcome,
        beginNs + skewNs,
        outcome == Outcome.UNKNOWN ? TransactionRecord.NO_TIME : endNs + skewNs,
        config.skewNs() == 0 ? "c0" : "c" + Long.toUnsignedString(session.id()),
        operations);
  }

  private long skewOf(long session) {
    if (config.skewNs() == 0) {
      return 0;
    }
    return offsetNs.computeIfAbsent(
        session, id -> random.nextLong(2 * config.skewNs() + 1) - config.skewNs());
  }
}

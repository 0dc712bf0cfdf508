package io.isotail.ingest.workload;

import java.sql.Connection;

/**
 * Shape of a workload.
 *
 * @param kind which transactions it consists of
 * @param sessions concurrent sessions
 * @param keys number of registers
 * @param distribution how often it comes to each of them
 * @param readShare share of transactions that only read, from 0 to 1
 * @param operations of a transaction of {@link WorkloadKind#GENERAL}; others have theirs
 * @param freshRows whether a register is a row that is missing at first, and another one after some
 *     writes: then transactions insert, and read what is not there
 * @param isolation isolation level that transactions ask for, as a constant of {@link Connection};
 *     {@link Connection#TRANSACTION_NONE} for what the connection has
 * @param seed decides which transactions each session tries, in which order
 * @param maxTransactionsPerSecond limit over all sessions, 0 for none
 * @param thinkTimeMicros mean pause after each read, which lets other sessions in, in microseconds
 */
public record WorkloadConfig(
    WorkloadKind kind,
    int sessions,
    int keys,
    KeyDistribution distribution,
    double readShare,
    int operations,
    boolean freshRows,
    int isolation,
    long seed,
    int maxTransactionsPerSecond,
    int thinkTimeMicros) {

  /** Fewest registers that the transactions need. */
  public static final int MIN_KEYS = 4;

  private static final int MAX_SESSIONS = 90;
  private static final double DEMO_SKEW = 0.6;

  /** Checks the bounds. */
  public WorkloadConfig {
    require("sessions", sessions, 1, MAX_SESSIONS);
    require("keys", keys, MIN_KEYS, 1_000_000);
    require("operations", operations, 1, keys);
    require("maxTransactionsPerSecond", maxTransactionsPerSecond, 0, Integer.MAX_VALUE);
    require("thinkTimeMicros", thinkTimeMicros, 0, 1_000_000);
    if (!(readShare >= 0 && readShare <= 1)) {
      throw new IllegalArgumentException("readShare=%s; expected 0 to 1".formatted(readShare));
    }
  }

  /**
   * 8 sessions, 16 keys, {@link WorkloadKind#NAMED}, 2,000 transactions per second, 150 µs between
   * statements.
   */
  public static WorkloadConfig defaults(int isolation, long seed) {
    return new WorkloadConfig(
        WorkloadKind.NAMED,
        8,
        16,
        KeyDistribution.zipf(DEMO_SKEW),
        0.2,
        8,
        false,
        isolation,
        seed,
        2_000,
        150);
  }

  /** A copy with other numbers of sessions and keys. */
  public WorkloadConfig withSize(int otherSessions, int otherKeys) {
    return new WorkloadConfig(
        kind,
        otherSessions,
        otherKeys,
        distribution,
        readShare,
        Math.min(operations, Math.max(1, otherKeys)),
        freshRows,
        isolation,
        seed,
        maxTransactionsPerSecond,
        thinkTimeMicros);
  }

  /** A copy with other transactions. */
  public WorkloadConfig withTransactions(
      WorkloadKind otherKind,
      KeyDistribution otherDistribution,
      double otherReadShare,
      int otherOperations,
      boolean otherFreshRows) {
    return new WorkloadConfig(
        otherKind,
        sessions,
        keys,
        otherDistribution,
        otherReadShare,
        otherOperations,
        otherFreshRows,
        isolation,
        seed,
        maxTransactionsPerSecond,
        thinkTimeMicros);
  }

  /** A copy with another limit over all sessions. */
  public WorkloadConfig withRate(int transactionsPerSecond) {
    return new WorkloadConfig(
        kind,
        sessions,
        keys,
        distribution,
        readShare,
        operations,
        freshRows,
        isolation,
        seed,
        transactionsPerSecond,
        thinkTimeMicros);
  }

  /** A copy with another mean pause after each read, in microseconds. */
  public WorkloadConfig withThinkTime(int micros) {
    return new WorkloadConfig(
        kind,
        sessions,
        keys,
        distribution,
        readShare,
        operations,
        freshRows,
        isolation,
        seed,
        maxTransactionsPerSecond,
        micros);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s=%d; expected %d to %d".formatted(name, value, least, most));
    }
  }
}

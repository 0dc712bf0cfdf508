package io.isotail.ingest.workload;

/**
 * Shape of a workload.
 *
 * @param transactions which they are
 * @param sessions concurrent sessions
 * @param keys number of registers
 * @param seed decides which transactions each session tries, in which order
 * @param mostTransactions after how many were committed it ends by itself, 0 for never
 * @param maxTransactionsPerSecond limit over all sessions, 0 for none
 * @param thinkTimeMicros mean pause after each read, which lets other sessions in, in microseconds
 */
public record WorkloadConfig(
    Transactions transactions,
    int sessions,
    int keys,
    long seed,
    long mostTransactions,
    int maxTransactionsPerSecond,
    int thinkTimeMicros) {

  /** Fewest registers that the transactions need. */
  public static final int MIN_KEYS = 4;

  private static final int MAX_SESSIONS = 90;
  private static final int MAX_THINK_MICROS = 1_000_000;
  private static final double DEMO_SKEW = 0.6;

  /** Checks the bounds. */
  public WorkloadConfig {
    require("sessions", sessions, 1, MAX_SESSIONS);
    require("keys", keys, MIN_KEYS, 1_000_000);
    require("operations", transactions.operations(), 1, keys);
    require("transactions", mostTransactions, 0, Long.MAX_VALUE);
    require("maxTransactionsPerSecond", maxTransactionsPerSecond, 0, Integer.MAX_VALUE);
    require("thinkTimeMicros", thinkTimeMicros, 0, MAX_THINK_MICROS);
  }

  /**
   * 8 sessions, 16 keys, {@link WorkloadKind#NAMED}, 2,000 transactions per second, 150 µs between
   * statements.
   */
  public static WorkloadConfig defaults(long seed) {
    return new WorkloadConfig(
        new Transactions(WorkloadKind.NAMED, KeyDistribution.zipf(DEMO_SKEW), 0.2, 4, false),
        8,
        16,
        seed,
        0,
        2_000,
        150);
  }

  /** A copy with other numbers of sessions and keys. */
  public WorkloadConfig withSize(int otherSessions, int otherKeys) {
    return new WorkloadConfig(
        transactions,
        otherSessions,
        otherKeys,
        seed,
        mostTransactions,
        maxTransactionsPerSecond,
        thinkTimeMicros);
  }

  /** A copy with other transactions. */
  public WorkloadConfig withTransactions(Transactions others) {
    return new WorkloadConfig(
        others, sessions, keys, seed, mostTransactions, maxTransactionsPerSecond, thinkTimeMicros);
  }

  /**
   * A copy of another pace.
   *
   * @param transactionsPerSecond limit over all sessions, 0 for none
   * @param micros mean pause after each read, in microseconds
   */
  public WorkloadConfig withPace(int transactionsPerSecond, int micros) {
    return new WorkloadConfig(
        transactions, sessions, keys, seed, mostTransactions, transactionsPerSecond, micros);
  }

  /** A copy that ends by itself after so many were committed, 0 for never. */
  public WorkloadConfig withMost(long committed) {
    return new WorkloadConfig(
        transactions, sessions, keys, seed, committed, maxTransactionsPerSecond, thinkTimeMicros);
  }

  private static void require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s=%d; expected %d to %d".formatted(name, value, least, most));
    }
  }
}

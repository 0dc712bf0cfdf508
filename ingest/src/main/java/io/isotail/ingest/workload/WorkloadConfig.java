package io.isotail.ingest.workload;

import java.sql.Connection;

/**
 * Shape of a workload.
 *
 * @param sessions concurrent sessions
 * @param keys number of registers
 * @param isolation isolation level that transactions ask for, as a constant of {@link Connection}
 * @param seed decides which transactions each session tries, in which order
 * @param maxTransactionsPerSecond limit over all sessions, 0 for none
 * @param thinkTimeMicros mean pause between the statements of a transaction, which lets other
 *     sessions in between them, in microseconds
 * @param skew exponent of the Zipf distribution of keys; 0 is uniform
 */
public record WorkloadConfig(
    int sessions,
    int keys,
    int isolation,
    long seed,
    int maxTransactionsPerSecond,
    int thinkTimeMicros,
    double skew) {

  /** Fewest registers that the transactions need. */
  public static final int MIN_KEYS = 4;

  private static final int MAX_SESSIONS = 90;

  /** Checks the bounds. */
  public WorkloadConfig {
    require("sessions", sessions, 1, MAX_SESSIONS);
    require("keys", keys, MIN_KEYS, 1_000_000);
    require("maxTransactionsPerSecond", maxTransactionsPerSecond, 0, Integer.MAX_VALUE);
    require("thinkTimeMicros", thinkTimeMicros, 0, 1_000_000);
  }

  /** 8 sessions, 16 keys, 2,000 transactions per second, 150 µs between statements. */
  public static WorkloadConfig defaults(int isolation, long seed) {
    return new WorkloadConfig(8, 16, isolation, seed, 2_000, 150, 0.6);
  }

  /** A copy with other numbers of sessions and keys. */
  public WorkloadConfig withSize(int otherSessions, int otherKeys) {
    return new WorkloadConfig(
        otherSessions, otherKeys, isolation, seed, maxTransactionsPerSecond, thinkTimeMicros, skew);
  }

  /** A copy with another limit over all sessions. */
  public WorkloadConfig withRate(int transactionsPerSecond) {
    return new WorkloadConfig(
        sessions, keys, isolation, seed, transactionsPerSecond, thinkTimeMicros, skew);
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s=%d; expected %d to %d".formatted(name, value, least, most));
    }
  }
}

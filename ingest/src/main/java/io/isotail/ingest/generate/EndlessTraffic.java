package io.isotail.ingest.generate;

/**
 * Shape of an endless history. Each transaction brings one new key; keys are numbered in the order
 * in which they come, and are used less and less as they age.
 *
 * @param sessions sessions at any time
 * @param sessionTransactions transactions of a session, on average; then another takes its place
 * @param mini whether transactions are mini-transactions: one or two keys are read, and those that
 *     are written are read before
 * @param operations operations of a transaction that is none
 * @param readRatio share of the operations that read
 * @param abortRatio share of the transactions that abort
 * @param warmKeys age, in keys, beyond which a key is cold. Younger keys are drawn with an age
 *     below a bound that is itself uniform: half of the operations go to the youngest fifth
 * @param coldRatio share of the reads that go to cold keys
 * @param rememberedKeys age, in keys, beyond which a key is dead: a power of two, and all that the
 *     store holds
 */
public record EndlessTraffic(
    int sessions,
    int sessionTransactions,
    boolean mini,
    int operations,
    double readRatio,
    double abortRatio,
    int warmKeys,
    double coldRatio,
    int rememberedKeys) {

  /** Checks the bounds. */
  public EndlessTraffic {
    GenerateConfig.require("sessions", sessions, AnomalyPattern.MAX_SESSIONS, 1_000_000);
    GenerateConfig.require("session-transactions", sessionTransactions, 1, 1_000_000);
    GenerateConfig.require("operations", operations, 1, 100_000);
    GenerateConfig.requireShare("read-ratio", readRatio);
    GenerateConfig.requireShare("abort-ratio", abortRatio);
    GenerateConfig.requireShare("cold-ratio", coldRatio);
    GenerateConfig.require("remembered-keys", rememberedKeys, 2, 1 << 28);
    if (Integer.bitCount(rememberedKeys) != 1) {
      throw new IllegalArgumentException(
          "remembered-keys %d; expected a power of two".formatted(rememberedKeys));
    }
    GenerateConfig.require("warm-keys", warmKeys, 1, rememberedKeys - 1);
  }

  /**
   * 64 sessions of 300 transactions with 8 operations, half of them reads; 1 % abort. Keys are warm
   * for a fifth of a window of that many transactions, and cold for two and a half of them or more.
   */
  public static EndlessTraffic aroundWindow(int windowTransactions) {
    int remembered = Integer.highestOneBit(windowTransactions * 5);
    return new EndlessTraffic(
        64, 300, false, 8, 0.5, 0.01, Math.max(1, windowTransactions / 5), 0.002, remembered);
  }

  /** This traffic, of mini-transactions. */
  public EndlessTraffic ofMiniTransactions() {
    return new EndlessTraffic(
        sessions,
        sessionTransactions,
        true,
        operations,
        readRatio,
        abortRatio,
        warmKeys,
        coldRatio,
        rememberedKeys);
  }

  /** This traffic, with sessions of so many transactions on average; 1: each has a single one. */
  public EndlessTraffic withSessionTransactions(int average) {
    return new EndlessTraffic(
        sessions,
        average,
        mini,
        operations,
        readRatio,
        abortRatio,
        warmKeys,
        coldRatio,
        rememberedKeys);
  }
}

package io.isotail.ingest.workload;

/**
 * Which transactions a workload consists of.
 *
 * @param kind what they look like
 * @param distribution how often they come to each register
 * @param readShare share of transactions that only read, from 0 to 1
 * @param operations of a transaction of {@link WorkloadKind#GENERAL}; others have theirs
 * @param freshRows whether a register is a row that is missing at first, and another one after some
 *     writes: then transactions insert, and read what is not there. Always so where a kind is about
 *     that
 */
public record Transactions(
    WorkloadKind kind,
    KeyDistribution distribution,
    double readShare,
    int operations,
    boolean freshRows) {

  /** Checks the bounds. */
  public Transactions {
    if (!(readShare >= 0 && readShare <= 1)) {
      throw new IllegalArgumentException("readShare=%s; expected 0 to 1".formatted(readShare));
    }
    freshRows |= kind.isTold();
  }

  /** Those on so many registers. */
  TransactionMix over(int keys) {
    return kind.over(distribution.over(keys), readShare, operations);
  }
}

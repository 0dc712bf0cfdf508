package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/**
 * Groups of neighbouring rows: a transaction reads all rows of a group by a condition, and inserts
 * one of them, or overwrites it where it is there. Two at the same time that insert different rows
 * are a write skew, of rows that neither has seen.
 *
 * <p>All rows that the condition can ever find are known, so the read says of each of them whether
 * it is there: it needs no notion of a predicate to be checked.
 *
 * @param readShare of transactions that only read, from 0 to 1
 */
record PredicateInserts(KeyDistribution.Keys keys, double readShare) implements TransactionMix {
  /** Rows of a group. */
  static final int GROUP = 4;

  @Override
  public TransactionPlan next(SplittableRandom random) {
    int key = keys.next(random);
    int first = key - key % GROUP;
    int count = Math.min(GROUP, keys.count() - first);
    TransactionPlan.Builder plan = new TransactionPlan.Builder().readRange(first, count);
    return random.nextDouble() < readShare
        ? plan.commit()
        : plan.write(first + random.nextInt(count)).commit();
  }
}

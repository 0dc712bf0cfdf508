package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/**
 * Transactions that overwrite one register, and others that read several: two readers that see two
 * writes in opposite orders are a long fork, which snapshot isolation forbids.
 *
 * @param keys two or more
 * @param readShare of transactions that only read, from 0 to 1
 */
record LongForks(KeyDistribution.Keys keys, double readShare) implements TransactionMix {
  private static final int MOST_READ = 4;

  @Override
  public TransactionPlan next(SplittableRandom random) {
    TransactionPlan.Builder plan = new TransactionPlan.Builder();
    return random.nextDouble() < readShare
        ? plan.read(keys.distinct(Math.min(MOST_READ, keys.count()), random)).commit()
        : plan.overwrite(keys.next(random)).commit();
  }
}

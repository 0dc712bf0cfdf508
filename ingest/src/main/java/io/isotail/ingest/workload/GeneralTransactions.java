package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/**
 * Transactions of many operations, as Cobra's clients make them [1]. Some only read. Of the others
 * one half only writes, and the other half reads each register before it overwrites it.
 *
 * <p>[1] Tan, Zhao, Mu, Walfish, Cobra: Making Transactional Key-Value Stores Verifiably
 * Serializable, OSDI 2020, section 6.
 *
 * @param readShare of transactions that only read, from 0 to 1
 * @param operations of a transaction, no more than there are keys
 */
record GeneralTransactions(KeyDistribution.Keys keys, double readShare, int operations)
    implements TransactionMix {

  @Override
  public TransactionPlan next(SplittableRandom random) {
    TransactionPlan.Builder plan = new TransactionPlan.Builder();
    double kind = random.nextDouble();
    if (kind < readShare) {
      return plan.read(keys.distinct(operations, random)).commit();
    }
    if (kind < (1 + readShare) / 2) {
      return plan.write(keys.distinct(operations, random)).commit();
    }
    for (int key : keys.distinct(Math.max(1, operations / 2), random)) {
      plan.read(key).write(key);
    }
    return plan.commit();
  }
}

package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/**
 * Transactions of one register, as stores have them that know no others: a read, or a
 * compare-and-set, which reads the register and overwrites what it has read.
 *
 * @param readShare of transactions that only read, from 0 to 1
 */
record LightweightTransactions(KeyDistribution.Keys keys, double readShare)
    implements TransactionMix {

  @Override
  public TransactionPlan next(SplittableRandom random) {
    TransactionPlan.Builder plan = new TransactionPlan.Builder();
    int key = keys.next(random);
    return random.nextDouble() < readShare ? plan.read(key).commit() : plan.overwrite(key).commit();
  }
}

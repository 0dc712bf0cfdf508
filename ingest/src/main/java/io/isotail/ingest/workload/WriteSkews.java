package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/**
 * Pairs of registers of which a transaction reads both and overwrites one: two at the same time are
 * a write skew, which serializable forbids and snapshot isolation permits.
 *
 * @param keys two or more
 * @param readShare of transactions that only read, from 0 to 1
 */
record WriteSkews(KeyDistribution.Keys keys, double readShare) implements TransactionMix {

  @Override
  public TransactionPlan next(SplittableRandom random) {
    int one = keys.next(random);
    int other = Pairs.partner(one, keys.count());
    TransactionPlan.Builder plan = new TransactionPlan.Builder().read(one, other);
    return random.nextDouble() < readShare ? plan.commit() : plan.write(one).commit();
  }
}

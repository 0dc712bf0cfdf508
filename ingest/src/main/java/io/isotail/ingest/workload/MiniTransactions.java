package io.isotail.ingest.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Mini-transactions [1]: at most two reads and two writes, each write of a register that the
 * transaction has read before. Each anomaly of [1] Table I consists of such.
 *
 * <p>[1] Mini-transactions for checking strong isolation levels, section III.
 *
 * @param keys two or more
 * @param readShare of transactions that only read, from 0 to 1
 */
record MiniTransactions(KeyDistribution.Keys keys, double readShare) implements TransactionMix {

  @Override
  public TransactionPlan next(SplittableRandom random) {
    TransactionPlan.Builder plan = new TransactionPlan.Builder();
    int[] drawn = keys.distinct(2, random);
    Arrays.sort(drawn); // one order everywhere, which avoids most deadlocks
    int one = drawn[0];
    int two = drawn[1];
    if (random.nextDouble() < readShare) {
      return switch (random.nextInt(3)) {
        case 0 -> plan.read(one).commit();
        case 1 -> plan.read(one, one).commit();
        default -> plan.read(one, two).commit();
      };
    }
    return switch (random.nextInt(5)) {
      case 0 -> plan.read(one).write(one).commit();
      case 1 -> plan.read(one, two).write(one).commit();
      case 2 -> plan.read(one, two).write(two).commit();
      case 3 -> plan.read(one).write(one).read(two).write(two).commit();
      default -> plan.read(one, two).write(one, two).commit();
    };
  }
}

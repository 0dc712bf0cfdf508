package io.isotail.ingest.workload;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Elle's list-append transactions [1]: one to four operations, each of which reads a list or
 * appends to it. They come to the lists in one order everywhere, which avoids most deadlocks.
 *
 * <p>[1] Kingsbury, Alvaro, Elle: Inferring Isolation Anomalies from Experimental Observations,
 * VLDB 2020, section 7.
 *
 * @param readShare of transactions that only read, from 0 to 1
 */
record ListAppends(KeyDistribution.Keys keys, double readShare) implements TransactionMix {
  /** Of a list, until another one takes its place, as by Elle's default. */
  static final int APPENDS_OF_A_LIST = 32;

  private static final int MOST_OPERATIONS = 4;

  @Override
  public TransactionPlan next(SplittableRandom random) {
    TransactionPlan.Builder plan = new TransactionPlan.Builder();
    boolean onlyReads = random.nextDouble() < readShare;
    int[] lists = new int[random.nextInt(1, MOST_OPERATIONS + 1)];
    Arrays.setAll(lists, i -> keys.next(random));
    Arrays.sort(lists);
    int certain = random.nextInt(lists.length);
    for (int i = 0; i < lists.length; i++) {
      boolean appends = !onlyReads && (i == certain || random.nextBoolean());
      if (appends) {
        plan.write(lists[i]);
      } else {
        plan.read(lists[i]);
      }
    }
    return plan.commit();
  }
}

package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/**
 * Transactions whose anomalies have names: re-reading (non-repeatable reads), pairs written and
 * read together (fractured reads), read-modify-write (lost updates) and relays from one register to
 * another (broken causality). One in a hundred rolls back.
 *
 * @param keys four or more
 */
record NamedAnomalies(KeyDistribution.Keys keys) implements TransactionMix {

  @Override
  public TransactionPlan next(SplittableRandom random) {
    int kind = random.nextInt(100);
    int[] drawn = keys.distinct(3, random);
    TransactionPlan.Builder plan = new TransactionPlan.Builder();
    if (kind < 20) {
      plan.read(drawn).read(drawn[0]);
    } else if (kind < 45) {
      plan.read(drawn[0], Pairs.partner(drawn[0], keys.count()));
    } else if (kind < 65) {
      plan.overwrite(drawn[0], Pairs.partner(drawn[0], keys.count()));
    } else if (kind < 80) {
      plan.read(drawn[0], drawn[1]).write(drawn[1]);
    } else if (kind < 90) {
      plan.overwrite(drawn[0]);
    } else {
      plan.overwrite(drawn[0], drawn[1]);
    }
    return kind == 99 ? plan.rollBack() : plan.commit();
  }
}

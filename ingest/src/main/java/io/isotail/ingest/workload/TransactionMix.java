package io.isotail.ingest.workload;

import java.util.SplittableRandom;

/** Which transactions a workload consists of. Immutable: all that varies is drawn. */
interface TransactionMix {
  /** The next transaction of a session; the same for the same numbers drawn. */
  TransactionPlan next(SplittableRandom random);
}

package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import java.util.List;

/**
 * A capsule that the judge rejects. Unless it is long, the judge accepts it less any one of its
 * transactions.
 *
 * @param proof of the capsule as it is, in which every transaction of it has a part
 */
record Proven(List<CapsuleTransaction> capsule, Proof proof) {

  /** Whether it is a {@link KnownCycle} of more transactions than are searched. */
  boolean isLong() {
    return capsule.size() > Capsule.MAX_TRANSACTIONS;
  }
}

package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import java.util.List;

/**
 * A capsule that the judge rejects, and accepts less any one of its transactions.
 *
 * @param proof of the capsule as it is, in which every transaction of it has a part
 */
record Proven(List<CapsuleTransaction> capsule, Proof proof) {}

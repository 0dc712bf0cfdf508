package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import java.util.List;

/**
 * Decides whether a handful of transactions violate a level by themselves, read as an open history:
 * a read whose writer is not among them is ignored.
 */
interface Judge {

  /** Whether they violate the level; to take one out never makes them violate it. */
  boolean violates(List<CapsuleTransaction> transactions);
}

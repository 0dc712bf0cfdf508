package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.level.IsolationLevel;

/**
 * What each transaction was promised. One that was promised less than the level it is judged by has
 * observed only what its promise says: a transaction at {@code read committed} what it read before,
 * also where {@code causal} is judged.
 */
@FunctionalInterface
public interface Promises {
  /** Every transaction is held to the level that is judged. */
  Promises ALL = t -> IsolationLevel.STRICT_SERIALIZABLE;

  /** The level that a transaction was promised. */
  IsolationLevel of(CapsuleTransaction t);
}

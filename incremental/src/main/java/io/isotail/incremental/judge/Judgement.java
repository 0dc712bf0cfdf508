package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.Proof;

/** What the judge says of a capsule at one level. Immutable. */
public sealed interface Judgement {

  /**
   * The capsule violates the level.
   *
   * @param proof that was checked
   */
  record Violated(Proof proof) implements Judgement {}

  /** The capsule satisfies the level; a schedule that shows it was run. */
  record Accepted() implements Judgement {}

  /** Neither a proof nor a schedule was found within the bounds. */
  record NotConfirmed() implements Judgement {}
}

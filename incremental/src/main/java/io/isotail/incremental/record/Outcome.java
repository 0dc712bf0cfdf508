package io.isotail.incremental.record;

/** How a transaction ended, as its client learnt it. */
public enum Outcome {
  /** The database acknowledged the commit. */
  COMMITTED,
  /** The database acknowledged a rollback, or the commit was never sent. */
  ABORTED,
  /** The commit was sent and its reply never came: it may or may not have taken effect. */
  UNKNOWN,
  /** Not an end: more chunks of the same transaction follow. */
  OPEN
}

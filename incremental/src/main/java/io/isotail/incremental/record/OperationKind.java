package io.isotail.incremental.record;

/** What an operation did. */
public enum OperationKind {
  /** Read a version of a key, or its absence. */
  READ,
  /** Installed a version of a key. */
  WRITE,
  /** Removed a key; later reads of the key see absence. */
  DELETE,
  /**
   * May have written any key of its table (of any table when the table is unknown): a statement
   * that the proxy could not interpret, a cascade, TRUNCATE, COPY.
   */
  OPAQUE,
  /**
   * A version that a list read showed before its last one: the listed version of the same key that
   * follows, or the read that follows, directly succeeds it. The initial version is listed before
   * the first version that a key ever had.
   */
  LISTED
}

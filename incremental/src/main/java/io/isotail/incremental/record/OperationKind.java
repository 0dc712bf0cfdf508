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
  OPAQUE
}

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
   * An element that a list read showed before its last one: the element of the same key that
   * follows, or the read that follows, directly succeeds it. It was read as that last one was. The
   * initial version is listed before the first element that a key ever had: such a list is
   * complete, any other one may lack its front.
   */
  LISTED
}

package io.isotail.incremental.record;

/** What is known of the version that an operation read or wrote. */
public enum VersionKind {
  /** The version is known. */
  KNOWN,
  /** Read: the key was absent, which is its initial version. */
  INITIAL,
  /** The proxy saw the operation but not its version. */
  UNKNOWN
}

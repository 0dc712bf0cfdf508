package io.isotail.ingest.format;

import java.util.Locale;

/**
 * What a format may have a place for, beside reads and writes of transactions that committed or
 * aborted.
 */
public enum Content {
  /** Transactions of which nobody learnt whether they committed. */
  UNKNOWN_OUTCOMES,
  /** Reads and writes of a version that is not known. */
  UNKNOWN_VERSIONS,
  /** Deletes. */
  DELETES,
  /** Writes of keys that are not known. */
  OPAQUE_WRITES,
  /** Operations that a savepoint or a failed statement undid. */
  UNDONE_OPERATIONS,
  /** Reads of the versions before the one that was read. */
  LIST_READS,
  /** When transactions began and ended. */
  TIMES,
  /** Isolation levels at which transactions ran. */
  LEVELS,
  /** Statements. */
  STATEMENTS,
  /** Names of keys and versions in clear. */
  NAMES;

  /** Its name for people, as {@code unknown outcomes}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}

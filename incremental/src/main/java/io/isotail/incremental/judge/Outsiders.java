package io.isotail.incremental.judge;

import org.jspecify.annotations.Nullable;

/**
 * Which keys may have been written by outsiders that no capsule shows: transactions that a database
 * does not keep serializable ones apart from, since they were promised less, or nobody captured
 * them. From {@code serializable} on, who read a version of such a key precedes only an overwriter
 * that has read that version too, or inserted the row that was read as missing.
 */
@FunctionalInterface
public interface Outsiders {
  /** Whoever writes is in the capsule, or keeps the promise too. */
  Outsiders NONE = (table, key) -> false;

  /** Outsiders may have written any key. */
  Outsiders ANYWHERE = (table, key) -> true;

  /** Whether an outsider may have written a key of a table; null where that is not known. */
  boolean mayHaveWritten(@Nullable String table, long key);
}

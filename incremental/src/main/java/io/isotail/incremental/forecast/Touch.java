package io.isotail.incremental.forecast;

import org.jspecify.annotations.Nullable;

/**
 * What a statement did to a row.
 *
 * @param kind what it did
 * @param key the row
 * @param name the row's name for people; null if it is not known
 */
record Touch(Kind kind, long key, @Nullable String name) {
  /** What is done to a row. */
  enum Kind {
    /** It was read. */
    READ,
    /** It was looked for, and was not there. */
    READ_ABSENT,
    /** It was changed. */
    WRITE,
    /** It was made: a second one with its key is refused. */
    INSERT,
    /** It was removed. */
    DELETE
  }

  boolean isRead() {
    return kind == Kind.READ || kind == Kind.READ_ABSENT;
  }
}

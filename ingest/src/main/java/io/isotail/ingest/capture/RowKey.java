package io.isotail.ingest.capture;

import org.jspecify.annotations.Nullable;

/**
 * The key of a row.
 *
 * @param known whether it could be told
 * @param id its identity
 * @param name its text for people, when clear names are wanted
 */
record RowKey(boolean known, long id, @Nullable String name) {

  /** A key that could not be told. */
  static final RowKey UNKNOWN = new RowKey(false, 0, null);
}

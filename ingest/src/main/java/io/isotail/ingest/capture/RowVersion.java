package io.isotail.ingest.capture;

import org.jspecify.annotations.Nullable;

/**
 * The version of a row.
 *
 * @param id its identity
 * @param name its text for people, when clear names are wanted
 */
record RowVersion(long id, @Nullable String name) {}

package io.isotail.incremental.cause;

import org.jspecify.annotations.Nullable;

/**
 * A row that a left-out thing is about.
 *
 * @param key hash of its key
 * @param table null when unknown
 * @param name its key in clear, null where it is not recorded
 */
public record HurtRow(long key, @Nullable String table, @Nullable String name) {}

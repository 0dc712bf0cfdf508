package io.isotail.incremental.record;

import org.jspecify.annotations.Nullable;

/**
 * The statement behind an operation, in clear but without any literal.
 *
 * @param table name of the observed table, null when unknown
 * @param fingerprint normalised statement text with every literal replaced by {@code ?}; may be
 *     empty
 */
public record Statement(@Nullable String table, String fingerprint) {}

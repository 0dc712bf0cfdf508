package io.isotail.incremental.anomaly;

import org.jspecify.annotations.Nullable;

/**
 * One edge of a witness cycle.
 *
 * @param from name of the transaction that comes first ({@code session/transaction}, or {@code
 *     initial})
 * @param to name of the transaction that comes later
 * @param kind why
 * @param key key that the edge is about, null for session order and real time
 * @param because the operations that justify the edge, in one phrase
 */
public record CycleEdge(
    String from, String to, EdgeKind kind, @Nullable String key, String because) {}

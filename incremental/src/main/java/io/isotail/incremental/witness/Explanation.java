package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CycleEdge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an anomaly is called and how it is told.
 *
 * @param kind its name
 * @param adya Adya's name for it, or null where it has none
 * @param sentence what went wrong, in plain English
 * @param cycle that is told; empty for a bad read
 */
record Explanation(
    AnomalyKind kind, @Nullable String adya, String sentence, List<CycleEdge> cycle) {}

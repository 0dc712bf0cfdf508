package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.saturation.CommitEdge;
import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * One step of a path: an edge, or several of session order in a row.
 *
 * @param from where it starts
 * @param to where it ends
 * @param kind why {@code from} comes first
 * @param key key that it is about; meaningless for session order
 * @param reader for an inferred edge, whose read implies it
 * @param level weakest level that needs it
 */
record Step(
    Transaction from,
    Transaction to,
    EdgeKind kind,
    long key,
    @Nullable Transaction reader,
    IsolationLevel level) {

  static Step of(CommitEdge edge) {
    return new Step(edge.first(), edge.later(), edge.kind, edge.key(), edge.reader(), edge.level());
  }

  /** The step that this one and {@code next}, both of session order, make together. */
  Step andThen(Step next) {
    return new Step(from, next.to, EdgeKind.SO, 0, null, level);
  }
}

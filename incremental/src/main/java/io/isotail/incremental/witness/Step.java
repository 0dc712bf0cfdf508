package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.saturation.CommitEdge;
import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * One step of a path through the commit relation of the kernel: an edge, or several of session
 * order in a row.
 *
 * <p>It says what to gather for a capsule, as {@link io.isotail.incremental.polygraph.Dependency}
 * does from {@code prefix} on, and is over once the judge has a proof. It differs from a {@link
 * Link} on purpose: its ends are whole transactions of the kernel, which have no places yet, and
 * none of its operations is chosen.
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

  /** Session order, or a read from {@code from}. */
  static Step plain(Transaction from, Transaction to, EdgeKind kind) {
    return new Step(from, to, kind, 0, null, IsolationLevel.READ_COMMITTED);
  }

  static Step of(CommitEdge edge) {
    return new Step(edge.first(), edge.later(), edge.kind, edge.key(), edge.reader(), edge.level());
  }

  /** The step that this one and {@code next}, both of session order, make together. */
  Step andThen(Step next) {
    return plain(from, next.to, EdgeKind.SO);
  }
}

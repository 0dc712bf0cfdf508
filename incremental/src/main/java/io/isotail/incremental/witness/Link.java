package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.EdgeKind;

/**
 * A dependency between two transactions of a capsule, by their places in it.
 *
 * @param from place of the transaction that comes first
 * @param to place of the transaction that comes later
 * @param kind why
 * @param key key that it is about; meaningless for session order and real time
 * @param source for rw, place of the writer of the version that was read; for ww, of the
 *     transaction whose list shows the order; {@link #NOBODY} for the initial version, without a
 *     list, and for every other kind
 * @param read the read that justifies it: of {@code to} for wr, of {@code from} for rw; else -1
 * @param write the write that justifies it: of {@code to} for ww and rw, of {@code from} for wr;
 *     else -1
 * @param assumed whether it rests on an order of two writers that nobody saw
 */
record Link(
    int from, int to, EdgeKind kind, long key, int source, int read, int write, boolean assumed) {

  /** No transaction. */
  static final int NOBODY = -1;

  /** Session order or real time. */
  static Link of(int from, int to, EdgeKind kind) {
    return new Link(from, to, kind, 0, NOBODY, -1, -1, false);
  }

  /** Whether it is about a key. */
  boolean hasKey() {
    return kind != EdgeKind.SO && kind != EdgeKind.RT;
  }
}

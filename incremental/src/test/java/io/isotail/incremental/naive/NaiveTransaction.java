package io.isotail.incremental.naive;

import io.isotail.incremental.record.Times;
import java.util.List;

/** A transaction as the definitions see it: a session, an outcome and operations in order. */
record NaiveTransaction(
    int session, int position, boolean aborted, Times times, List<Op> ops, List<Neighbours> lists) {

  /** A read or a write. {@code version} is null for the initial version. */
  record Op(boolean write, boolean undone, long key, Long version) {}

  /**
   * Two versions that the list which read {@code last} shows one after the other; the first may be
   * the initial one.
   */
  record Neighbours(long key, Long earlier, Long later, Long last) {}
}

package io.isotail.incremental.witness;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.BitSet;

/**
 * The keys of which a capsule holds lists. Of these it holds every list as a whole, and all that
 * its transactions appended: with a part of them an element would have other neighbours than it
 * had.
 */
final class ListedKeys {
  private final LongOpenHashSet keys = new LongOpenHashSet();

  /** Notes the lists of which any element is selected. */
  void add(Operations ops, BitSet selected) {
    for (int i = selected.nextSetBit(0); i >= 0; i = selected.nextSetBit(i + 1)) {
      if (ops.isOfList(i)) {
        keys.add(ops.key(i));
      }
    }
  }

  /** What is selected, whole lists for their elements, and all writes of the keys. */
  Operations select(Operations ops, BitSet selected) {
    if (keys.isEmpty()) {
      return ops.only(selected);
    }
    BitSet all = (BitSet) selected.clone();
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) == OperationKind.WRITE && keys.contains(ops.key(i))) {
        all.set(i);
      }
    }
    return ops.withWholeLists(all);
  }
}

package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.Operations;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a capsule down until nothing can be taken out of it without losing the violation.
 *
 * <p>Taking something out never makes a violation, so what could not be spared once can never be
 * spared later, and one pass is enough.
 */
final class CapsuleReducer {
  private final Judge judge;

  CapsuleReducer(Judge judge) {
    this.judge = judge;
  }

  /** A least capsule within {@code all}, empty if it does not violate the level. */
  List<CapsuleTransaction> reduce(List<CapsuleTransaction> all) {
    if (!judge.violates(all)) {
      return List.of();
    }
    List<CapsuleTransaction> kept = new ArrayList<>(all);
    for (int i = kept.size() - 1; i >= 0; i--) {
      CapsuleTransaction spared = kept.remove(i);
      if (!judge.violates(kept)) {
        kept.add(i, spared);
      }
    }
    for (int i = 0; i < kept.size(); i++) {
      for (int op = kept.get(i).operations().size() - 1; op >= 0; op--) {
        CapsuleTransaction whole = kept.get(i);
        kept.set(i, without(whole, op));
        if (!judge.violates(kept)) {
          kept.set(i, whole);
        }
      }
    }
    return kept;
  }

  private static CapsuleTransaction without(CapsuleTransaction t, int removed) {
    Operations.Builder kept = new Operations.Builder();
    for (int i = 0; i < t.operations().size(); i++) {
      if (i != removed) {
        kept.addOne(t.operations(), i);
      }
    }
    return new CapsuleTransaction(
        t.name(),
        t.session(),
        t.position(),
        t.transaction(),
        t.outcome(),
        t.ranAt(),
        t.offset(),
        t.times(),
        kept.build());
  }
}

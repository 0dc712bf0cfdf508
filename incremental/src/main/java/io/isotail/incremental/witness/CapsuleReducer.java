package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.record.OperationKind;
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
      int op = 0;
      while (op < kept.get(i).operations().size()) {
        CapsuleTransaction whole = kept.get(i);
        if (!isListed(whole.operations(), op) && !overwrites(whole.operations(), op)) {
          kept.set(i, without(whole, op));
          if (judge.violates(kept)) {
            continue;
          }
          kept.set(i, whole);
        }
        op++;
      }
    }
    return kept;
  }

  /** Whether a list shows what stands before it: without it the list would show something else. */
  private static boolean isListed(Operations operations, int op) {
    return op > 0 && operations.listedBefore(op - 1);
  }

  /** Whether its transaction wrote the key before: without it, that would be the last write. */
  private static boolean overwrites(Operations operations, int op) {
    for (int i = 0; i < op; i++) {
      if (isWrite(operations, i)
          && isWrite(operations, op)
          && operations.key(i) == operations.key(op)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWrite(Operations operations, int op) {
    OperationKind kind = operations.kind(op);
    return kind == OperationKind.WRITE || kind == OperationKind.DELETE;
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

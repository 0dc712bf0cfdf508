package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a capsule down to what a proof names, until no transaction can be taken out of it without
 * losing the violation. The judge alone decides; what it does not confirm is not proven.
 */
final class CapsuleReducer {
  private final Judge judge;

  CapsuleReducer(Judge judge) {
    this.judge = judge;
  }

  /** A least capsule within {@code all} and its proof; null if the judge does not confirm them. */
  @Nullable Proven reduce(List<CapsuleTransaction> all) {
    Proven kept = proven(all);
    int i = kept == null ? -1 : kept.capsule().size() - 1;
    while (kept != null && i >= 0) {
      List<CapsuleTransaction> less = new ArrayList<>(kept.capsule());
      less.remove(i);
      Judgement judgement = judge.judge(less);
      if (judgement instanceof Judgement.NotConfirmed) {
        return null;
      }
      if (judgement instanceof Judgement.Violated) {
        // Each transaction that is kept must be needed by what is kept in the end.
        kept = proven(less);
        i = kept == null ? -1 : kept.capsule().size() - 1;
      } else {
        i--;
      }
    }
    return kept;
  }

  /** What a proof names of a capsule, with a proof that names all of it; null if there is none. */
  private @Nullable Proven proven(List<CapsuleTransaction> all) {
    List<CapsuleTransaction> capsule = all;
    while (judge.judge(capsule) instanceof Judgement.Violated violated) {
      List<CapsuleTransaction> named = ProofOperations.of(capsule, violated.proof(), judge);
      if (operations(named) == operations(capsule) && named.size() == capsule.size()) {
        return new Proven(capsule, violated.proof());
      }
      capsule = named;
    }
    return null;
  }

  private static int operations(List<CapsuleTransaction> capsule) {
    int operations = 0;
    for (CapsuleTransaction t : capsule) {
      operations += t.operations().size();
    }
    return operations;
  }
}

package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.judge.Promises;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.polygraph.Dependency;
import io.isotail.incremental.reads.BadRead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a capsule and its proof of what the kernel found, as far as the judge confirms it. Up to
 * {@link Capsule#MAX_TRANSACTIONS} the judge searches a proof and the capsule is reduced; a longer
 * cycle is proven as it is, if it is a {@link KnownCycle}.
 */
final class Prover {
  private final IsolationLevel strongest;
  private final long clockUncertaintyNs;
  private final Promises promises;

  /**
   * A prover.
   *
   * @param strongest level up to {@code causal} that is checked
   */
  Prover(IsolationLevel strongest, long clockUncertaintyNs, Promises promises) {
    this.strongest = strongest;
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.promises = promises;
  }

  /** Proves a read that is bad in itself, or null. */
  @Nullable Proven ofBadRead(BadRead bad) {
    Capsule capsule = new Capsule(IsolationLevel.READ_COMMITTED, strongest, promises);
    capsule.addBadRead(bad.reader(), bad.operation(), bad.ownWrite(), bad.source());
    return capsule.build();
  }

  /** Proves a cycle of a level up to {@code causal}, or null. */
  @Nullable Proven ofCycle(List<Step> cycle, IsolationLevel level) {
    if (cycle.size() <= Capsule.MAX_TRANSACTIONS) {
      Capsule capsule = new Capsule(level, strongest, promises);
      capsule.addCycle(cycle);
      if (!capsule.isTooLarge()) {
        return capsule.build();
      }
    }
    KnownCycle.PathFinder paths = (t2, t3) -> PathSearch.causal(t2, t3, strongest);
    return confirmed(
        KnownCycle.ofSteps(cycle, paths), new Judge(level, CheckerConfig.NEVER_COMPARED, promises));
  }

  /** Proves a conflict at a level from {@code prefix} on, or null. */
  @Nullable Proven ofConflict(Conflict conflict, IsolationLevel level) {
    Judge judge = new Judge(level, clockUncertaintyNs, promises);
    List<CapsuleTransaction> capsule = ConflictCapsule.of(conflict);
    if (!capsule.isEmpty()) {
      return new CapsuleReducer(judge).reduce(capsule);
    }
    for (List<Dependency> cycle : conflict.cycles()) {
      Proven known = confirmed(KnownCycle.ofDependencies(cycle), judge);
      if (known != null) {
        return known;
      }
    }
    return null;
  }

  /** Proves that a weaker level from {@code prefix} on is violated too, or null. */
  @Nullable Proven atWeaker(Proven proven, IsolationLevel weaker) {
    Judge judge = new Judge(weaker, clockUncertaintyNs, promises);
    return proven.isLong()
        ? confirmed(proven, judge)
        : new CapsuleReducer(judge).reduce(proven.capsule());
  }

  /** Whether a capsule that is not long violates {@code causal}. */
  boolean violatesCausal(Proven proven) {
    Judge judge = new Judge(IsolationLevel.CAUSAL, clockUncertaintyNs, promises);
    return judge.judge(proven.capsule()) instanceof Judgement.Violated;
  }

  private static @Nullable Proven confirmed(@Nullable Proven known, Judge judge) {
    return known != null && judge.confirms(known.capsule(), known.proof()) ? known : null;
  }
}

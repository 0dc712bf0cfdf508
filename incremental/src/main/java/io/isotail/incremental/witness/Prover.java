package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Judge;
import io.isotail.incremental.judge.Judgement;
import io.isotail.incremental.judge.Outsiders;
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
  private final Outsiders outsiders;

  /**
   * A prover.
   *
   * @param strongest level up to {@code causal} that is checked
   * @param outsiders who may have written what no capsule shows
   */
  Prover(
      IsolationLevel strongest, long clockUncertaintyNs, Promises promises, Outsiders outsiders) {
    this.strongest = strongest;
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.promises = promises;
    this.outsiders = outsiders;
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
        KnownCycle.ofSteps(cycle, paths),
        new Judge(level, CheckerConfig.NEVER_COMPARED, promises, Outsiders.NONE));
  }

  /** Proves a conflict at a level from {@code prefix} on, or null. */
  @Nullable Proven ofConflict(Conflict conflict, IsolationLevel level) {
    Judge judge = judge(level);
    List<CapsuleTransaction> capsule = ConflictCapsule.of(conflict, level);
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
    Judge judge = judge(weaker);
    return proven.isLong()
        ? confirmed(proven, judge)
        : new CapsuleReducer(judge).reduce(proven.capsule());
  }

  /** Whether a capsule that is not long violates {@code causal}. */
  boolean violatesCausal(Proven proven) {
    return judge(IsolationLevel.CAUSAL).judge(proven.capsule()) instanceof Judgement.Violated;
  }

  /** Whether a proof holds whoever else may have written the rows. */
  boolean holdsBesideAnybody(Proven proven, IsolationLevel level) {
    return new Judge(level, clockUncertaintyNs, promises, Outsiders.ANYWHERE)
        .confirms(proven.capsule(), proven.proof());
  }

  private Judge judge(IsolationLevel level) {
    return new Judge(level, clockUncertaintyNs, promises, outsiders);
  }

  private static @Nullable Proven confirmed(@Nullable Proven known, Judge judge) {
    return known != null && judge.confirms(known.capsule(), known.proof()) ? known : null;
  }
}

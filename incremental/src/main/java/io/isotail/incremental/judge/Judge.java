package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.judge.second.SecondOpinion;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.Operations;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a handful of transactions violate a level by themselves, read as an open history:
 * a read whose writer is not among them is ignored. Immutable; any thread may use it.
 *
 * <p>Versions are taken to be unique in the capsule: the only one of its transactions that
 * committed a version is the writer of each read of it. Where there are several, the read is
 * ignored too.
 */
public final class Judge {
  /** Transactions of which every schedule can be tried in a short time. */
  public static final int MOST_TRIED_TRANSACTIONS = 10;

  /** Cycles of a proof. */
  public static final int MOST_LEAVES = 4_096;

  /** Cases within cases of a proof. */
  static final int MOST_SPLITS_DEEP = 1_024;

  /** Edges that a search looks at; enough for whatever can be tried too. */
  private static final long MOST_STEPS = 4_000_000;

  private final IsolationLevel level;
  private final long clockUncertaintyNs;
  private final Promises promises;
  private final Outsiders outsiders;

  /** A judge who holds every transaction to the level. */
  public Judge(IsolationLevel level, long clockUncertaintyNs) {
    this(level, clockUncertaintyNs, Promises.ALL, Outsiders.NONE);
  }

  /**
   * A judge of one level.
   *
   * @param clockUncertaintyNs times of two clocks that differ by more are ordered, in ns; {@link
   *     Long#MAX_VALUE} or less than 0 if they are never compared
   * @param promises what is asked up to {@code causal} of a transaction that was promised less; for
   *     stronger levels the capsule holds no such transaction
   * @param outsiders whose writes the capsule may not show
   */
  public Judge(
      IsolationLevel level, long clockUncertaintyNs, Promises promises, Outsiders outsiders) {
    this.level = level;
    this.clockUncertaintyNs = clockUncertaintyNs;
    this.promises = promises;
    this.outsiders = outsiders;
  }

  /**
   * Searches a proof that the capsule violates the level, or a schedule that satisfies it, and
   * checks what it finds. Up to {@code causal} the answer is always final.
   */
  public Judgement judge(List<CapsuleTransaction> capsule) {
    Facts facts = facts(capsule);
    Proof proof = facts.badRead();
    if (proof != null) {
      return checked(proof, facts);
    }
    if (!level.atLeast(IsolationLevel.PREFIX)) {
      proof = new WeakAxioms(facts, level).cycle();
      return proof == null ? new Judgement.Accepted() : checked(proof, facts);
    }
    CaseSearch search = new CaseSearch(facts, level, MOST_STEPS);
    proof = search.refute();
    if (proof != null) {
      return checked(proof, facts);
    }
    int[] schedule = search.schedule();
    return schedule != null && Schedule.runs(schedule, facts, level)
        ? new Judgement.Accepted()
        : new Judgement.NotConfirmed();
  }

  /**
   * The weakest level that infers an edge of a proof: it takes what the reader had observed for
   * observed.
   */
  public static IsolationLevel weakestThatInfers(Proof.Edge inferred) {
    IsolationLevel level = IsolationLevel.weakest();
    while (!ProofCheck.observes(level, inferred)) {
      level = level.nextStronger();
    }
    return level;
  }

  /**
   * Whether an edge to who overwrote what a read returned asks for what that one had read itself.
   */
  public boolean asksForOverwritten(Operations operations, int read) {
    return level.atLeast(IsolationLevel.SERIALIZABLE)
        && outsiders.mayHaveWritten(operations.statement(read).table(), operations.key(read));
  }

  private Facts facts(List<CapsuleTransaction> capsule) {
    return new Facts(capsule, clockUncertaintyNs, promises, outsiders);
  }

  private Judgement checked(Proof proof, Facts facts) {
    return new ProofCheck(facts, level).holds(proof)
        ? new Judgement.Violated(proof)
        : new Judgement.NotConfirmed();
  }

  /** Whether a proof, whoever made it, shows that the capsule violates the level. */
  public boolean confirms(List<CapsuleTransaction> capsule, Proof proof) {
    return new ProofCheck(facts(capsule), level).holds(proof);
  }

  /**
   * Whether the capsule violates the level, by the {@link SecondOpinion}: it reads the capsule by
   * itself, and tries every commit order. Empty from {@code prefix} on if there are more than
   * {@link #MOST_TRIED_TRANSACTIONS}, and from {@code serializable} on beside outsiders, of whom it
   * knows nothing.
   */
  public Optional<Boolean> triesAll(List<CapsuleTransaction> capsule) {
    boolean besideOutsiders =
        level.atLeast(IsolationLevel.SERIALIZABLE) && outsiders != Outsiders.NONE;
    boolean tooMany = !level.isWeak() && capsule.size() > MOST_TRIED_TRANSACTIONS;
    return tooMany || besideOutsiders
        ? Optional.empty()
        : Optional.of(SecondOpinion.violates(capsule, level, clockUncertaintyNs, promises::of));
  }
}

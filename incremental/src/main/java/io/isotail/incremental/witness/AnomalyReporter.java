package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.cause.CauseLedger;
import io.isotail.incremental.cause.Strike;
import io.isotail.incremental.changes.CommitFault;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.judge.Outsiders;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.Conflict;
import io.isotail.incremental.reads.BadRead;
import io.isotail.incremental.saturation.CommitEdge;
import io.isotail.incremental.verdict.VerdictLedger;
import io.isotail.incremental.window.Counters;
import io.isotail.incremental.window.GraphReader;
import io.isotail.incremental.window.GraphWriter;
import io.isotail.incremental.window.Transaction;
import io.isotail.incremental.window.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns each left-out thing into one anomaly.
 *
 * <p>An anomaly whose capsule does not violate the level by itself is not reported; it counts as
 * undecided.
 */
public final class AnomalyReporter {
  private final CheckerConfig config;
  private final String history;
  private final long clockUncertaintyNs;
  private final IsolationLevel strongest;
  private final Prover prover;
  private final boolean expectsOutsiders;
  private final VerdictLedger ledger;
  private final AnomalyListener listener;
  private final ReportedAnomalies reported;
  private final CauseLedger causes;
  private final Counters counters;

  /**
   * Reports to {@code listener}.
   *
   * @param strongest strongest level up to {@code causal} that is checked
   * @param outsiders who may have written what no capsule shows
   */
  public AnomalyReporter(
      CheckerConfig config,
      IsolationLevel strongest,
      Outsiders outsiders,
      Counters counters,
      VerdictLedger ledger,
      AnomalyListener listener) {
    this.config = config;
    this.history = config.history();
    this.clockUncertaintyNs = config.clockUncertaintyNs();
    this.strongest = strongest;
    this.prover =
        new Prover(strongest, clockUncertaintyNs, t -> config.promiseOf(t.ranAt()), outsiders);
    this.expectsOutsiders = config.outsiders();
    this.ledger = ledger;
    this.listener = listener;
    this.reported = new ReportedAnomalies(counters, ledger);
    this.causes = new CauseLedger(config);
    this.counters = counters;
  }

  /** A read broke an axiom of read consistency. */
  public void badRead(BadRead bad) {
    Transaction reader = bad.reader();
    long id = AnomalyId.ofRead(history, bad.kind(), reader, bad.operation());
    if (repeated(id, IsolationLevel.READ_COMMITTED)) {
      return;
    }
    LeftOut leftOut = LeftOut.of(bad);
    if (counted(id, leftOut)) {
      return;
    }
    boolean thinAir = bad.kind() == AnomalyKind.THIN_AIR_READ;
    Proven proven = null;
    if (!thinAir) {
      proven = prover.ofBadRead(bad);
      if (proven == null || !(proven.proof() instanceof Proof.BadRead)) {
        unproven(IsolationLevel.READ_COMMITTED, leftOut);
        return;
      }
    }
    String evidence =
        thinAir
            ? "the history is closed, and no record up to offset %d was lost"
                .formatted(reader.offset)
            : null;
    report(
        id,
        leftOut,
        IsolationLevel.READ_COMMITTED,
        BadReadExplanation.of(bad),
        proven,
        evidence,
        Subject.of(reader, bad.operation()));
  }

  /** A transaction ended otherwise in the database's log than its client was told. */
  public void fault(CommitFault fault) {
    IsolationLevel promise = config.promiseOf(fault.transaction().ranAt());
    Transaction t = Transaction.alone(fault.transaction(), fault.offset(), promise);
    IsolationLevel level = IsolationLevel.READ_COMMITTED;
    long id = AnomalyId.ofRead(history, fault.kind(), t, fault.operation());
    if (repeated(id, level)) {
      return;
    }
    LeftOut leftOut = LeftOut.of(fault, t);
    if (!counted(id, leftOut)) {
      Explanation told = CommitExplanation.of(fault, t);
      String evidence = CommitExplanation.EVIDENCE;
      report(id, leftOut, level, told, null, evidence, Subject.of(t, fault.operation()));
    }
  }

  /**
   * An edge would close a cycle and was left out.
   *
   * @param observer the transaction whose delivery brought it about
   */
  public void cycle(CommitEdge edge, IsolationLevel level, Transaction observer) {
    long id = AnomalyId.ofEdge(history, level, edge.first(), edge.later(), edge.key());
    if (repeated(id, level)) {
      return;
    }
    LeftOut leftOut = leftOut(edge, level, observer);
    if (counted(id, leftOut)) {
      return;
    }
    List<Step> path = PathSearch.ordered(edge.later(), edge.first(), level);
    if (path == null) {
      unproven(level, leftOut);
      return;
    }
    List<Step> cycle = new ArrayList<>(path);
    cycle.add(Step.of(edge));
    cycle(id, leftOut, prover.ofCycle(cycle, level), level, observer);
  }

  private static LeftOut leftOut(CommitEdge edge, IsolationLevel level, Transaction observer) {
    Transaction reader = edge.reader();
    return LeftOut.missed(
        reader == null ? observer : reader, edge.key(), edge.first(), edge.later(), level);
  }

  /** A read of the initial version, by {@code reader}, of a key that it had observed a write of. */
  public void staleInitial(
      Transaction earlier, long key, Transaction reader, IsolationLevel level) {
    long weakest =
        AnomalyId.ofEdge(history, IsolationLevel.READ_COMMITTED, earlier, Transaction.INITIAL, key);
    if (!reported.firstStaleInitial(reader, weakest)) {
      return;
    }
    for (IsolationLevel weaker : IsolationLevel.values()) {
      if (weaker.compareTo(level) <= 0
          && repeated(
              AnomalyId.ofEdge(history, weaker, earlier, Transaction.INITIAL, key), weaker)) {
        return;
      }
    }
    long id = AnomalyId.ofEdge(history, level, earlier, Transaction.INITIAL, key);
    LeftOut leftOut = LeftOut.missed(reader, key, earlier, Transaction.INITIAL, level);
    if (counted(id, leftOut)) {
      return;
    }
    List<Step> cycle =
        List.of(
            Step.plain(Transaction.INITIAL, earlier, EdgeKind.SO),
            new Step(earlier, Transaction.INITIAL, EdgeKind.CO, key, reader, level));
    cycle(id, leftOut, prover.ofCycle(cycle, level), level, reader);
  }

  /**
   * Transactions wait for each other in a circle; the read of {@code reader} from {@code writer} is
   * left out.
   *
   * @param cycle in the order so ∪ wr
   */
  public void causalityCycle(List<Transaction> cycle, Transaction writer, Transaction reader) {
    long id = AnomalyId.ofCausalityCycle(history, reader, writer);
    if (repeated(id, IsolationLevel.READ_COMMITTED)) {
      return;
    }
    LeftOut leftOut = LeftOut.fromTheFuture(reader, writer);
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < cycle.size(); i++) {
      Transaction from = cycle.get(i);
      Transaction to = cycle.get((i + 1) % cycle.size());
      EdgeKind kind = to.soPrev == from ? EdgeKind.SO : EdgeKind.WR;
      Step step = Step.plain(from, to, kind);
      int last = steps.size() - 1;
      if (kind == EdgeKind.SO && last >= 0 && steps.get(last).kind() == EdgeKind.SO) {
        steps.set(last, steps.get(last).andThen(step));
      } else {
        steps.add(step);
      }
    }
    causalityCycle(id, leftOut, steps, reader);
  }

  /**
   * Not told where a read of the cycle looks bad in itself: that one is told when it is resolved.
   * It may look so in the capsule alone, which does not show all who wrote what was read.
   */
  private void causalityCycle(long id, LeftOut leftOut, List<Step> steps, Transaction reader) {
    Proven proven = prover.ofCycle(steps, IsolationLevel.READ_COMMITTED);
    if (proven == null || !(proven.proof() instanceof Proof.BadRead bad)) {
      cycle(id, leftOut, proven, IsolationLevel.READ_COMMITTED, reader);
      return;
    }
    long place = proven.capsule().get(bad.reader()).position();
    boolean resolvedLater = false;
    for (Step step : steps) {
      Wait wait = step.to().waiting;
      if (wait != null && step.to().placeInLog() == place) {
        wait.looksBad = true;
        resolvedLater = true;
      }
    }
    if (!resolvedLater) {
      unproven(IsolationLevel.READ_COMMITTED, leftOut);
    }
  }

  /** A cycle was not told for the sake of this transaction, no read of which turned out bad. */
  public void cycleUntold(Transaction t) {
    unproven(IsolationLevel.READ_COMMITTED, LeftOut.fromTheFuture(t, t));
  }

  /**
   * {@code reader} read from {@code writer}, which happens after the reader's session successor;
   * the read is left out.
   */
  public void causalityCycle(Transaction reader, Transaction successor, Transaction writer) {
    long id = AnomalyId.ofCausalityCycle(history, reader, writer);
    if (repeated(id, IsolationLevel.READ_COMMITTED)) {
      return;
    }
    LeftOut leftOut = LeftOut.fromTheFuture(reader, writer);
    List<Step> cycle = new ArrayList<>();
    cycle.add(Step.plain(reader, successor, EdgeKind.SO));
    if (writer != successor) {
      List<Step> path = PathSearch.causal(successor, writer, strongest);
      if (path == null) {
        unproven(IsolationLevel.READ_COMMITTED, leftOut);
        return;
      }
      cycle.addAll(path);
    }
    cycle.add(Step.plain(writer, reader, EdgeKind.WR));
    causalityCycle(id, leftOut, cycle, reader);
  }

  /**
   * A transaction with which no order of the versions satisfies a level any more. It is told at the
   * weakest level that the proof violates too, whichever graph found it.
   *
   * <p>Where the transaction only shows in which order others wrote, its cause is that of the one
   * of those that came last ({@link PlausibleCycle}), however many show it.
   *
   * @param weakerReported whether its reads were reported to violate a level up to {@code causal}
   * @return false if that is all that the conflict shows, which is not reported again
   */
  public boolean violation(
      Transaction newest, IsolationLevel level, Conflict conflict, boolean weakerReported) {
    Transaction culprit = weakerReported ? newest : PlausibleCycle.culprit(conflict, newest, level);
    long id = AnomalyId.ofTransaction(history, level, newest);
    if (repeated(id, level)) {
      return true;
    }
    LeftOut leftOut = LeftOut.of(culprit, level, conflict);
    if (!weakerReported && counted(id, leftOut)) {
      return true;
    }
    Proven proven = prover.ofConflict(conflict, level);
    boolean repeats = weakerReported && proven != null && proven.isLong();
    if (proven == null || repeats || proven.proof() instanceof Proof.BadRead) {
      if (!weakerReported) {
        unproven(level, leftOut);
      }
      return !weakerReported;
    }
    if (weakerReported && prover.violatesCausal(proven)) {
      return false;
    }
    IsolationLevel weakest = level;
    for (IsolationLevel weaker : IsolationLevel.values()) {
      if (!weaker.isWeak() && !weaker.atLeast(weakest)) {
        Proven less = prover.atWeaker(proven, weaker);
        proven = less == null ? proven : less;
        weakest = less == null ? weakest : weaker;
      }
    }
    Explanation told =
        new StrongExplanation(weakest, clockUncertaintyNs, conflict, proven).explanation();
    String evidence = evidence(weakest, proven, newest);
    report(id, leftOut, weakest, told, proven, evidence, Subject.of(newest));
    return true;
  }

  /** What a proof rests on that the capsule does not show; null if it shows all. */
  private @Nullable String evidence(IsolationLevel level, Proven proven, Transaction newest) {
    return !expectsOutsiders || prover.holdsBesideAnybody(proven, level)
        ? null
        : "no transaction that was promised less than %s wrote these rows up to offset %d"
            .formatted(IsolationLevel.SERIALIZABLE, newest.offset);
  }

  /** What the anomalies have in common. */
  public CauseLedger causes() {
    return causes;
  }

  /** A committed transaction is delivered. */
  public void delivered(Transaction t) {
    causes.delivered(t, ledger.now());
  }

  /** Distinct anomalies by level and kind. */
  public Map<IsolationLevel, Map<AnomalyKind, Long>> counts() {
    return reported.counts();
  }

  private void cycle(
      long id,
      LeftOut leftOut,
      @Nullable Proven proven,
      IsolationLevel level,
      Transaction observer) {
    if (proven == null || !(proven.proof() instanceof Proof.Cycle proof)) {
      unproven(level, leftOut);
      return;
    }
    CapsuleFacts facts = new CapsuleFacts(proven.capsule());
    WeakExplanation told = new WeakExplanation(facts, proof, level);
    Subject subject = told.subject();
    report(
        id,
        leftOut,
        level,
        told.explanation(),
        proven,
        null,
        subject == null ? Subject.of(observer) : subject);
  }

  /** Whether the thing is only counted, since its like was proven often enough of late. */
  private boolean counted(long id, LeftOut leftOut) {
    CauseLedger.Counted counted = causes.count(strike(leftOut));
    if (counted != null) {
      reported.first(id, counted.level(), counted.kind(), false);
    }
    return counted != null;
  }

  private Strike strike(LeftOut leftOut) {
    return new Strike(
        leftOut.pattern(),
        leftOut.transaction(),
        leftOut.culprit(),
        leftOut.rows(),
        ledger.now(),
        counters.transactions);
  }

  private void report(
      long id,
      LeftOut leftOut,
      IsolationLevel level,
      Explanation told,
      @Nullable Proven proven,
      @Nullable String evidence,
      Subject subject) {
    reported.first(id, level, told.kind(), true);
    String cause =
        causes.proven(
            strike(leftOut),
            leftOut.parts(told, proven),
            leftOut.ran(told, proven),
            level,
            told.kind(),
            id,
            proven == null ? List.of() : proven.capsule());
    Proven shown = proven == null ? null : ToldKeys.of(proven);
    listener.found(
        new Anomaly(
            AnomalyId.text(id),
            history,
            cause,
            level,
            told.kind(),
            told.adya(),
            told.sentence(),
            told.cycle(),
            shown == null ? List.of() : shown.capsule(),
            shown == null ? null : shown.proof(),
            evidence,
            subject.table(),
            subject.service(),
            subject.offset(),
            subject.commitTimeNs()));
  }

  private void unproven(IsolationLevel level, LeftOut leftOut) {
    causes.unproven(strike(leftOut));
    ledger.undecided(level, IsolationLevel.STRICT_SERIALIZABLE, UndecidedReason.UNPROVEN);
  }

  /** Whether it has been reported, which it is not again; the listener is told how often. */
  private boolean repeated(long id, IsolationLevel level) {
    long count = reported.repeated(id, level);
    if (count > 0) {
      listener.repeated(AnomalyId.text(id), count);
    }
    return count != 0;
  }

  /** An edge that was left out has been implied again, by another transaction. */
  public void repeated(CommitEdge edge) {
    for (IsolationLevel level : IsolationLevel.values()) {
      if (level.atLeast(edge.level())
          && repeated(
              AnomalyId.ofEdge(history, level, edge.first(), edge.later(), edge.key()), level)) {
        return;
      }
    }
  }

  /** Saves what has been reported, as far as it is remembered. */
  public void save(GraphWriter graph) {
    reported.save(graph);
    causes.save(graph.out);
  }

  /** Takes back what {@link #save} saved. */
  public void load(GraphReader graph) {
    reported.load(graph);
    causes.load(graph.in);
  }
}

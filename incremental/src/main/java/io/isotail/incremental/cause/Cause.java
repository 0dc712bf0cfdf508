package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.Moment;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A cause while it is counted. */
final class Cause {
  private static final int MAX_LEVELS = 8;

  final long id;
  private IsolationLevel level;
  private final AnomalyKind kind;
  private final List<CausePart> parts;

  /** The incident that it belongs to. */
  final Incident incident;

  private final CountsOverTime timeline = new CountsOverTime();
  private Moment first = Moment.START;
  private Moment last = Moment.START;
  private long occurrences;
  private long violations;
  private long proven;
  private long simplest;
  private int simplestTransactions = Integer.MAX_VALUE;
  private long latest;

  /**
   * Levels that the transactions of its proofs ran at, as recorded; at most {@link #MAX_LEVELS}.
   */
  private final TreeSet<String> ranAt = new TreeSet<>();

  /** Whether a transaction ran at a level that allows what its proof shows. */
  private boolean anyAllowed;

  /** Whether a transaction does not tell its level. */
  private boolean anyUnknown;

  /** Session and number of the transaction that was left out last; it counts once. */
  private long lastSession;

  private long lastNumber = -1;

  /** Its report as it was made last; null since it has changed. */
  private @Nullable CauseReport made;

  Cause(long id, IsolationLevel level, AnomalyKind kind, List<CausePart> parts, Incident incident) {
    this.id = id;
    this.incident = incident;
    this.level = level;
    this.kind = kind;
    this.parts = new ArrayList<>(parts);
  }

  AnomalyKind kind() {
    return kind;
  }

  /** It has brought about one more. */
  void count(Strike strike) {
    Moment now = strike.now();
    Transaction leftOut = strike.leftOut();
    made = null;
    first = violations == 0 ? now : first;
    last = now;
    violations++;
    if (now.appendTimeMs() > 0) {
      timeline.add(now.appendTimeMs());
    }
    long session = leftOut.session.info.id();
    if (session != lastSession || leftOut.number != lastNumber) {
      occurrences++;
      lastSession = session;
      lastNumber = leftOut.number;
    }
  }

  /** That one was proven to violate a level, by these transactions. */
  void proven(
      long anomaly,
      IsolationLevel violated,
      List<CapsuleTransaction> capsule,
      CheckerConfig config) {
    made = null;
    level = level.weakerOf(violated);
    int transactions = capsule.size();
    for (CapsuleTransaction transaction : capsule) {
      String at = transaction.ranAt();
      if (at != null && ranAt.size() < MAX_LEVELS) {
        ranAt.add(at);
      }
      IsolationLevel owed = config.owedBy(at);
      anyUnknown |= owed == null;
      anyAllowed |= owed != null && !owed.atLeast(violated);
    }
    proven++;
    latest = anomaly;
    if (transactions < simplestTransactions) {
      simplest = anomaly;
      simplestTransactions = transactions;
    }
  }

  /** As it stands; the same object as long as nothing has changed. */
  CauseReport report(String history) {
    CauseReport report = made;
    if (report == null || report.slot() != incident.slot) {
      report = newReport(history);
      made = report;
    }
    return report;
  }

  private CauseReport newReport(String history) {
    return new CauseReport(
        text(id),
        history,
        text(incident.id),
        incident.slot,
        level,
        kind,
        parts,
        List.copyOf(ranAt),
        fault(),
        first,
        last,
        occurrences,
        violations,
        proven,
        text(simplest),
        simplestTransactions,
        text(latest),
        new CauseReport.Timeline(
            timeline.beginMs(),
            timeline.stepMs(),
            Arrays.stream(timeline.counts()).boxed().toList()));
  }

  /** Nobody's as long as no transaction has told at which level it ran. */
  private Fault fault() {
    if (anyAllowed) {
      return Fault.APPLICATION;
    }
    boolean isKnown = kind.isOfEnd() || !(anyUnknown || ranAt.isEmpty());
    return isKnown ? Fault.DATABASE : Fault.UNKNOWN;
  }

  static String text(long id) {
    return String.format("%016x", id);
  }

  void save(StateWriter out) {
    out.number(id);
    out.number(incident.id);
    new Pattern(level, kind.name(), parts).save(out);
    first.save(out);
    last.save(out);
    out.number(occurrences);
    out.number(violations);
    out.number(proven);
    out.number(simplest);
    out.count(simplestTransactions);
    out.number(latest);
    out.number(lastSession);
    out.number(lastNumber);
    out.set(ranAt);
    out.flag(anyAllowed);
    out.flag(anyUnknown);
    timeline.save(out);
  }

  static Cause load(StateReader in, LongFunction<@Nullable Incident> incidents) {
    long id = in.number();
    Incident incident = incidents.apply(in.number());
    in.require(incident != null, "incident of a cause");
    Pattern made = Pattern.load(in);
    Cause cause =
        new Cause(
            id,
            made.level(),
            AnomalyKind.valueOf(made.shape()),
            made.parts(),
            Objects.requireNonNull(incident));
    cause.first = Moment.load(in);
    cause.last = Moment.load(in);
    cause.occurrences = in.number();
    cause.violations = in.number();
    cause.proven = in.number();
    cause.simplest = in.number();
    cause.simplestTransactions = in.count();
    cause.latest = in.number();
    cause.lastSession = in.number();
    cause.lastNumber = in.number();
    for (int n = in.count(); n > 0; n--) {
      cause.ranAt.add(in.requiredText());
    }
    cause.anyAllowed = in.flag();
    cause.anyUnknown = in.flag();
    cause.timeline.load(in);
    return cause;
  }
}

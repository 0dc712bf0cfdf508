package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.Moment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An incident while it is counted. */
final class Incident {
  /** Culprits that are remembered. */
  static final int MAX_CULPRITS = 64;

  /** Causes whose ids are told, and incidents that it is merged with. */
  private static final int MAX_TOLD = 100;

  /** Values of a dimension that are counted among its transactions. */
  private static final int MAX_VALUES = 50;

  /**
   * Transactions of its culprits, one after the other, that run at a stronger level before it is
   * over.
   */
  static final int ENDS_AFTER = 100;

  /**
   * For so long they do and it does not strike, in ms of log append time, where the log has times:
   * one of many instances that runs at the old level ends nothing, and pages no second time.
   */
  static final long ENDS_AFTER_MS = 1_800_000;

  final long id;
  final Root root;

  /** The first incident of a history has number 0. */
  final long number;

  private final Moment first;

  /** Transactions with the same promise that were delivered before it. */
  private final long deliveredBefore;

  /** See {@link IncidentReport#slot}. */
  int slot;

  private Moment last;
  private long violations;
  private long transactions;
  private int causeCount;
  private final TreeSet<Culprit> culprits = new TreeSet<>();
  private final List<String> causes = new ArrayList<>();
  private final TreeSet<String> mergedWith = new TreeSet<>();
  private final Map<AnomalyKind, Long> kinds = new EnumMap<>(AnomalyKind.class);
  private final HurtRows rows = new HurtRows();

  /** Of those that it left out since {@link #before}. */
  private ValueCounts values = new ValueCounts(MAX_VALUES);

  /** All transactions when it got its slot; null without one: then nothing is compared. */
  private @Nullable ValueCounts before;

  private final CountsOverTime timeline = new CountsOverTime();
  private final Waves waves;
  private IncidentReport.@Nullable End end;

  /** Transactions of its culprits that ran at a stronger level since one ran at its own. */
  private int elsewhere;

  /** When the first of these was delivered, in ms of log append time. */
  private long elsewhereSinceMs;

  /** Session and number of the transaction that was left out last; it counts once. */
  private long lastSession;

  private long lastNumber = -1;

  /** Its report as it was made last; null since it has changed. */
  private @Nullable IncidentReport made;

  Incident(long id, Root root, long number, Moment first, long deliveredBefore) {
    this.id = id;
    this.root = root;
    this.number = number;
    this.first = first;
    this.last = first;
    this.deliveredBefore = deliveredBefore;
    this.waves = new Waves(first);
  }

  /** Whether a cause with this root and these culprits belongs to it. */
  boolean takes(Root of, Set<Culprit> culpritsOf) {
    return root.equals(of)
        && (root.kind().isOfServer() || culpritsOf.stream().anyMatch(culprits::contains));
  }

  /**
   * A cause joins it.
   *
   * @param known whether another incident has paged for all that is new here
   */
  void join(long cause, Set<Culprit> culpritsOf, boolean known, Moment now) {
    made = null;
    causeCount++;
    if (causes.size() < MAX_TOLD) {
      causes.add(Cause.text(cause));
    }
    boolean begins = causeCount == 1;
    for (Culprit culprit : culpritsOf) {
      boolean added = culprits.size() < MAX_CULPRITS && culprits.add(culprit);
      if (added && !begins && !known && !root.kind().isOfServer()) {
        waves.joined(culprit, now);
      }
    }
  }

  /**
   * It gets a slot, or loses it.
   *
   * @param all all transactions until now
   */
  void takeSlot(int given, ValueCounts all) {
    made = null;
    slot = given;
    before = given == 0 ? null : all.copy();
    values = new ValueCounts(MAX_VALUES);
  }

  /** It has shown to have the same root as another one, and a cause in common with it. */
  void mergeWith(Incident other) {
    made = null;
    if (mergedWith.size() < MAX_TOLD) {
      mergedWith.add(Cause.text(other.id));
    }
  }

  /** One of its causes has brought about one more. */
  void count(Strike strike, AnomalyKind kind) {
    Moment now = strike.now();
    made = null;
    last = now;
    violations++;
    kinds.merge(kind, 1L, Long::sum);
    strike.rows().forEach(rows::add);
    if (now.appendTimeMs() > 0) {
      timeline.add(now.appendTimeMs());
    }
    waves.count(now);
    elsewhere = 0;
    if (end != null) {
      waves.goesOn(now);
      end = null;
    }
    long session = strike.leftOut().session.info.id();
    long transaction = strike.leftOut().number;
    if (session != lastSession || transaction != lastNumber) {
      transactions++;
      lastSession = session;
      lastNumber = transaction;
      values.add(strike.culprit(), now.appendTimeMs());
    }
  }

  /**
   * A transaction of its culprits was delivered.
   *
   * @param stronger whether it ran at a level that gives more than that of the incident
   * @return whether the incident is over with it
   */
  boolean ran(String ranAt, boolean stronger, Moment now) {
    if (!stronger) {
      elsewhere = 0;
      return false;
    }
    elsewhereSinceMs = elsewhere == 0 ? now.appendTimeMs() : elsewhereSinceMs;
    elsewhere++;
    if (end != null
        || elsewhere < ENDS_AFTER
        || (now.appendTimeMs() > 0 && now.appendTimeMs() - elsewhereSinceMs < ENDS_AFTER_MS)) {
      return false;
    }
    made = null;
    end =
        new IncidentReport.End(
            "its transactions run at %s now, no longer at %s".formatted(ranAt, root.ranAt()), now);
    return true;
  }

  Set<Culprit> culprits() {
    return culprits;
  }

  /** When it struck last. */
  Moment last() {
    return last;
  }

  /** Whether it watches at which level its culprits run: where it is theirs that is too weak. */
  boolean watchesLevel() {
    return root.kind() == RootKind.PROMISE && root.ranAt() != null && !root.others();
  }

  IsolationLevel promised() {
    return root.promised();
  }

  /**
   * As it stands; the same object as long as nothing has changed but for transactions that did
   * nothing wrong.
   */
  IncidentReport report(String history, ValueCounts all, long deliveredNow) {
    IncidentReport report = made;
    if (report == null || report.slot() != slot) {
      report = newReport(history, all, deliveredNow);
      made = report;
    }
    return report;
  }

  private IncidentReport newReport(String history, ValueCounts all, long deliveredNow) {
    return new IncidentReport(
        Cause.text(id),
        history,
        slot,
        root,
        List.copyOf(culprits),
        first,
        last,
        violations,
        kinds,
        causes,
        causeCount,
        new IncidentReport.Radius(
            rows.count(),
            rows.more(),
            rows.byTable(),
            rows.most(),
            transactions,
            Math.max(transactions, deliveredNow - deliveredBefore)),
        waves.wave(),
        end,
        List.copyOf(mergedWith),
        before == null ? List.of() : values.against(before, all),
        new CauseReport.Timeline(
            timeline.beginMs(),
            timeline.stepMs(),
            Arrays.stream(timeline.counts()).boxed().toList()));
  }

  void save(StateWriter out) {
    out.number(id);
    root.save(out);
    out.number(number);
    first.save(out);
    out.number(deliveredBefore);
    out.count(slot);
    last.save(out);
    out.number(violations);
    out.number(transactions);
    out.count(causeCount);
    out.count(culprits.size());
    culprits.forEach(culprit -> culprit.save(out));
    out.count(causes.size());
    causes.forEach(out::text);
    out.set(mergedWith);
    out.count(kinds.size());
    kinds.forEach(
        (kind, count) -> {
          out.constant(kind);
          out.number(count);
        });
    rows.save(out);
    values.save(out);
    out.flag(before != null);
    if (before != null) {
      before.save(out);
    }
    timeline.save(out);
    waves.save(out);
    out.flag(end != null);
    if (end != null) {
      out.text(end.reason());
      end.at().save(out);
    }
    out.count(elsewhere);
    out.number(elsewhereSinceMs);
    out.number(lastSession);
    out.number(lastNumber);
  }

  static Incident load(StateReader in) {
    Incident incident =
        new Incident(in.number(), Root.load(in), in.number(), Moment.load(in), in.number());
    incident.slot = in.count();
    incident.last = Moment.load(in);
    incident.violations = in.number();
    incident.transactions = in.number();
    incident.causeCount = in.count();
    for (int n = in.count(); n > 0; n--) {
      incident.culprits.add(Culprit.load(in));
    }
    for (int n = in.count(); n > 0; n--) {
      incident.causes.add(in.requiredText());
    }
    for (int n = in.count(); n > 0; n--) {
      incident.mergedWith.add(in.requiredText());
    }
    for (int n = in.count(); n > 0; n--) {
      incident.kinds.put(in.constant(AnomalyKind.class), in.number());
    }
    incident.rows.load(in);
    incident.values.load(in);
    if (in.flag()) {
      ValueCounts before = new ValueCounts(IncidentLedger.MAX_VALUES);
      before.load(in);
      incident.before = before;
    }
    incident.timeline.load(in);
    incident.waves.load(in);
    if (in.flag()) {
      incident.end = new IncidentReport.End(in.requiredText(), Moment.load(in));
    }
    incident.elsewhere = in.count();
    incident.elsewhereSinceMs = in.number();
    incident.lastSession = in.number();
    incident.lastNumber = in.number();
    in.require(
        incident.culprits.size() <= MAX_CULPRITS && incident.causes.size() <= MAX_TOLD,
        "culprits of an incident");
    return incident;
  }
}

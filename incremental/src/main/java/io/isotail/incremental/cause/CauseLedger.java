package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.Moment;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.Object2ObjectLinkedOpenHashMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what each cause brings about, and says which of it is to be proven.
 *
 * <p>A cause is a kind and the statements of those who did what they should not have. The kind is
 * the one that the proof tells. A proof costs far more than a count, so of each {@link Pattern} the
 * first few in an interval are proven. The others are counted for the cause that the pattern's last
 * proof told. They are all proven while the pattern's proofs tell different causes or levels, and
 * where any of the pattern could not be in that interval.
 *
 * <p>An interval ends after {@link #INTERVAL_TRANSACTIONS} delivered transactions or {@link
 * #INTERVAL_MS} of the log's time. So which ones are proven depends on the log alone.
 */
public final class CauseLedger {
  /** Causes that are remembered. */
  public static final int MAX_CAUSES = 1_000;

  /** Patterns that are remembered. */
  public static final int MAX_PATTERNS = 4_096;

  /** Committed transactions of an interval. */
  public static final long INTERVAL_TRANSACTIONS = 100_000;

  /** Longest interval, in ms of log append time. */
  public static final long INTERVAL_MS = 600_000;

  private final CheckerConfig config;
  private final String history;
  private final int provenPerInterval;
  private final Long2ObjectLinkedOpenHashMap<Cause> causes = new Long2ObjectLinkedOpenHashMap<>();
  private final Object2ObjectLinkedOpenHashMap<Pattern, Known> patterns =
      new Object2ObjectLinkedOpenHashMap<>();
  private final IncidentLedger incidents;
  private long changes;

  /** What is known of a pattern. */
  private static final class Known {
    /** The cause that its last proof told; 0 as long as there was none. */
    long cause;

    /** The level that its last proof violated. */
    IsolationLevel level = IsolationLevel.weakest();

    boolean hasCause;
    long sinceTransactions;
    long sinceMs;
    int proven;
    boolean anyUnproven;
  }

  /**
   * Nothing counted.
   *
   * @param config says how many are proven, and what each level gives
   */
  public CauseLedger(CheckerConfig config) {
    this.config = config;
    this.history = config.history();
    this.provenPerInterval = config.provenPerInterval();
    this.incidents = new IncidentLedger(config);
  }

  /**
   * Counts a left-out thing without a proof, if its pattern has been proven often enough.
   *
   * @return null if it is to be proven
   */
  public @Nullable Counted count(Strike strike) {
    if (provenPerInterval == Integer.MAX_VALUE) {
      return null;
    }
    Known known = patterns.getAndMoveToLast(strike.pattern());
    if (known == null
        || !known.hasCause
        || known.anyUnproven
        || known.proven < provenPerInterval
        || isOver(known, strike)) {
      return null;
    }
    Cause cause = causes.getAndMoveToLast(known.cause);
    if (cause == null) {
      return null;
    }
    count(cause, strike);
    return new Counted(known.level, cause.kind());
  }

  private void count(Cause cause, Strike strike) {
    cause.count(strike);
    incidents.count(cause.incident, strike, cause.kind());
    changes++;
  }

  /** What was counted without a proof: level and kind, as of the last that was proven. */
  public record Counted(IsolationLevel level, AnomalyKind kind) {}

  private static boolean isOver(Known known, Strike strike) {
    return strike.delivered() - known.sinceTransactions >= INTERVAL_TRANSACTIONS
        || strike.now().appendTimeMs() - known.sinceMs >= INTERVAL_MS;
  }

  /**
   * A left-out thing was proven.
   *
   * @param parts the statements that tell its cause
   * @param culprit where the transaction ran that did what it should not have
   * @param anomaly its id
   * @param capsule its transactions
   * @return the id of its cause
   */
  public String proven(
      Strike strike,
      List<CausePart> parts,
      Root.Ran culprit,
      IsolationLevel level,
      AnomalyKind kind,
      long anomaly,
      List<CapsuleTransaction> capsule) {
    long id = CauseId.of(history, kind, parts);
    Cause cause = causes.getAndMoveToLast(id);
    if (cause == null) {
      if (causes.size() == MAX_CAUSES) {
        causes.removeFirst();
      }
      Root root = Root.of(config, kind, level, culprit, capsule);
      Incident incident = incidents.join(id, parts, root, strike.now(), this::forget);
      cause = new Cause(id, level, kind, parts, incident);
      causes.putAndMoveToLast(id, cause);
    }
    count(cause, strike);
    cause.proven(anomaly, level, capsule, config);
    Known known = known(strike);
    if (known.hasCause && (known.cause != id || known.level != level)) {
      // As long as its proofs disagree each thing is proven.
      known.proven = 0;
    }
    known.cause = id;
    known.level = level;
    known.hasCause = true;
    known.proven++;
    return Cause.text(id);
  }

  /** The causes of an incident that is forgotten are older than any other one's. */
  private void forget(long incident) {
    causes.values().removeIf(cause -> cause.incident.id == incident);
  }

  /** A left-out thing could not be proven: the pattern's next ones are proven one by one. */
  public void unproven(Strike strike) {
    known(strike).anyUnproven = true;
  }

  /** A committed transaction is delivered. */
  public void delivered(Transaction t, Moment now) {
    if (incidents.delivered(t, now)) {
      changes++;
    }
  }

  private Known known(Strike strike) {
    Known known = patterns.getAndMoveToLast(strike.pattern());
    boolean isNew = known == null;
    if (known == null) {
      if (patterns.size() == MAX_PATTERNS) {
        patterns.removeFirst();
      }
      known = new Known();
      patterns.putAndMoveToLast(strike.pattern(), known);
    }
    if (isNew || isOver(known, strike)) {
      known.sinceTransactions = strike.delivered();
      known.sinceMs = strike.now().appendTimeMs();
      known.proven = 0;
      known.anyUnproven = false;
    }
    return known;
  }

  /** The causes, that which was seen last first. */
  public List<CauseReport> reports() {
    List<CauseReport> reports = new ArrayList<>(causes.size());
    causes.values().forEach(cause -> reports.add(cause.report(history)));
    Collections.reverse(reports);
    return reports;
  }

  /** The incidents that the causes belong to, that which struck last first. */
  public List<IncidentReport> incidents() {
    return incidents.reports();
  }

  /** Incidents that were forgotten, with their causes, to make room for others. */
  public long forgottenIncidents() {
    return incidents.forgotten();
  }

  /** How often any of them has changed. */
  public long changes() {
    return changes;
  }

  /** Saves all causes and patterns. */
  public void save(StateWriter out) {
    out.number(changes);
    incidents.save(out);
    out.count(causes.size());
    causes.values().forEach(cause -> cause.save(out));
    out.count(patterns.size());
    patterns.forEach(
        (pattern, known) -> {
          pattern.save(out);
          out.number(known.cause);
          out.constant(known.level);
          out.flag(known.hasCause);
          out.number(known.sinceTransactions);
          out.number(known.sinceMs);
          out.count(known.proven);
          out.flag(known.anyUnproven);
        });
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    changes = in.number();
    incidents.load(in);
    for (int n = in.count(); n > 0; n--) {
      Cause cause = Cause.load(in, incidents::find);
      causes.put(cause.id, cause);
    }
    for (int n = in.count(); n > 0; n--) {
      Pattern pattern = Pattern.load(in);
      Known known = new Known();
      known.cause = in.number();
      known.level = in.constant(IsolationLevel.class);
      known.hasCause = in.flag();
      known.sinceTransactions = in.number();
      known.sinceMs = in.number();
      known.proven = in.count();
      known.anyUnproven = in.flag();
      patterns.put(pattern, known);
    }
    in.require(causes.size() <= MAX_CAUSES && patterns.size() <= MAX_PATTERNS, "number of causes");
  }
}

package io.isotail.incremental.cause;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import io.isotail.incremental.verdict.Moment;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Groups causes by their root.
 *
 * <p>A cause joins the earliest incident with the root that its first proof shows, if its culprits
 * overlap those of the incident, or if the root lies in the server; else it begins one. It never
 * changes its incident. Where its culprits overlap those of further incidents, these and the one
 * that it joins are linked.
 */
public final class IncidentLedger {
  /** Incidents that are remembered. */
  public static final int MAX_INCIDENTS = 200;

  /** Slots of a history. */
  public static final int SLOTS = 20;

  /** Values of a dimension that are counted among all transactions. */
  static final int MAX_VALUES = 200;

  /** An incident that has not struck for so long gives its slot to another one, in ms. */
  private static final long SLOT_IDLE_MS = 3_600_000;

  private static final int LEVELS = IsolationLevel.values().length;

  private static final Comparator<Incident> EARLIEST =
      Comparator.comparingLong(incident -> incident.number);

  private final CheckerConfig config;
  private final Long2ObjectLinkedOpenHashMap<Incident> incidents =
      new Long2ObjectLinkedOpenHashMap<>();

  /** By culprit the incidents that watch at which level it runs. */
  private final Map<Culprit, List<Incident>> watched = new HashMap<>();

  /** All delivered transactions. */
  private final ValueCounts all = new ValueCounts(MAX_VALUES);

  /** By promise: delivered transactions. */
  private final long[] delivered = new long[LEVELS];

  private long next;
  private long forgotten;

  IncidentLedger(CheckerConfig config) {
    this.config = config;
  }

  /**
   * A committed transaction is delivered.
   *
   * @return whether an incident is over with it
   */
  boolean delivered(Transaction t, Moment now) {
    all.add(t, now.appendTimeMs());
    delivered[t.promise.ordinal()]++;
    String ranAt = t.ranAt;
    if (watched.isEmpty() || ranAt == null) {
      return false;
    }
    boolean over = false;
    for (Culprit culprit : Culprit.of(t)) {
      for (Incident incident : watched.getOrDefault(culprit, List.of())) {
        over |= incident.ran(ranAt, isStronger(ranAt, incident), now);
      }
    }
    return over;
  }

  private boolean isStronger(String ranAt, Incident incident) {
    IsolationLevel owed = config.owedBy(ranAt);
    IsolationLevel before = config.owedBy(incident.root.ranAt());
    return owed != null && before != null && owed != before && owed.atLeast(before);
  }

  /**
   * The incident of a cause that is new.
   *
   * @param forget takes the incident that is forgotten for it
   */
  Incident join(long cause, List<CausePart> parts, Root root, Moment now, LongConsumer forget) {
    Set<Culprit> culprits = Culprit.of(parts);
    List<Incident> found =
        incidents.values().stream()
            .filter(incident -> incident.takes(root, culprits))
            .sorted(EARLIEST)
            .toList();
    Incident joined =
        found.isEmpty() ? begin(root, culprits.iterator().next(), now, forget) : found.get(0);
    found.stream()
        .skip(1)
        .forEach(
            other -> {
              joined.mergeWith(other);
              other.mergeWith(joined);
            });
    boolean known =
        culprits.stream().allMatch(c -> found.stream().anyMatch(i -> i.culprits().contains(c)));
    joined.join(cause, culprits, known, now);
    watch(joined);
    return joined;
  }

  private Incident begin(Root root, Culprit canonical, Moment now, LongConsumer forget) {
    long id = CauseId.ofIncident(config.history(), root, canonical);
    if (incidents.size() == MAX_INCIDENTS) {
      long oldest = incidents.firstLongKey();
      watched.values().forEach(of -> of.removeIf(each -> each.id == oldest));
      watched.values().removeIf(List::isEmpty);
      incidents.remove(oldest);
      forgotten++;
      forget.accept(oldest);
    }
    Incident incident = new Incident(id, root, next++, now, delivered[root.promised().ordinal()]);
    incidents.putAndMoveToLast(id, incident);
    return incident;
  }

  private void watch(Incident incident) {
    if (incident.watchesLevel()) {
      for (Culprit culprit : incident.culprits()) {
        List<Incident> of = watched.computeIfAbsent(culprit, key -> new ArrayList<>());
        if (!of.contains(incident)) {
          of.add(incident);
          of.sort(EARLIEST);
        }
      }
    }
  }

  /** A cause of this incident has struck. */
  void count(Incident incident, Strike strike, AnomalyKind kind) {
    incidents.getAndMoveToLast(incident.id);
    if (incident.slot == 0) {
      int free = freeSlot(strike.now());
      if (free > 0) {
        incident.takeSlot(free, all);
      }
    }
    incident.count(strike, kind);
  }

  /** The lowest free slot, or that of the incident which has been idle for longest; or 0. */
  private int freeSlot(Moment now) {
    Incident[] holders = new Incident[SLOTS + 1];
    Incident idle = null;
    for (Incident incident : incidents.values()) {
      holders[incident.slot] = incident;
      idle = idle == null && incident.slot > 0 ? incident : idle;
    }
    for (int slot = 1; slot <= SLOTS; slot++) {
      if (holders[slot] == null) {
        return slot;
      }
    }
    if (idle == null || now.appendTimeMs() - idle.last().appendTimeMs() < SLOT_IDLE_MS) {
      return 0;
    }
    int slot = idle.slot;
    idle.takeSlot(0, all);
    return slot;
  }

  @Nullable Incident find(long id) {
    return incidents.get(id);
  }

  /** The incidents, that which struck last first. */
  List<IncidentReport> reports() {
    List<IncidentReport> reports = new ArrayList<>(incidents.size());
    for (Incident incident : incidents.values()) {
      reports.add(incident.report(config.history(), all, delivered[incident.promised().ordinal()]));
    }
    Collections.reverse(reports);
    return reports;
  }

  /** How many were forgotten to make room for others. */
  long forgotten() {
    return forgotten;
  }

  void save(StateWriter out) {
    all.save(out);
    out.numbers(delivered);
    out.number(next);
    out.number(forgotten);
    out.count(incidents.size());
    incidents.values().forEach(incident -> incident.save(out));
  }

  void load(StateReader in) {
    all.load(in);
    System.arraycopy(in.numbers(), 0, delivered, 0, delivered.length);
    next = in.number();
    forgotten = in.number();
    for (int n = in.count(); n > 0; n--) {
      Incident incident = Incident.load(in);
      incidents.put(incident.id, incident);
    }
    in.require(incidents.size() <= MAX_INCIDENTS, "number of incidents");
    incidents.values().stream().sorted(EARLIEST).forEach(this::watch);
  }
}

package io.isotail.monitor.store;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The latest anomalies, by id and in the order found. When there is no room, one goes of the cause
 * that has most in the history that has most, so that no flood drives others out. Safe for use by
 * many threads; every method holds one lock for a time that is bounded by the capacity.
 */
public final class AnomalyStore {
  /** Large witnesses must not fill the heap. */
  static final long MAX_BYTES = 64 << 20;

  private final int capacity;
  private static final int MAX_INCIDENTS_OF_HISTORY = 200;
  private static final int MAX_INCIDENTS = 4_000;
  private static final long MAX_INCIDENT_BYTES = 32 << 20;

  private final CauseStore causes = new CauseStore();
  private final DocumentStore<StoredIncident> incidents =
      new DocumentStore<>(MAX_INCIDENTS_OF_HISTORY, MAX_INCIDENTS, MAX_INCIDENT_BYTES);
  private final Map<String, Long> numbers = new HashMap<>();
  private final TreeMap<Long, StoredAnomaly> anomalies = new TreeMap<>();

  /** How often anomalies that are not here yet were observed; as many as may still come. */
  private final Map<String, Long> early = new LinkedHashMap<>();

  /** By history what of it is kept. */
  private final Map<String, OfHistory> shares = new TreeMap<>();

  private long next;
  private long bytes;

  /** What of a history is kept. */
  private static final class OfHistory {
    int size;

    /** By cause the numbers, the oldest first. */
    final Map<String, TreeSet<Long>> causes = new TreeMap<>();
  }

  /** Keeps at most {@code capacity} anomalies. */
  public AnomalyStore(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "anomalies.retained=%d; expected at least 1".formatted(capacity));
    }
    this.capacity = capacity;
  }

  /** What the anomalies have in common. */
  public CauseStore causes() {
    return causes;
  }

  /** What the causes have in common. */
  public DocumentStore<StoredIncident> incidents() {
    return incidents;
  }

  /** How many anomalies are kept at most. */
  public int capacity() {
    return capacity;
  }

  /**
   * Adds an anomaly. When there is no room others go.
   *
   * @return false if it is here already
   */
  public synchronized boolean add(StoredAnomaly anomaly) {
    if (numbers.containsKey(anomaly.id())) {
      return false;
    }
    Long observed = early.remove(anomaly.id());
    long number = next++;
    numbers.put(anomaly.id(), number);
    anomalies.put(number, observed == null ? anomaly : anomaly.observed(observed));
    OfHistory of = shares.computeIfAbsent(anomaly.history(), h -> new OfHistory());
    of.causes.computeIfAbsent(anomaly.cause(), c -> new TreeSet<>()).add(number);
    of.size++;
    bytes += anomaly.size();
    while (anomalies.size() > capacity || (bytes > MAX_BYTES && anomalies.size() > 1)) {
      remove(leastMissed());
    }
    return true;
  }

  /**
   * Of the largest share the oldest one, but rather none that its cause leads to: its simplest
   * proof and its latest.
   */
  private StoredAnomaly leastMissed() {
    OfHistory of = Collections.max(shares.values(), Comparator.comparingInt(each -> each.size));
    TreeSet<Long> share =
        Collections.max(of.causes.values(), Comparator.comparingInt(TreeSet::size));
    int passed = 0;
    for (Long number : share) {
      StoredAnomaly each = anomalies.get(number);
      if (each != null && !causes.leadsTo(each.id())) {
        return each;
      }
      if (++passed > share.size() / 2) {
        break; // what is new must be seen too
      }
    }
    return Objects.requireNonNull(anomalies.get(share.first()));
  }

  private void remove(StoredAnomaly anomaly) {
    Long number = numbers.remove(anomaly.id());
    OfHistory of = shares.get(anomaly.history());
    if (number == null || of == null) {
      return;
    }
    anomalies.remove(number);
    bytes -= anomaly.size();
    of.size--;
    if (of.size == 0) {
      shares.remove(anomaly.history());
    }
    of.causes.computeIfPresent(
        anomaly.cause(),
        (cause, share) -> {
          share.remove(number);
          return share.isEmpty() ? null : share;
        });
  }

  /** Whether an anomaly is here. */
  public synchronized boolean contains(String id) {
    return numbers.containsKey(id);
  }

  /** Sets how often the anomaly was observed, which may be about to come. */
  public synchronized void repeated(String id, long occurrences) {
    Long number = numbers.get(id);
    if (number != null) {
      anomalies.computeIfPresent(number, (n, old) -> old.observed(occurrences));
      return;
    }
    early.put(id, occurrences);
    if (early.size() > capacity) {
      early.remove(early.keySet().iterator().next());
    }
  }

  /** The anomaly with this id, if it is kept. */
  public synchronized Optional<StoredAnomaly> find(String id) {
    Long number = numbers.get(id);
    return number == null ? Optional.empty() : Optional.ofNullable(anomalies.get(number));
  }

  /**
   * A piece of the list.
   *
   * @param anomalies newest first
   * @param matching how many match in all, of those that are kept
   * @param newer how many of them are newer than the first one here
   */
  public record Page(List<StoredAnomaly> anomalies, int matching, int newer) {
    /** Copies the list. */
    public Page {
      anomalies = List.copyOf(anomalies);
    }
  }

  /**
   * At most {@code limit} anomalies that match: the newest of those found before the one with the
   * id {@code before}; or the oldest of those found after {@code after}; or the newest of all.
   * Where an anomaly stood that is not kept any more is not known: {@code before} it is nothing and
   * {@code after} it is everything.
   */
  public synchronized Page page(
      Predicate<StoredAnomaly> filter, @Nullable String before, @Nullable String after, int limit) {
    long end = before == null ? Long.MAX_VALUE : numbers.getOrDefault(before, Long.MIN_VALUE);
    long begin = after == null ? Long.MIN_VALUE : numbers.getOrDefault(after, Long.MIN_VALUE);
    Deque<StoredAnomaly> found = new ArrayDeque<>();
    int matching = 0;
    int newer = 0;
    for (Map.Entry<Long, StoredAnomaly> entry : anomalies.descendingMap().entrySet()) {
      if (!filter.test(entry.getValue())) {
        continue;
      }
      matching++;
      long number = entry.getKey();
      if (number >= end) {
        newer++;
      } else if (after == null && found.size() < limit) {
        found.add(entry.getValue());
      } else if (after != null && number > begin) {
        found.add(entry.getValue());
        if (found.size() > limit) {
          found.remove();
          newer++;
        }
      }
    }
    return new Page(List.copyOf(found), matching, newer);
  }

  /** All that match, newest first. */
  public synchronized List<StoredAnomaly> matching(Predicate<StoredAnomaly> filter) {
    return anomalies.descendingMap().values().stream().filter(filter).toList();
  }

  /** How many were added since the start; those that are not kept any more count too. */
  public synchronized long seen() {
    return next;
  }

  /** All that are kept, oldest first. */
  public synchronized List<StoredAnomaly> all() {
    return List.copyOf(anomalies.values());
  }

  /** How many are kept. */
  public synchronized int size() {
    return anomalies.size();
  }
}

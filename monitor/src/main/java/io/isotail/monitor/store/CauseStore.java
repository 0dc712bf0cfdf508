package io.isotail.monitor.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The causes of all histories, each as it was published last. Of a history at most {@link
 * #MAX_OF_HISTORY} are kept, of all {@link #MAX} and {@link #MAX_BYTES}; the one that has not
 * changed for longest goes first, of the history with too many or else of all. Safe for use by many
 * threads.
 */
public final class CauseStore {
  /** Causes of one history. */
  public static final int MAX_OF_HISTORY = 1_000;

  /** Causes of all histories. */
  public static final int MAX = 20_000;

  /** Their documents, in bytes. */
  static final long MAX_BYTES = 32 << 20;

  /** By id; the one that has changed last is the last. */
  private final LinkedHashMap<String, StoredCause> causes = new LinkedHashMap<>();

  private final Map<String, Integer> ofHistory = new HashMap<>();

  /** Ids of the proofs that causes lead to, and how many causes lead to each. */
  private final Map<String, Integer> proofs = new HashMap<>();

  private long bytes;

  /** Takes a cause as it is now. What is published last is what holds. */
  public synchronized void put(StoredCause cause) {
    StoredCause known = causes.remove(cause.id());
    causes.put(cause.id(), cause);
    note(cause, 1);
    if (known != null) {
      note(known, -1);
    }
    if (ofHistory.getOrDefault(cause.history(), 0) > MAX_OF_HISTORY) {
      removeOldest(other -> other.history().equals(cause.history()));
    }
    while (causes.size() > MAX || (bytes > MAX_BYTES && causes.size() > 1)) {
      removeOldest(other -> true);
    }
  }

  private void removeOldest(Predicate<StoredCause> of) {
    causes.values().stream()
        .filter(of)
        .findFirst()
        .ifPresent(
            oldest -> {
              causes.remove(oldest.id());
              note(oldest, -1);
            });
  }

  /** It is here once more, or once less. */
  private void note(StoredCause cause, int more) {
    bytes += (long) more * cause.size();
    merge(ofHistory, cause.history(), more);
    merge(proofs, cause.text("simplest"), more);
    merge(proofs, cause.text("latest"), more);
  }

  private static void merge(Map<String, Integer> counts, String key, int more) {
    counts.merge(key, more, (a, b) -> a + b == 0 ? null : a + b);
  }

  /** Whether a cause leads to this anomaly: its simplest proof, or its latest. */
  public synchronized boolean leadsTo(String anomaly) {
    return proofs.containsKey(anomaly);
  }

  /** The causes of a history, or of all if it is null; those that have changed last first. */
  public synchronized List<StoredCause> list(@Nullable String history) {
    List<StoredCause> found = new ArrayList<>();
    for (StoredCause cause : causes.values()) {
      if (history == null || history.equals(cause.history())) {
        found.add(cause);
      }
    }
    Collections.reverse(found);
    return found;
  }

  /** The cause with this id. */
  public synchronized Optional<StoredCause> find(String id) {
    return Optional.ofNullable(causes.get(id));
  }
}

package io.isotail.monitor.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The causes of all histories, each as it was published last. Of a history at most {@link
 * #MAX_OF_HISTORY} are kept and of all {@link #MAX}; the one that has not changed for longest goes
 * first, of the history with too many or else of all. Safe for use by many threads.
 */
public final class CauseStore {
  /** Causes of one history. */
  public static final int MAX_OF_HISTORY = 1_000;

  /** Causes of all histories. */
  public static final int MAX = 20_000;

  /** Ids of the proofs that causes lead to, and how many causes lead to each. */
  private final Map<String, Integer> proofs = new HashMap<>();

  /** By history and id; the one that has changed last is the last. */
  private final Map<String, Map<String, StoredCause>> histories = new LinkedHashMap<>();

  private int size;

  /**
   * What has become known of a cause.
   *
   * @param isNew whether nothing was known of it
   * @param more violations that were not known of; all of them where it is new
   */
  public record Change(boolean isNew, long more) {}

  /**
   * Takes a cause as it is now; one that is known to have done more already is older, and is left.
   * A history that was begun anew counts its causes from the beginning.
   */
  public synchronized Change put(StoredCause cause) {
    Map<String, StoredCause> ofHistory =
        histories.computeIfAbsent(cause.history(), h -> new LinkedHashMap<>());
    StoredCause known = ofHistory.get(cause.id());
    Change change = change(known, cause);
    if (known != null && isOlder(cause, known)) {
      return change;
    }
    size += known == null ? 1 : 0;
    lead(cause, 1);
    if (known != null) {
      lead(known, -1);
    }
    ofHistory.remove(cause.id());
    ofHistory.put(cause.id(), cause);
    if (ofHistory.size() > MAX_OF_HISTORY) {
      removeOldest(ofHistory);
    } else if (size > MAX) {
      removeOldest(
          histories.values().stream().filter(all -> !all.isEmpty()).findFirst().orElse(ofHistory));
    }
    return change;
  }

  private static Change change(@Nullable StoredCause known, StoredCause cause) {
    if (known == null) {
      return new Change(true, cause.violations());
    }
    if (isOlder(cause, known)) {
      return new Change(false, 0);
    }
    boolean goesOn = known.firstOffset() == cause.firstOffset();
    return new Change(false, cause.violations() - (goesOn ? known.violations() : 0));
  }

  private static boolean isOlder(StoredCause cause, StoredCause known) {
    return cause.firstOffset() < known.firstOffset()
        || (cause.firstOffset() == known.firstOffset() && cause.violations() < known.violations());
  }

  private void removeOldest(Map<String, StoredCause> of) {
    Iterator<StoredCause> oldest = of.values().iterator();
    lead(oldest.next(), -1);
    oldest.remove();
    size--;
  }

  private void lead(StoredCause cause, int more) {
    for (String proof : List.of(cause.text("simplest"), cause.text("latest"))) {
      proofs.merge(proof, more, (a, b) -> a + b == 0 ? null : a + b);
    }
  }

  /** Whether a cause leads to this anomaly: its simplest proof, or its latest. */
  public synchronized boolean leadsTo(String anomaly) {
    return proofs.containsKey(anomaly);
  }

  /** The causes of a history, or of all if it is null; those that have changed last first. */
  public synchronized List<StoredCause> list(@Nullable String history) {
    List<StoredCause> causes = new ArrayList<>();
    histories.forEach(
        (id, ofHistory) -> {
          if (history == null || history.equals(id)) {
            causes.addAll(ofHistory.values());
          }
        });
    Collections.reverse(causes);
    return causes;
  }

  /** The cause with this id. */
  public synchronized Optional<StoredCause> find(String id) {
    return histories.values().stream()
        .map(ofHistory -> ofHistory.get(id))
        .filter(cause -> cause != null)
        .findFirst();
  }
}

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
 * Documents of all histories, each as it was published last. How many of a history are kept, and of
 * all, and of how many bytes, is bounded; the one that has not changed for longest goes first, of
 * the history with too many or else of all. Safe for use by many threads.
 *
 * @param <T> what it keeps
 */
public class DocumentStore<T extends StoredDocument> {
  private final int maxOfHistory;
  private final int max;
  private final long maxBytes;

  /** By id; the one that has changed last is the last. */
  private final LinkedHashMap<String, T> documents = new LinkedHashMap<>();

  private final Map<String, Integer> ofHistory = new HashMap<>();

  private long bytes;

  /** Keeps at most so many of a history, so many of all, and so many bytes of these. */
  public DocumentStore(int maxOfHistory, int max, long maxBytes) {
    this.maxOfHistory = maxOfHistory;
    this.max = max;
    this.maxBytes = maxBytes;
  }

  /** Takes a document as it is now. What is published last is what holds. */
  public synchronized void put(T document) {
    T known = documents.remove(document.id());
    documents.put(document.id(), document);
    note(document, 1);
    if (known != null) {
      note(known, -1);
    }
    if (ofHistory.getOrDefault(document.history(), 0) > maxOfHistory) {
      removeOldest(other -> other.history().equals(document.history()));
    }
    while (documents.size() > max || (bytes > maxBytes && documents.size() > 1)) {
      removeOldest(other -> true);
    }
  }

  private void removeOldest(Predicate<T> of) {
    documents.values().stream()
        .filter(of)
        .findFirst()
        .ifPresent(
            oldest -> {
              documents.remove(oldest.id());
              note(oldest, -1);
            });
  }

  /** It is here once more, or once less. */
  private void note(T document, int more) {
    bytes += (long) more * document.size();
    merge(ofHistory, document.history(), more);
    noted(document, more);
  }

  /** A document is here once more, or once less; called by one thread at a time. */
  void noted(T document, int more) {}

  static void merge(Map<String, Integer> counts, String key, int more) {
    counts.merge(key, more, (a, b) -> a + b == 0 ? null : a + b);
  }

  /** Those of a history, or of all if it is null; those that have changed last first. */
  public synchronized List<T> list(@Nullable String history) {
    List<T> found = new ArrayList<>();
    for (T document : documents.values()) {
      if (history == null || history.equals(document.history())) {
        found.add(document);
      }
    }
    Collections.reverse(found);
    return found;
  }

  /** The one with this id. */
  public synchronized Optional<T> find(String id) {
    return Optional.ofNullable(documents.get(id));
  }
}

package io.isotail.incremental.judge.second;

import io.isotail.incremental.judge.second.HistoryReading.Deed;
import io.isotail.incremental.record.VersionKind;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What list reads, and writes that know what they replaced, show: which version of a key directly
 * succeeds which. A list counts if it is known from whom its last version was read, and two
 * neighbours in it if one transaction each, not the same, committed them. A replaced version counts
 * if one transaction committed it as its last, and one replaced it.
 */
final class ListNeighbours {
  private final HistoryReading history;
  private final SourcesOfReads sources;
  private final Set<Neighbours> all = new HashSet<>();

  /** Nobody's version of the key stands between those of the two. */
  record Neighbours(long key, int earlier, int later) {}

  ListNeighbours(HistoryReading history, SourcesOfReads sources) {
    this.history = history;
    this.sources = sources;
    for (int t = 0; t < history.size(); t++) {
      for (Deed deed : history.deeds(t)) {
        if (history.committed(t)
            && deed.directlyBeforeNext()
            && deed.versionKind() != VersionKind.UNKNOWN
            && !deed.undone()) {
          add(t, deed);
        }
      }
    }
    for (int t = 0; t < history.size(); t++) {
      for (long key : history.written(t)) {
        addReplaced(t, key);
      }
    }
  }

  private void addReplaced(int t, long key) {
    Long version = replaced(t, key);
    Set<Integer> writers = new TreeSet<>();
    if (version != null) {
      writers.addAll(history.writersForGood(key, version));
      writers.removeIf(writer -> !history.mayHaveCommitted(writer));
    }
    if (version == null || writers.size() != 1) {
      return;
    }
    int writer = writers.iterator().next();
    Deed last = HistoryReading.lastWrite(history.deeds(writer), key);
    boolean contradicted = false;
    for (int other = 0; other < history.size(); other++) {
      contradicted |=
          other != t
              && history.written(other).contains(key)
              && version.equals(replaced(other, key));
    }
    if (writer != t
        && history.committed(writer)
        && last != null
        && last.installed(key, version)
        && !contradicted) {
      all.add(new Neighbours(key, writer, t));
    }
  }

  /** What the first write of a key replaced, or null. */
  private @Nullable Long replaced(int t, long key) {
    return history.deeds(t).stream()
        .filter(deed -> deed.changed() && deed.key() == key)
        .findFirst()
        .map(Deed::replaced)
        .orElse(null);
  }

  Set<Neighbours> all() {
    return all;
  }

  private void add(int t, Deed listed) {
    List<Deed> deeds = history.deeds(t);
    int end = listed.place();
    while (deeds.get(end).directlyBeforeNext()) {
      end++;
    }
    int begin = listed.place();
    while (begin > 0 && deeds.get(begin - 1).directlyBeforeNext()) {
      begin--;
    }
    if (!sources.isKnown(t, begin, end)
        || (listed.versionKind() == VersionKind.INITIAL && sources.mayBeGone(t, listed))) {
      return;
    }
    Set<Integer> earlier =
        listed.versionKind() == VersionKind.INITIAL
            ? Set.of(SourcesOfReads.INITIAL)
            : committedWriters(t, listed, end);
    Set<Integer> later = committedWriters(t, deeds.get(listed.place() + 1), end);
    if (earlier.size() == 1 && later.size() == 1 && !earlier.equals(later)) {
      all.add(new Neighbours(listed.key(), earlier.iterator().next(), later.iterator().next()));
    }
  }

  /** Who wrote an element: the reader the last ones, which it had appended itself, and no other. */
  private Set<Integer> committedWriters(int reader, Deed element, int end) {
    long own =
        history.deeds(reader).stream()
            .filter(deed -> deed.place() < element.place())
            .filter(deed -> deed.changed() && deed.key() == element.key())
            .count();
    if (element.place() > end - own) {
      return Set.of(reader);
    }
    Set<Integer> writers = new TreeSet<>(history.writersForGood(element.key(), element.version()));
    writers.removeIf(writer -> writer == reader || !history.mayHaveCommitted(writer));
    return writers.stream().allMatch(history::committed) ? writers : Set.of();
  }
}

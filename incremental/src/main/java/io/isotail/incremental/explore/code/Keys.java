package io.isotail.incremental.explore.code;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a program declares, which are those that a scan reads. It remembers scans and the
 * writes of other keys, whatever history they were in, so that no scan misses a write: of a scan
 * and a write that do not go together, the later one is refused. Any thread may ask.
 */
final class Keys {
  private final NavigableSet<String> declared;

  /** Who scanned, by prefix. */
  private final Map<String, String> scans = new TreeMap<>();

  /** Who wrote, by key that is not declared. */
  private final Map<String, String> others = new TreeMap<>();

  Keys(Collection<String> declared) {
    this.declared = new TreeSet<>(declared);
  }

  /** The declared keys with a prefix, sorted. */
  List<String> with(String prefix) {
    List<String> all = new ArrayList<>();
    for (String key : declared.tailSet(prefix)) {
      if (!key.startsWith(prefix)) {
        break;
      }
      all.add(key);
    }
    return all;
  }

  /** A transaction scans: what is wrong with that, null if nothing is. */
  synchronized @Nullable String scanned(String prefix, String transaction) {
    scans.putIfAbsent(prefix, transaction);
    for (Map.Entry<String, String> write : others.entrySet()) {
      if (write.getKey().startsWith(prefix)) {
        return missed(write.getKey(), write.getValue(), prefix, transaction);
      }
    }
    return null;
  }

  /** A transaction writes: what is wrong with that, null if nothing is. */
  synchronized @Nullable String written(String key, String transaction) {
    if (declared.contains(key)) {
      return null;
    }
    others.putIfAbsent(key, transaction);
    for (Map.Entry<String, String> scan : scans.entrySet()) {
      if (key.startsWith(scan.getKey())) {
        return missed(key, transaction, scan.getKey(), scan.getValue());
      }
    }
    return null;
  }

  private static String missed(String key, String writer, String prefix, String reader) {
    return "%s writes '%s', which the scan of '%s' in %s would miss; declare it, by withKeys(\"%s\") on the CodeProgram"
        .formatted(writer, key, prefix, reader, key);
  }
}

package io.isotail.incremental.verdict;

import io.isotail.incremental.snapshot.StateReader;
import io.isotail.incremental.snapshot.StateWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The versions in which each application was seen. The first one is no change; a version counts
 * once, however long old and new ones run beside each other.
 *
 * <p>Bound: {@value #MAX_NAMES} applications, of which the one that was not seen for longest is
 * forgotten, and {@value #MAX_VERSIONS} versions of each; further ones are not told.
 */
public final class SeenVersions {
  static final int MAX_NAMES = 200;
  static final int MAX_VERSIONS = 20;

  /** By name, the one that was seen last at the end. */
  private final Map<String, Deque<String>> byName = new LinkedHashMap<>(16, 0.75f, true);

  /** Most transactions have that of the one before. */
  private @Nullable String latest;

  /** None. */
  public SeenVersions() {}

  /**
   * An application is seen in a version.
   *
   * @param version its name and, as the last word, its version
   * @return whether it had been seen in other versions, and never in this one
   */
  public boolean add(String version) {
    if (version.equals(latest)) {
      return false;
    }
    latest = version;
    String name = version.substring(0, Math.max(0, version.lastIndexOf(' ')));
    Deque<String> versions = byName.get(name);
    if (versions == null) {
      if (byName.size() == MAX_NAMES) {
        byName.remove(byName.keySet().iterator().next());
      }
      versions = new ArrayDeque<>(4);
      byName.put(name, versions);
    } else if (versions.contains(version)) {
      return false;
    }
    if (versions.size() == MAX_VERSIONS) {
      return false; // What changes that often is no version of a deploy.
    }
    versions.add(version);
    return versions.size() > 1;
  }

  /** Goes on from what was seen elsewhere. */
  public void addAll(SeenVersions others) {
    others.byName.forEach((name, versions) -> byName.put(name, new ArrayDeque<>(versions)));
    latest = others.latest;
  }

  /** Saves them. */
  public void save(StateWriter out) {
    out.text(latest);
    out.count(byName.size());
    byName.forEach(
        (name, versions) -> {
          out.text(name);
          out.count(versions.size());
          versions.forEach(out::text);
        });
  }

  /** Takes back what {@link #save} saved. */
  public void load(StateReader in) {
    latest = in.text();
    for (int n = in.count(); n > 0; n--) {
      Deque<String> versions = new ArrayDeque<>(4);
      byName.put(in.requiredText(), versions);
      for (int m = in.count(); m > 0; m--) {
        versions.add(in.requiredText());
      }
      in.require(versions.size() <= MAX_VERSIONS, "number of versions");
    }
    in.require(byName.size() <= MAX_NAMES, "number of applications");
  }
}

package io.isotail.ingest.generate;

import org.jspecify.annotations.Nullable;

/** The versions of each key as they were at the last commits. Commits are numbered from 1. */
final class VersionChains {
  private final @Nullable Version[] newest;
  private final int lag;
  private long now;

  /** Remembers what each key held at any of the last {@code lag} commits. */
  VersionChains(int keys, int lag) {
    this.newest = new Version[keys];
    this.lag = lag;
  }

  /** One version, and the one that it replaced. */
  private static final class Version {
    final long version;
    final long commit;
    @Nullable Version older;

    Version(long version, long commit, @Nullable Version older) {
      this.version = version;
      this.commit = commit;
      this.older = older;
    }
  }

  /** Number of the last commit. */
  long now() {
    return now;
  }

  /** The oldest commit that can still be looked at. */
  long oldest() {
    return Math.max(0, now - lag);
  }

  /** What the key held right after a commit that is not too old. */
  long at(int key, long commit) {
    Version at = newest[key];
    while (at != null && at.commit > commit) {
      at = at.older;
    }
    return at == null ? SimulatedStore.INITIAL : at.version;
  }

  /** Number of the commit that wrote the key last, 0 for none. */
  long lastCommit(int key) {
    Version last = newest[key];
    return last == null ? 0 : last.commit;
  }

  /** Makes one commit of all of them. */
  void commit(WriteSet writes) {
    now++;
    for (int i = 0; i < writes.size(); i++) {
      int key = writes.key(i);
      Version version = new Version(writes.version(i), now, newest[key]);
      newest[key] = version;
      cut(version);
    }
  }

  /** Lets go of what is older than the version seen by the oldest look. */
  private void cut(Version from) {
    Version at = from;
    while (at.commit > oldest()) {
      Version older = at.older;
      if (older == null) {
        return;
      }
      at = older;
    }
    at.older = null;
  }
}

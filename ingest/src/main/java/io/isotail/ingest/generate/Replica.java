package io.isotail.ingest.generate;

/** One copy of all keys, in which the later of two commits wins whatever comes first. */
final class Replica {
  private final long[] versions;
  private final long[] commits;

  Replica(int keys) {
    versions = new long[keys];
    commits = new long[keys];
  }

  /** A transaction on its way between replicas. Nobody changes its arrays. */
  static final class Commit {
    /** Its number in the order of all commits. */
    final long number;

    /** How many commits of each origin its replica had applied; empty where nobody asks. */
    final long[] seen;

    final int[] keys;
    final long[] versions;

    Commit(long number, long[] seen, WriteSet writes) {
      this.number = number;
      this.seen = seen;
      this.keys = writes.keys();
      this.versions = writes.versions();
    }
  }

  long read(int key) {
    return versions[key];
  }

  /** Shows all of a transaction at once. */
  void apply(Commit transaction) {
    for (int i = 0; i < transaction.keys.length; i++) {
      int key = transaction.keys[i];
      if (commits[key] < transaction.number) {
        commits[key] = transaction.number;
        versions[key] = transaction.versions[i];
      }
    }
  }
}

package io.isotail.incremental.record;

import it.unimi.dsi.fastutil.HashCommon;
import org.jspecify.annotations.Nullable;

/**
 * Keys and ids of writers of several databases in one history, made distinct: a row of one is never
 * a row of another, and an id that both gave out is of two transactions. The number of a database
 * is mixed into its keys, and stands in the upper half of the ids, which have 32 bits.
 */
final class DatabaseKeys {
  private static final long LOW_BITS = 0xFFFF_FFFFL;

  private DatabaseKeys() {}

  /** What is mixed into the keys of a database; 0 for the first one. */
  static long salt(int database) {
    return HashCommon.murmurHash3((long) database);
  }

  /** The operations as those of another database. */
  static Operations of(Operations all, int database) {
    int n = all.size();
    long[] keysAndVersions = new long[2 * n];
    long salt = salt(database);
    for (int i = 0; i < n; i++) {
      keysAndVersions[i] = all.plainKey(i) ^ salt;
      long version = all.plainVersion(i);
      keysAndVersions[n + i] = isId(all, i, version) ? version | tag(database) : version;
    }
    return all.with(keysAndVersions, replaced(all, database), database);
  }

  private static long @Nullable [] replaced(Operations all, int database) {
    if (!all.anyReplaced()) {
      return null;
    }
    long[] replaced = new long[all.size()];
    for (int i = 0; i < replaced.length; i++) {
      long version = all.plainReplaced(i);
      replaced[i] = isId(all, i, version) ? version | tag(database) : version;
    }
    return replaced;
  }

  /** A version of operation {@code i} as it was before it became one of its database. */
  static long plainVersion(Operations ops, int i, long version) {
    long plain = version ^ tag(ops.database());
    return isId(ops, i, plain) ? plain : version;
  }

  private static boolean isId(Operations ops, int i, long version) {
    return ops.namesWriters(i) && version > 0 && version <= LOW_BITS;
  }

  private static long tag(int database) {
    return (long) database << Integer.SIZE;
  }
}

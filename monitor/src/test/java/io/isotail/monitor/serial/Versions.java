package io.isotail.monitor.serial;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * The versions that statements install. Where versions are unique each is new; in {@code counted}
 * and {@code vault} they count on, also over a delete; elsewhere the value is the version, and
 * there are six of them.
 */
final class Versions {
  /** Different values of a table without a version column. */
  static final int VALUES = 6;

  /** Far more than the updates of one transaction. */
  private static final long STEP = 1_000;

  private final boolean unique;
  private final Random random;
  private final Map<String, Long> highest = new HashMap<>();
  private long fresh = 1_000;
  private long inserts;

  Versions(boolean unique, Random random) {
    this.unique = unique;
    this.random = random;
  }

  /** Whether no version is ever installed twice. */
  boolean unique() {
    return unique;
  }

  /** Whether a table's rows have a version that counts. */
  boolean counts(String table) {
    return !unique && (table.equals("counted") || table.equals("vault"));
  }

  /** What an insert of a row that may have been there before installs. */
  long ofInsert(String table, long key) {
    return counts(table) ? highest.getOrDefault(table + key, 0L) + STEP * ++inserts : ofUpdate();
  }

  /** What an update of a row whose version does not count installs. */
  long ofUpdate() {
    return unique ? fresh++ : random.nextInt(VALUES);
  }

  /** The expression for an update that does not say which version it installs. */
  String relative(String table) {
    if (unique) {
      return "nextval('fresh')";
    }
    return counts(table) ? "v + 1" : "(v + 1) % " + VALUES;
  }

  /** The version after one that was seen. */
  long after(String table, long seen) {
    return counts(table) ? seen + 1 : ofUpdate();
  }

  /** A row has got a version. */
  void note(SerialDatabase.Change change) {
    highest.merge(change.table() + change.key(), change.version(), Math::max);
  }
}

package io.isotail.ingest.capture;

import org.jspecify.annotations.Nullable;

/** Names of isolation levels as records carry them: {@code postgresql:repeatable-read}. */
final class Isolation {
  private Isolation() {}

  /** The level that SQL names, as in {@code repeatable read}; null if it is no level. */
  static @Nullable String of(String database, @Nullable String sqlName) {
    if (sqlName == null) {
      return null;
    }
    return switch (sqlName) {
      case "read uncommitted", "read committed", "repeatable read", "serializable" ->
          database + ":" + sqlName.replace(' ', '-');
      default -> null;
    };
  }
}

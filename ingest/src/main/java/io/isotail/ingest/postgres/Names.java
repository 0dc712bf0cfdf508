package io.isotail.ingest.postgres;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements and the portals of a session, by name; the empty name is that of the
 * unnamed one. What was sent counts, whether or not the server has answered it: what it refuses is
 * put back.
 *
 * <p>Bound: {@value #MOST} of each, as many as any client is known to keep and more. Beyond that
 * new ones are not remembered, and not followed. For one thread.
 */
final class Names {
  private static final int MOST = 20_000;

  private final Map<String, Prepared> statements = new HashMap<>();
  private final Map<String, Portal> portals = new HashMap<>();

  /** Statements whose Close was sent and is not answered: the server may still skip it. */
  private final Map<String, Prepared> closing = new HashMap<>();

  @Nullable Prepared statement(String name) {
    Prepared known = statements.get(name);
    return known == null ? closing.get(name) : known;
  }

  @Nullable Portal portal(String name) {
    return portals.get(name);
  }

  /** Whether another statement can be remembered. */
  boolean hasRoom() {
    return statements.size() < MOST && portals.size() < MOST;
  }

  /**
   * A statement gets a name.
   *
   * @return puts back what had the name before
   */
  Runnable prepare(String name, Prepared prepared) {
    Prepared known = statements.put(name, prepared);
    // The unnamed one is gone as soon as another is parsed, well or not.
    Prepared before = name.isEmpty() ? null : known;
    // If the server skips this, it has skipped the Close before it, too.
    Prepared instead = before == null ? closing.get(name) : before;
    return () -> {
      restore(statements, name, prepared, before);
      if (instead != null) {
        prepared.replaceBy(instead);
      }
    };
  }

  /** A portal gets a name. */
  Runnable bind(String name, Portal portal) {
    Portal before = portals.put(name, portal);
    return () -> restore(portals, name, portal, name.isEmpty() ? null : before);
  }

  /** The client asks to close a statement. */
  Runnable closeStatement(String name) {
    Prepared before = statements.remove(name);
    if (before == null) {
      return () -> {};
    }
    closing.put(name, before);
    return () -> {
      closing.remove(name, before);
      restore(statements, name, null, before);
    };
  }

  /** The server has answered every Close that was sent. */
  void closed() {
    closing.clear();
  }

  /** A portal is closed. */
  Runnable closePortal(String name) {
    Portal before = portals.remove(name);
    return () -> restore(portals, name, null, before);
  }

  /** A Query message ends what has no name. */
  void query() {
    statements.remove("");
    portals.remove("");
  }

  /** A transaction has ended, and all portals with it. */
  void transactionEnded() {
    portals.clear();
  }

  private static <V> void restore(
      Map<String, V> names, String name, @Nullable V expected, @Nullable V before) {
    if (names.get(name) == expected) {
      if (before == null) {
        names.remove(name);
      } else {
        names.put(name, before);
      }
    }
  }
}

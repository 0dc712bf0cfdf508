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

  /** Statements whose Close was skipped after another had been sent under their name. */
  private final Map<String, Prepared> unclosed = new HashMap<>();

  @Nullable Prepared statement(String name) {
    Prepared known = statements.get(name);
    return known == null ? closing.get(name) : known;
  }

  /** The statement that has a name and is not being closed: to parse another is refused. */
  @Nullable Prepared living(String name) {
    return name.isEmpty() ? null : statements.get(name);
  }

  @Nullable Portal portal(String name) {
    return portals.get(name);
  }

  /** Whether another statement can be remembered. */
  boolean hasRoom() {
    return statements.size() < MOST && portals.size() < MOST;
  }

  /** Takes back what was taken for done. */
  interface Undo {
    /**
     * Takes it back.
     *
     * @param skipped whether the server has not even tried it, for something before it failed
     */
    void undo(boolean skipped);
  }

  /**
   * A statement gets a name.
   *
   * @return puts back what had the name before
   */
  Undo prepare(String name, Prepared prepared) {
    Prepared known = statements.put(name, prepared);
    // If the server skips this, it has skipped the Close before it, too.
    Prepared closed = known == null ? closing.get(name) : known;
    return skipped -> {
      // The unnamed one is gone as soon as another is parsed, well or not.
      boolean gone = name.isEmpty() && !skipped;
      Prepared kept = known == null ? unclosed.remove(name) : known;
      restore(statements, name, prepared, gone ? null : kept);
      if (!gone && closed != null) {
        prepared.replaceBy(closed);
      }
    };
  }

  /** A statement gets a name that is not remembered. */
  Undo forget(String name) {
    Prepared known = statements.remove(name);
    return skipped -> restore(statements, name, null, name.isEmpty() && !skipped ? null : known);
  }

  /** A portal gets a name. */
  Undo bind(String name, Portal portal) {
    Portal before = portals.put(name, portal);
    return skipped -> restore(portals, name, portal, name.isEmpty() && !skipped ? null : before);
  }

  /** The client asks to close a statement. */
  Undo closeStatement(String name) {
    Prepared before = statements.remove(name);
    if (before == null) {
      return skipped -> {};
    }
    closing.put(name, before);
    return skipped -> {
      closing.remove(name, before);
      if (statements.putIfAbsent(name, before) != null) {
        unclosed.put(name, before);
      }
    };
  }

  /** The server has answered every Close that was sent. */
  void closed() {
    closing.clear();
    unclosed.clear();
  }

  /** A portal is closed. */
  Undo closePortal(String name) {
    Portal before = portals.remove(name);
    return skipped -> restore(portals, name, null, before);
  }

  /** A Query message ends what has no name. */
  Undo query() {
    Prepared statement = statements.remove("");
    Portal portal = portals.remove("");
    return skipped -> {
      if (skipped && statement != null) {
        statements.putIfAbsent("", statement);
      }
      if (skipped && portal != null) {
        portals.putIfAbsent("", portal);
      }
    };
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

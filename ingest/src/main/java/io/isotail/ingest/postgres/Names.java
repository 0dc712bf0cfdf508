package io.isotail.ingest.postgres;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements and the portals of a session, by name as {@link ServerNames} says; the
 * empty name is that of the unnamed one. What was sent counts, whether or not the server has
 * answered it: what it refuses is put back.
 *
 * <p>Bound: {@value #MOST} of each, as many as any client is known to keep and more. Beyond that
 * new ones are not remembered, and not followed. Those that are closed are remembered until the
 * server has answered that. For one thread.
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

  /** The statement of the protocol that EXECUTE in SQL runs; null if it runs none. */
  @Nullable Prepared executed(NamesInSql in) {
    return in.kind() == NamesInSql.Kind.EXECUTE ? statement(in.name()) : null;
  }

  /** The portal of the protocol that FETCH or MOVE in SQL reads; null if they read none. */
  @Nullable Portal fetched(NamesInSql in) {
    boolean reads = in.kind() == NamesInSql.Kind.FETCH || in.kind() == NamesInSql.Kind.MOVE;
    return reads ? portal(in.name()) : null;
  }

  /**
   * A statement in SQL is about to be executed, which may give or take names.
   *
   * @param unread makes what stands for a statement that SQL has prepared
   */
  Undo executes(NamesInSql in, Supplier<Prepared> unread) {
    return switch (in.kind()) {
      case PREPARE -> prepareInSql(in.name(), unread.get());
      case PREPARE_ANY -> doubtAll(unread);
      case DEALLOCATE -> closeStatement(in.name());
      case DEALLOCATE_ALL -> closeStatements();
      case NOTHING, EXECUTE, FETCH, MOVE -> Undo.NOTHING;
    };
  }

  private Undo prepareInSql(String name, Prepared unread) {
    Prepared known = statement(name);
    if (known != null && known.hidden().length > 0) {
      unread.doubt(); // The server refuses it if the name is not free.
    }
    return hasRoom() ? prepare(name, unread) : forget(name);
  }

  /** SQL may prepare a statement of any name. */
  private Undo doubtAll(Supplier<Prepared> unread) {
    List<Undo> undos = new ArrayList<>();
    closing.values().forEach(Prepared::doubt);
    for (Map.Entry<String, Prepared> each : List.copyOf(statements.entrySet())) {
      if (each.getValue().hidden().length > 0) {
        each.getValue().doubt();
      } else if (!each.getKey().isEmpty()) {
        undos.add(prepare(each.getKey(), unread.get()));
      }
    }
    return skipped -> {
      if (skipped) {
        undos.forEach(each -> each.undo(true));
      }
    };
  }

  /**
   * The server has told how many columns of a statement's result were added.
   *
   * @param unread makes what stands for a statement that SQL has prepared
   */
  void settle(String name, int added, Supplier<Prepared> unread) {
    Prepared known = statement(name);
    if (known != null && known.hidden().length > 0 && added == 0) {
      statements.put(name, unread.get());
    } else if (known != null) {
      known.settle();
    }
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
  Undo prepare(String name, Prepared prepared) {
    Prepared known = statements.put(name, prepared);
    // If the server skips this, it has skipped the Close before it, too.
    Prepared closed = known == null ? closing.get(name) : known;
    Undo undo =
        skipped -> {
          // The unnamed one is gone as soon as another is parsed, well or not.
          boolean gone = name.isEmpty() && !skipped;
          Prepared kept = known == null ? unclosed.remove(name) : known;
          restore(statements, name, prepared, gone ? null : kept);
          if (!gone && closed != null) {
            prepared.replaceBy(closed);
          }
        };
    return undo.withDone(() -> unclosed.remove(name));
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
      return Undo.NOTHING;
    }
    closing.put(name, before);
    Undo undo =
        skipped -> {
          closing.remove(name, before);
          if (statements.putIfAbsent(name, before) != null) {
            unclosed.put(name, before);
          }
        };
    return undo.withDone(() -> closing.remove(name, before));
  }

  /** The client asks to close every statement that has a name. */
  Undo closeStatements() {
    List<Undo> undos = new ArrayList<>();
    for (String name : List.copyOf(statements.keySet())) {
      if (!name.isEmpty()) {
        undos.add(closeStatement(name));
      }
    }
    Undo undo = skipped -> undos.forEach(each -> each.undo(skipped));
    return undo.withDone(() -> undos.forEach(Undo::done));
  }

  /** The server has answered all. */
  void closed() {
    closing.clear();
    unclosed.clear();
  }

  /** How many statements and portals are remembered. */
  int count() {
    return statements.size() + portals.size() + closing.size() + unclosed.size();
  }

  /** A portal is closed. */
  Undo closePortal(String name) {
    Portal before = portals.remove(name);
    return skipped -> restore(portals, name, null, before);
  }

  /** A Query message ends what has no name, unless the server skips it. */
  Undo query() {
    Undo statement = closeStatement("");
    Portal portal = portals.remove("");
    Undo undo =
        skipped -> {
          if (skipped) {
            statement.undo(true);
          }
          if (skipped && portal != null) {
            portals.putIfAbsent("", portal);
          }
        };
    return undo.withDone(statement::done);
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

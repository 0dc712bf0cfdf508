package io.isotail.ingest.jdbc;

import io.isotail.ingest.postgres.RawClient.Messages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Messages of the extended protocol in the orders that few drivers use, drawn at random: portals
 * that are bound together and executed in turns, a Query, a function call or a COPY in the middle
 * of a group, names that are closed or described at odd places, errors anywhere.
 *
 * <p>It keeps what it has named, so that most of what it sends makes sense. What the server refuses
 * it takes for done: then the names are wrong, which is as good.
 */
final class RandomPipelines {
  private static final List<String> STATEMENTS = List.of("", "one", "two", "three");
  private static final List<String> PORTALS = List.of("", "p", "q", "r");

  /** SQL that is about portals of the protocol, sent by Query alone. */
  private static final List<String> ABOUT_PORTALS =
      List.of("FETCH 1 FROM p", "FETCH ALL FROM q", "MOVE 1 FROM p");

  /** SQL that is about names of the protocol. */
  private static final List<String> ABOUT_NAMES =
      List.of(
          "CLOSE p",
          "CLOSE ALL",
          "EXECUTE one",
          "EXECUTE two(1)",
          "EXECUTE three",
          "EXECUTE three(2)",
          "PREPARE one AS SELECT v, w FROM acc WHERE k = 1",
          "PREPARE two(bigint) AS UPDATE acc SET v = v + 1 WHERE k = $1",
          "PREPARE three AS SELECT 1",
          "DEALLOCATE one",
          "DEALLOCATE two",
          "DEALLOCATE PREPARE three",
          "DEALLOCATE ALL",
          "DISCARD ALL");

  private final Random random;
  private final RandomConversations texts;
  private final int function;

  /** The text of each named statement. */
  private final Map<String, String> statements = new HashMap<>();

  /** The text of each portal. */
  private final Map<String, String> portals = new HashMap<>();

  /**
   * Pipelines.
   *
   * @param texts gives statements
   * @param function oid of a function that takes a bigint
   */
  RandomPipelines(Random random, RandomConversations texts, int function) {
    this.random = random;
    this.texts = texts;
    this.function = function;
  }

  /** A group of messages, most often with a Sync at its end. */
  void group(Messages messages) {
    portals.remove("");
    for (int i = 2 + random.nextInt(8); i > 0; i--) {
      step(messages);
    }
  }

  /** A group in which the server answers each message, and waits for the next one. */
  void flushed(Messages messages) {
    portals.remove("");
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      asked(messages, random.nextInt(70));
    }
  }

  private void step(Messages messages) {
    int kind = random.nextInt(100);
    if (kind < 70) {
      asked(messages, kind);
    } else if (kind < 76) {
      messages.flush();
    } else if (kind < 83) {
      messages.sync();
    } else if (kind < 88) {
      messages.query(simple());
      portals.remove("");
    } else if (kind < 92) {
      call(messages);
    } else if (kind < 96) {
      copyIn(messages);
    } else if (kind < 98) {
      messages.parse("", "COPY acc (k, v) TO STDOUT").bind("", "", new String[0]);
      messages.execute("", random.nextInt(3));
    } else {
      stray(messages);
    }
  }

  private void asked(Messages messages, int kind) {
    if (kind < 18) {
      String name = one(STATEMENTS);
      parse(messages, name);
      bind(messages, name, one(PORTALS));
    } else if (kind < 26) {
      parse(messages, one(STATEMENTS));
    } else if (kind < 38) {
      bind(messages, one(STATEMENTS), one(PORTALS));
    } else if (kind < 56) {
      execute(messages);
    } else if (kind < 64) {
      boolean portal = random.nextBoolean();
      messages.about((byte) 'D', portal ? 'P' : 'S', known(portal));
    } else {
      close(messages, random.nextBoolean(), one(random.nextBoolean() ? PORTALS : STATEMENTS));
    }
  }

  /** Most often one that stands for something; not the unnamed portal that a Query has left. */
  private String known(boolean portal) {
    List<String> names = new ArrayList<>(portal ? portals.keySet() : statements.keySet());
    names.sort(null);
    boolean any = names.isEmpty() || random.nextInt(12) == 0;
    return any ? one(portal ? PORTALS.subList(1, 4) : STATEMENTS) : one(names);
  }

  private void parse(Messages messages, String name) {
    if (!name.isEmpty() && statements.containsKey(name) && random.nextInt(8) > 0) {
      close(messages, false, name);
    }
    String sql = random.nextInt(12) == 0 ? one(ABOUT_NAMES) : texts.prepared();
    statements.put(name, sql);
    messages.parse(name, sql);
    if (random.nextInt(3) == 0) {
      messages.about((byte) 'D', 'S', name);
    }
  }

  private void bind(Messages messages, String name, String portal) {
    String sql = statements.getOrDefault(name, "");
    boolean needed = sql.contains("$1");
    boolean given = random.nextInt(30) == 0 ? !needed : needed;
    String value = random.nextInt(12) == 0 ? null : String.valueOf(1 + random.nextInt(4));
    if (!portal.isEmpty() && portals.containsKey(portal) && random.nextInt(8) > 0) {
      close(messages, true, portal);
    }
    portals.put(portal, sql);
    int[] formats = random.nextInt(5) == 0 ? new int[] {random.nextInt(2)} : new int[0];
    messages.bind(portal, name, given ? new String[] {value} : new String[0], formats);
    if (random.nextInt(3) == 0) {
      messages.about((byte) 'D', 'P', portal);
    }
  }

  private void execute(Messages messages) {
    String portal = known(true);
    String sql = portals.getOrDefault(portal, "");
    messages.execute(portal, random.nextInt(2) == 0 ? 1 + random.nextInt(2) : 0);
    // A write that is done is seldom executed again: its answer is a known difference.
    if (!sql.startsWith("SELECT") && random.nextInt(12) > 0) {
      portals.remove(portal);
    }
    if (random.nextInt(5) == 0) {
      messages.about((byte) 'D', 'P', portal);
    }
  }

  private void close(Messages messages, boolean portal, String name) {
    (portal ? portals : statements).remove(name);
    messages.about((byte) 'C', portal ? 'P' : 'S', name);
  }

  /** Statements of one Query message, sometimes several. */
  String simple() {
    StringBuilder all = new StringBuilder();
    for (int i = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1; i > 0; i--) {
      String sql = about(random.nextInt(12), texts.statement());
      all.append(all.isEmpty() ? "" : sql.contains("--") ? "" : "; ").append(sql);
      if (sql.contains("--")) {
        break;
      }
    }
    return all.toString();
  }

  private String about(int kind, String other) {
    return kind == 0 ? one(ABOUT_PORTALS) : kind == 1 ? one(ABOUT_NAMES) : other;
  }

  private void call(Messages messages) {
    String value = random.nextInt(6) == 0 ? "none" : String.valueOf(1 + random.nextInt(3));
    messages.functionCall(random.nextInt(8) == 0 ? 1 : function, value);
  }

  private void copyIn(Messages messages) {
    if (random.nextBoolean()) {
      portals.remove("");
      messages.query(
          one(
              List.of(
                  "COPY acc (k, v) FROM STDIN",
                  "SELECT v FROM acc WHERE k = 1; COPY acc (k, v) FROM STDIN",
                  "COPY acc (k, v) FROM STDIN; UPDATE acc SET v = v + 1 WHERE k = 1",
                  "COPY acc (k, v) FROM STDIN; COPY acc (k, v) FROM STDIN",
                  "COPY nothing FROM STDIN")));
    } else {
      messages.parse("", "COPY acc (k, v) FROM STDIN").bind("", "", new String[0]);
      messages.execute("", random.nextInt(2));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      String row = random.nextInt(6) == 0 ? "no row" : (200 + random.nextInt(20)) + "\t1";
      messages.copyData(row + "\n");
      if (random.nextInt(4) == 0) {
        messages.flush();
      }
    }
    if (random.nextInt(4) == 0) {
      messages.copyFail();
    } else {
      messages.copyDone();
    }
    if (random.nextInt(6) == 0) {
      stray(messages);
    }
  }

  private void stray(Messages messages) {
    switch (random.nextInt(3)) {
      case 0 -> messages.copyData("5\t5\n");
      case 1 -> messages.copyDone();
      default -> messages.copyFail();
    }
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}

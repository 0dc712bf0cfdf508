package io.isotail.ingest.jdbc;

import io.isotail.ingest.postgres.RawClient.Messages;
import java.util.List;
import java.util.Random;

/** What a client of the wire protocol may send, drawn at random: well-behaved and not. */
final class RandomConversations {
  private static final List<String> CONTROLS =
      List.of(
          "BEGIN",
          "BEGIN ISOLATION LEVEL REPEATABLE READ",
          "COMMIT",
          "COMMIT AND CHAIN",
          "ROLLBACK",
          "SAVEPOINT a",
          "ROLLBACK TO a",
          "RELEASE a",
          "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE");

  private static final List<String> WRONG =
      List.of(
          "SELEC 1",
          "SELECT nope FROM acc",
          "SELECT k / 0 FROM acc WHERE k = 1",
          "SELECT 1 / (k - 2) FROM acc ORDER BY k",
          "INSERT INTO acc VALUES (1, 1, 'there')",
          "UPDATE acc SET v = v + 1 WHERE nope = 1",
          "UPDATE acc SET v = 1 / (v - v) WHERE k = 1",
          "");

  private static final List<String> MORE =
      List.of(
          "SELECT * FROM acc WHERE k = 1; UPDATE acc SET v = v + 1 WHERE k = 1",
          "BEGIN; UPDATE acc SET v = v + 1 WHERE k = 2; COMMIT",
          "COPY acc (k, v) TO STDOUT",
          "DECLARE c CURSOR FOR SELECT * FROM acc ORDER BY k",
          "DECLARE h CURSOR WITH HOLD FOR SELECT v FROM acc ORDER BY k",
          "FETCH 2 FROM c",
          "FETCH ALL FROM h",
          "EXECUTE one",
          "EXECUTE two(1)",
          "SET search_path = hidden, public",
          "SHOW search_path",
          "LISTEN x",
          "NOTIFY x, 'y'",
          "SET client_encoding = 'LATIN1'",
          "RESET client_encoding",
          "DO $$ BEGIN RAISE NOTICE 'noted'; END $$",
          "SELECT add_one(1)",
          "DO 'BEGIN UPDATE acc SET v = v + 1 WHERE k = 3; END'",
          "UPDATE audited SET v = 5 WHERE k = 1",
          "DELETE FROM parent WHERE k = 1",
          "DEALLOCATE ALL",
          "DEALLOCATE one",
          "DEALLOCATE two",
          "PREPARE one AS SELECT v, w, k FROM acc ORDER BY k",
          "PREPARE two(int) AS UPDATE acc SET v = v + 1 WHERE k = $1",
          "DEALLOCATE one; PREPARE one AS SELECT v, w, k FROM acc ORDER BY k",
          "DECLARE p CURSOR FOR SELECT v, w FROM acc ORDER BY k",
          "FETCH 2 FROM p",
          "CLOSE p",
          "DISCARD PLANS");

  private static final List<String> WITH_PARAMETERS =
      List.of(
          "SELECT * FROM acc WHERE k = $1",
          "SELECT v, w FROM acc WHERE k > $1 ORDER BY k",
          "SELECT a.v, u.v FROM acc a LEFT JOIN uniq u ON a.k = u.k WHERE a.k = $1 FOR UPDATE OF a",
          "SELECT count(*), sum(v) FROM acc WHERE k = $1",
          "UPDATE acc SET v = v + 1 WHERE k = $1",
          "UPDATE acc SET v = v + 1 WHERE k = $1 RETURNING v, k",
          "INSERT INTO acc (k, v) VALUES ($1 + 100, 7)",
          "INSERT INTO acc (k, v) VALUES ($1, 7) ON CONFLICT (k) DO UPDATE SET v = 8",
          "DELETE FROM acc WHERE k = $1",
          "WITH d AS (DELETE FROM acc WHERE k = $1 RETURNING *) SELECT * FROM d",
          "SELECT * FROM \"Odd Table\" WHERE \"Id\" = $1",
          "UPDATE part SET v = 9 WHERE k = $1",
          "SELECT $1::int");

  private final Random random;
  private final RandomPipelines pipelines;

  /**
   * Conversations.
   *
   * @param function oid of a function that takes a bigint
   */
  RandomConversations(Random random, int function) {
    this.random = random;
    this.pipelines = new RandomPipelines(random, this, function);
  }

  /** Messages that a client sends at once, with a mark at their end. */
  Messages burst() {
    Messages messages = new Messages();
    if (random.nextBoolean()) {
      return simpleBurst(messages);
    }
    if (random.nextInt(4) == 0) {
      pipelines.flushed(messages);
      return messages.flushedEnd();
    }
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      pipelines.group(messages);
      if (random.nextInt(3) > 0) {
        messages.sync();
      }
    }
    return messages.end();
  }

  private Messages simpleBurst(Messages messages) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      switch (random.nextInt(8)) {
        case 0, 1 -> messages.query(statement());
        case 2 -> messages.query(pipelines.simple());
        case 3 -> copy(messages);
        default -> extended(messages);
      }
    }
    return messages.end();
  }

  /** A statement, of which every second takes a parameter. */
  String prepared() {
    return random.nextBoolean() ? one(WITH_PARAMETERS) : statement();
  }

  /** A statement without parameters. */
  String statement() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> one(CONTROLS);
      case 2 -> one(WRONG);
      case 3 -> one(MORE);
      case 4, 5 -> one(WITH_PARAMETERS).replace("$1", String.valueOf(1 + random.nextInt(4)));
      default -> one(ComparedStatements.STATEMENTS).replace("public.acc", "hidden.acc");
    };
  }

  private void copy(Messages messages) {
    String sql = "COPY acc (k, v) FROM STDIN";
    boolean simple = random.nextBoolean();
    boolean early = random.nextBoolean();
    if (simple) {
      messages.query(sql);
    } else {
      messages.parse("", sql).bind("", "", new String[0]).execute("", 0);
      if (early) {
        messages.syncInCopy();
      }
    }
    int rows = random.nextInt(3);
    for (int i = 0; i < rows; i++) {
      boolean wrong = random.nextInt(6) == 0;
      messages.copyData((wrong ? "x" : 200 + random.nextInt(20)) + "\t" + i + "\n");
      if (random.nextInt(4) == 0) {
        messages.syncInCopy();
      }
    }
    if (random.nextInt(4) == 0) {
      messages.copyFail();
    } else {
      messages.copyDone();
    }
    if (!simple) {
      messages.sync();
    }
  }

  private void extended(Messages messages) {
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      execution(messages);
      if (random.nextInt(6) == 0) {
        messages.flush();
      }
      if (random.nextInt(4) == 0) {
        messages.sync();
      }
    }
    messages.sync();
  }

  private void execution(Messages messages) {
    boolean parameters = random.nextInt(3) > 0;
    String sql = parameters ? one(WITH_PARAMETERS) : statement();
    String name = random.nextInt(3) == 0 ? (parameters ? "two" : "one") : "";
    String portal = random.nextInt(4) == 0 ? "p" : "";
    boolean parses = name.isEmpty() || random.nextBoolean();
    if (parses) {
      if (!name.isEmpty() && random.nextBoolean()) {
        messages.about((byte) 'C', 'S', name);
      }
      messages.parse(name, sql);
    }
    if (random.nextInt(3) == 0) {
      messages.about((byte) 'D', 'S', name);
    }
    String[] values =
        parameters
            ? new String[] {random.nextInt(12) == 0 ? null : "" + (1 + random.nextInt(4))}
            : new String[0];
    switch (random.nextInt(5)) {
      case 0 -> messages.bind(portal, name, values, 1);
      case 1 -> {
        // Another number of formats than of columns is the client's fault, and is told so.
        boolean two = name.isEmpty() && sql.matches("SELECT (v, w|a.v|count).*|UPDATE.* = \\$1");
        messages.bind(portal, name, values, two ? new int[] {0, random.nextInt(2)} : new int[0]);
      }
      default -> messages.bind(portal, name, values);
    }
    if (random.nextInt(3) > 0) {
      messages.about((byte) 'D', 'P', portal);
    }
    // A write without RETURNING cannot be executed again, and one with it answers that it is done.
    boolean twice = sql.startsWith("SELECT") && !sql.contains(";") && random.nextInt(4) == 0;
    for (int i = twice ? 2 : 1; i > 0; i--) {
      messages.execute(portal, random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0);
    }
    if (random.nextInt(5) == 0) {
      messages.about((byte) 'C', 'P', portal);
    }
  }

  private String one(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random conversations of the wire protocol, first with the server and then through a captured
 * conversation, on the same rows: the client gets the same messages, and what is recorded is what
 * the server has.
 */
class WireConversationsIT {
  private static final int CONVERSATIONS = Integer.getInteger("isotail.random.conversations", 150);
  private static final long SEED =
      Long.getLong("isotail.random.seed", new Random().nextInt(1_000_000));
  private static final String SEARCH_PATH = "-c search_path=hidden";

  /** A version that a write did not tell. */
  private static final String UNTOLD = "?";

  private final RecordingSink sink = new RecordingSink();
  private long operations;
  private List<String> lastTalk = List.of();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
  }

  @Test
  void theClientGetsTheSameAndTheRecordIsTrue() throws Exception {
    List<String> wrong = new ArrayList<>();
    long messages = 0;
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    for (int i = 0; i < CONVERSATIONS && wrong.size() < 10; i++) {
      long seed = SEED + i;
      HiddenSchema.fill();
      Map<String, String> before = HiddenSchema.versions();
      List<String> expected = talk(DatabaseScenario.database.port(), seed);
      HiddenSchema.fill();
      before = HiddenSchema.versions();
      sink.clear();
      // A statement that is refused, here for its own fault, leaves the tables unknown for a while.
      try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), config, sink)) {
        List<String> actual = talk(relay.port(), seed);
        lastTalk = actual;
        String name = "-Disotail.random.seed=%d".formatted(seed);
        if (!differsAsKnown(expected, actual) && !actual.equals(expected)) {
          wrong.add(
              name
                  + HiddenSchema.difference(expected, actual)
                  + "\n    in "
                  + actual.stream().filter(line -> line.startsWith("sent")).toList());
        }
        // What is written through a view is of a writer who is not captured.
        if (actual.stream().noneMatch(line -> line.contains(" seen "))) {
          check(name, before, HiddenSchema.versions(), wrong);
        }
        if (relay.stats().of(CaptureStats.Event.INTERNAL_FAILURE) > 0) {
          wrong.add(name + " failed inside");
        }
        messages += expected.size();
      }
    }
    System.out.printf(
        "seed %d: %,d conversations, %,d messages of the server, %,d operations recorded%n",
        SEED, CONVERSATIONS, messages, operations);
    assertThat(wrong).isEmpty();
    assertThat(operations).isGreaterThan(CONVERSATIONS);
  }

  @Test
  void aWriteWhoseRowsNobodyDescribedIsNotForgotten() throws Exception {
    List<String> wrong = new ArrayList<>();
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    for (String write :
        List.of(
            "INSERT INTO part (v, k) VALUES (7, 8), (9, 500) RETURNING v",
            "INSERT INTO acc (v, k) VALUES (7, 8), (9, 500) RETURNING v",
            "UPDATE part SET v = 3 WHERE k = 1 RETURNING v",
            "DELETE FROM part WHERE k = 1 RETURNING v")) {
      HiddenSchema.fill();
      Map<String, String> before = HiddenSchema.versions();
      sink.clear();
      try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), config, sink);
          RawClient client = new RawClient(relay.port(), "postgres", SEARCH_PATH)) {
        Messages messages = new Messages().parse("", write).bind("", "", new String[0]);
        client.send(messages.execute("", 0).sync().bytes());
        client.read(messages.readies());
      }
      check(write, before, HiddenSchema.versions(), wrong);
    }
    assertThat(wrong).isEmpty();
    assertThat(operations).isPositive();
  }

  /**
   * Where a write has to return rows for isotail, the server minds mistakes of a client in another
   * way: it describes no such statement in a transaction that has failed, says that it is done
   * where it is executed again, and counts the columns that were added. And a limit of rows is
   * passed on or not by what a name stands for; a client that gives a name again, and sends on
   * without looking whether that has failed, has it mistaken.
   */
  private static boolean differsAsKnown(List<String> expected, List<String> actual) {
    int i = 0;
    while (i < expected.size() && i < actual.size() && expected.get(i).equals(actual.get(i))) {
      i++;
    }
    String plain = i < expected.size() ? expected.get(i) : "";
    String seen = i < actual.size() ? actual.get(i) : "";
    boolean limit =
        (seen.equals("s ") && plain.startsWith("C "))
            || (plain.equals("s ") && seen.startsWith("C "));
    List<String> burst = actual.subList(startOfBurst(actual, i), Math.min(i, actual.size()));
    boolean named = !burst.isEmpty() && burst.get(0).matches("(?s).*Parse (one|two):.*");
    boolean failed = burst.stream().anyMatch(line -> line.startsWith("E "));
    return limit && named && failed
        || seen.contains("Rexec_describe_statement_message")
        || (plain.contains("cannot be run") && seen.matches("C (UPDATE|DELETE|INSERT 0) 0.*"))
        || (plain.contains("result formats but query has")
            && seen.contains("result formats but query has"));
  }

  /** Where stands what the client has sent last before a place. */
  private static int startOfBurst(List<String> talk, int place) {
    int start = Math.min(place, talk.size() - 1);
    while (start > 0 && !talk.get(start).startsWith("sent ")) {
      start--;
    }
    return Math.max(start, 0);
  }

  /** What the server answers; after each burst stands what was sent. */
  private static List<String> talk(int port, long seed) throws IOException {
    Random random = new Random(seed);
    RandomConversations conversations = new RandomConversations(random);
    List<String> told = new ArrayList<>();
    String database = "postgres";
    try (RawClient client = new RawClient(port, database, SEARCH_PATH)) {
      for (int i = 1 + random.nextInt(5); i > 0; i--) {
        Messages messages = conversations.burst();
        told.add("sent " + messages);
        client.send(messages.bytes());
        told.addAll(client.read(messages.readies()));
      }
    } catch (IOException e) {
      told.add(e.toString());
    }
    return told;
  }

  /** Plays the records one after another, as the transactions were, and compares with the rows. */
  private void check(
      String name, Map<String, String> before, Map<String, String> after, List<String> wrong) {
    Map<String, String> rows = new HashMap<>(before);
    Set<String> doubted = new HashSet<>();
    for (TransactionRecord record : sink.records()) {
      operations += record.operations().size();
      Map<String, String> seen = new HashMap<>(rows);
      play(name, record.operations(), seen, doubted, wrong);
      if (record.outcome() == Outcome.COMMITTED || record.outcome() == Outcome.OPEN) {
        rows = seen;
      } else if (record.outcome() == Outcome.UNKNOWN) {
        for (int i = 0; i < record.operations().size(); i++) {
          doubted.add(table(record.operations(), i));
        }
      }
    }
    Set<String> all = new HashSet<>(rows.keySet());
    all.addAll(after.keySet());
    for (String row : all) {
      String told = rows.get(row);
      boolean concerns = before.containsKey(row) || after.containsKey(row);
      boolean doubt =
          doubted.contains("*") || doubted.contains(row.substring(0, row.lastIndexOf(' ')));
      if (concerns && !doubt && !UNTOLD.equals(told) && !Objects.equals(told, after.get(row))) {
        wrong.add(
            "%s%n    recorded %s=%s but it is %s: %s"
                    .formatted(name, row, told, after.get(row), sink.described())
                + String.join("\n", lastTalk));
      }
    }
  }

  private void play(
      String name,
      Operations ops,
      Map<String, String> rows,
      Set<String> doubted,
      List<String> wrong) {
    Set<String> mine = new HashSet<>();
    for (int i = 0; i < ops.size(); i++) {
      String row = table(ops, i) + " " + ops.keyName(i);
      if (ops.kind(i) == OperationKind.OPAQUE) {
        doubted.add(table(ops, i));
      } else if (ops.kind(i) == OperationKind.READ) {
        String had = rows.get(row);
        String read = ops.versionKind(i) == VersionKind.KNOWN ? ops.versionName(i) : null;
        boolean doubt = doubted.contains("*") || doubted.contains(table(ops, i));
        boolean same = Objects.equals(read, had) || UNTOLD.equals(had) || mine.contains(read);
        if (!doubt && !ops.undone(i) && !same && ops.keyName(i) != null) {
          wrong.add(
              "%s%n    read %s=%s but the server had %s: %s"
                  .formatted(name, row, read, had, sink.described()));
        }
      } else if (!ops.undone(i) && ops.keyName(i) != null) {
        boolean deletes = ops.kind(i) == OperationKind.DELETE;
        String version = ops.versionKind(i) == VersionKind.KNOWN ? ops.versionName(i) : UNTOLD;
        rows.put(row, deletes ? null : version);
        mine.add(version);
      }
    }
  }

  private static String table(Operations ops, int i) {
    String table = ops.statement(i).table();
    return table == null ? "*" : table;
  }
}

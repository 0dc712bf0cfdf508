package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.postgres.TestRelay;
import io.isotail.ingest.proxy.Await;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.sql.ObservedTables;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random conversations of the wire protocol, first with the server and then through a captured
 * conversation, on the same rows: the client gets the same messages, and what is recorded is what
 * the server has.
 */
class WireConversationsIT {
  private static final int CONVERSATIONS = Integer.getInteger("isotail.random.conversations", 50);

  /** One of so many goes over the sockets of a real proxy. */
  private static final int SHARE_OF_SOCKETS = 3;

  private static final long SEED = Seeds.FRESH;

  /** A version that a write did not tell. */
  private static final String UNTOLD = "?";

  private static WireTalk talk;

  private RecordingSink sink = new RecordingSink();
  private long operations;
  private List<String> lastTalk = List.of();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
    talk = new WireTalk();
  }

  @Test
  void theClientGetsTheSameAndTheRecordIsTrue() throws Exception {
    List<String> wrong = new ArrayList<>();
    Map<String, Integer> differences = new TreeMap<>();
    long messages = 0;
    CaptureConfig config = CaptureConfig.of("any", new ObservedTables(List.of())).withClearNames();
    AtomicReference<Capture> current = new AtomicReference<>();
    try (ProxyServer proxy = proxy(current)) {
      for (int i = 0; i < CONVERSATIONS && wrong.size() < 10; i++) {
        long seed = SEED + i;
        HiddenSchema.fill();
        List<String> expected =
            talk.talk(DatabaseScenario.database.port(), seed, Seeds.random(seed));
        talk.awaitNoSession();
        if (WireTalk.isCrash(expected)) {
          differences.merge("crash of the server without a proxy", 1, Integer::sum);
          continue;
        }
        HiddenSchema.fill();
        Map<String, String> before = HiddenSchema.versions();
        sink = new RecordingSink();
        List<String> actual;
        // A statement that is refused, here for its own fault, leaves the tables unknown for a
        // while.
        Capture capture = new Capture(config, sink, "proxy");
        if (i % SHARE_OF_SOCKETS == 0) {
          current.set(capture);
          actual = talk.talk(proxy.port(), seed, Seeds.random(seed));
          Await.until("no connection is left", () -> proxy.stats().open() == 0);
          talk.awaitNoSession();
        } else {
          try (TestRelay relay = new TestRelay(DatabaseScenario.database.port(), capture)) {
            actual = talk.talk(relay.port(), seed, Seeds.random(seed));
          }
        }
        lastTalk = actual;
        String name = "-Disotail.random.seed=%d".formatted(seed);
        String difference = actual.equals(expected) ? null : WireTalk.known(expected, actual);
        if (difference != null) {
          differences.merge(difference, 1, Integer::sum);
        } else if (!actual.equals(expected)) {
          wrong.add(name + WireTalk.described(expected, actual));
        }
        // What is written through a view is of a writer who is not captured.
        if (actual.stream().noneMatch(line -> line.contains(" seen "))) {
          check(name, before, HiddenSchema.versions(), wrong);
        }
        if (capture.stats().of(CaptureStats.Event.INTERNAL_FAILURE) > 0) {
          wrong.add(name + " failed inside");
        }
        messages += expected.size();
      }
      for (Count none :
          List.of(Count.CONVERSATION_FAILURES, Count.INTERNAL_FAILURES, Count.FRAMING_LOST)) {
        assertThat(proxy.stats().get(none)).as("%s; seed %d", none, SEED).isZero();
      }
    }
    System.out.printf(
        "seed %d: %,d conversations, %,d messages of the server, %,d operations recorded;"
            + " known differences %s%n",
        SEED, CONVERSATIONS, messages, operations, differences);
    assertThat(wrong).isEmpty();
    assertThat(operations).isGreaterThan(CONVERSATIONS);
  }

  /** A proxy whose next connection has the capture that is set here. */
  private static ProxyServer proxy(AtomicReference<Capture> capture) {
    return ProxyServer.start(
        ProxyConfig.of(
            new Address("127.0.0.1", 0),
            new Address("127.0.0.1", DatabaseScenario.database.port())),
        (parameters, host) ->
            CapturedConversations.of(Objects.requireNonNull(capture.get())).open(parameters, host));
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
          RawClient client = new RawClient(relay.port(), "postgres", WireTalk.SEARCH_PATH)) {
        Messages messages = new Messages().parse("", write).bind("", "", new String[0]);
        client.send(messages.execute("", 0).sync().bytes());
        client.read(messages.readies());
      }
      check(write, before, HiddenSchema.versions(), wrong);
    }
    assertThat(wrong).isEmpty();
    assertThat(operations).isPositive();
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

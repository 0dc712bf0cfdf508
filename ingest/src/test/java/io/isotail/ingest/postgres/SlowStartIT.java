package io.isotail.ingest.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;
import io.isotail.ingest.capture.AwaitedStream;
import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.OpenConnections;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The first statements of connections to a server that answers isotail's questions late. */
final class SlowStartIT {
  private static final int PATIENCE_MS = 20_000;
  private static final String UPDATE = "UPDATE orders SET total = total + 1 WHERE id = 1";

  /** More than are made for the messages of one statement that does not wait. */
  private static final int LOOKS = 8;

  private static EmbeddedDatabase database;

  private final RecordingSink sink = new RecordingSink();
  private GatedServer server;
  private Capture capture;
  private TestRelay relay;

  @BeforeAll
  static void startDatabase() throws Exception {
    database = EmbeddedDatabase.start();
    try (Connection direct = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = direct.createStatement()) {
      statement.execute("CREATE TABLE orders (id int PRIMARY KEY, total int)");
      statement.execute("INSERT INTO orders VALUES (1, 10), (2, 20)");
    }
  }

  @AfterAll
  static void stopDatabase() throws IOException {
    database.close();
  }

  @BeforeEach
  void start() throws IOException {
    server = new GatedServer(database.port());
    capture = new Capture(CaptureConfig.of("slow", ObservedTables.parse("")), sink, "proxy");
    relay = new TestRelay(server.port(), capture);
  }

  @AfterEach
  void stop() throws IOException {
    relay.close();
    server.close();
  }

  private RawClient connect() throws IOException {
    return new RawClient(relay.port(), "postgres", "");
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        Assertions.fail("not within %d ms: %s".formatted(PATIENCE_MS, what));
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private List<TransactionRecord> awaitRecords(int count) throws InterruptedException {
    await(count + " records", () -> sink.records().size() >= count);
    return sink.records();
  }

  /** Whether the last write of a transaction has told its version. */
  private static boolean isKnown(TransactionRecord of) {
    Operations operations = of.operations();
    return operations.versionKind(operations.size() - 1) == VersionKind.KNOWN;
  }

  /** The tables are known from a connection before. */
  private void makeKnown() throws Exception {
    try (RawClient client = connect()) {
      client.send(new Messages().query(UPDATE).bytes());
      assertThat(client.read(1)).contains("C UPDATE 1\\0");
    }
    awaitRecords(1);
  }

  @Test
  void theServerIsAskedAlthoughTheClientSaysNothing() throws Exception {
    server.shut();
    try (RawClient client = connect()) {
      await("a question", () -> server.came().contains("isotail_question"));
      server.open();
      client.send(new Messages().query(UPDATE).bytes());
      assertThat(client.read(1)).contains("C UPDATE 1\\0");
    }
    assertThat(isKnown(awaitRecords(1).get(0))).isTrue();
  }

  @Test
  void whatIsSentTogetherGoesOnTogether() throws Exception {
    makeKnown();
    server.shut();
    try (RawClient client = connect()) {
      client.send(
          new Messages()
              .parse("s", "UPDATE orders SET total = $1 WHERE id = 2")
              .bind("", "s", new String[] {"8"})
              .execute("", 0)
              .sync()
              .query("SELECT total FROM orders WHERE id = 2")
              .bytes());
      server.open();
      assertThat(client.read(2)).contains("C UPDATE 1\\0", "C SELECT 1\\0");
    }
  }

  @Test
  void theFirstStatementOfAllWaitsOrItsWriteWouldBeUnseen() throws Exception {
    server.shut();
    try (RawClient client = new RawClient(relay.port(), "postgres", "", 500)) {
      client.send(new Messages().query(UPDATE).bytes());
      Assertions.assertThatExceptionOfType(SocketTimeoutException.class)
          .isThrownBy(() -> client.read(1));
      assertThat(server.came()).doesNotContain("UPDATE");
      server.open();
      client.socket().setSoTimeout(PATIENCE_MS);
      assertThat(client.read(1)).contains("C UPDATE 1\\0");
    }
    assertThat(isKnown(awaitRecords(1).get(0))).isTrue();
  }

  @Test
  void onlyACommitOfWhatWasWrittenWaitsForTheStream() throws Exception {
    List<Messages> waiting =
        List.of(
            new Messages().query(UPDATE),
            new Messages().parse("", UPDATE).bind("", "", new String[0]).execute("", 0).sync(),
            new Messages().query("COMMIT"),
            new Messages().parse("", "COMMIT").bind("", "", new String[0]).execute("", 0).sync());
    for (int i = 0; i < waiting.size(); i++) {
      AwaitedStream stream = new AwaitedStream();
      CaptureConfig config = CaptureConfig.of("awaited", ObservedTables.parse(""));
      try (TestRelay awaiting = new TestRelay(server.port(), stream.capture(config, sink));
          RawClient client = new RawClient(awaiting.port(), "postgres", "")) {
        client.send(new Messages().query("SELECT total FROM orders WHERE id = 1").bytes());
        client.read(1);
        if (i >= 2) {
          for (String sql : List.of("BEGIN", UPDATE, "ROLLBACK", "BEGIN", UPDATE)) {
            client.send(new Messages().query(sql).bytes());
            client.read(1);
          }
        }
        int before = server.came().length();
        long looks = stream.looks();
        client.send(waiting.get(i).bytes());
        await("the wait", () -> stream.looks() > looks + LOOKS);
        assertThat(server.came().substring(before))
            .as("a Query or a Sync")
            .doesNotContain("Q\0", "S\0\0\0\4");
        stream.begin();
        assertThat(client.read(1)).contains(i < 2 ? "C UPDATE 1\\0" : "C COMMIT\\0");
      }
    }
  }

  @Test
  void whatIsExecutedByANameOfTheProtocolWaitsForTheStreamToo() throws Exception {
    String[] none = {};
    Messages fetch =
        new Messages()
            .parse("w", UPDATE + " RETURNING id")
            .bind("p", "w", none)
            .parse("f", "FETCH ALL FROM p")
            .bind("", "f", none)
            .execute("", 0);
    Messages commit = new Messages().parse("", "COMMIT").bind("", "", none).execute("", 0).sync();
    assertWaits(List.of(), new Messages().add(fetch).sync());
    assertWaits(List.of("BEGIN"), new Messages().add(fetch).add(commit));
    assertWaits(List.of("BEGIN", UPDATE), new Messages().parse("c", "COMMIT").query("EXECUTE c"));
    assertWaits(
        List.of("BEGIN", UPDATE),
        new Messages()
            .parse("c", "COMMIT")
            .parse("", "EXECUTE c")
            .bind("", "", none)
            .execute("", 0)
            .sync());
  }

  /** The last statement that messages execute is not sent before the stream begins. */
  private void assertWaits(List<String> before, Messages messages) throws Exception {
    AwaitedStream stream = new AwaitedStream();
    CaptureConfig config = CaptureConfig.of("awaited", ObservedTables.parse(""));
    try (TestRelay awaiting = new TestRelay(server.port(), stream.capture(config, sink));
        RawClient client = new RawClient(awaiting.port(), "postgres", "")) {
      client.send(new Messages().query("SELECT total FROM orders WHERE id = 1").bytes());
      client.read(1);
      for (String sql : before) {
        client.send(new Messages().query(sql).bytes());
        client.read(1);
      }
      int came = server.came().length();
      long looks = stream.looks();
      client.send(messages.bytes());
      await("the wait", () -> stream.looks() > looks + LOOKS);
      assertThat(server.came().substring(came))
          .as("a Query or a Sync")
          .doesNotContain("Q\0", "S\0\0\0\4");
      stream.begin();
      assertThat(client.read(1)).isNotEmpty();
    }
  }

  @Test
  void aConnectionThatEndsWhileTheServerIsAskedLeavesNothing() throws Exception {
    makeKnown();
    for (int i = 0; i < 20; i++) {
      server.shut();
      try (RawClient client = connect()) {
        if (i % 3 == 0) {
          client.send(new Messages().query(UPDATE).bytes());
        }
        if (i % 2 == 0) {
          server.die();
          assertThat(client.readToEnd(false)).contains(RawClient.GONE);
        }
      } finally {
        server.open();
      }
    }
    await("no session is left", () -> OpenConnections.of(capture) == 0);
  }
}

package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.AwaitedStream;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.OpenTransactions;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** First writes through a proxy whose stream has not begun. */
final class FirstWriteIT {
  /** More than the proxy has threads for what may wait. */
  private static final int MANY = 3 * ProxyConfig.DEFAULT_WORKERS;

  /** More looks than are made for the messages of one statement that does not wait. */
  private static final int LOOKS = 8;

  private static final String UPDATE = "UPDATE orders SET total = total + 1 WHERE id = 1";
  private static final String READ = "SELECT total FROM orders WHERE id = 1";
  private static EmbeddedDatabase database;

  private final AwaitedStream stream = new AwaitedStream();
  private final OpenTransactions sink = new OpenTransactions();
  private final CapturedConversations conversations =
      CapturedConversations.of(
          stream.capture(CaptureConfig.of("first", ObservedTables.parse("")), sink));
  private ProxyServer proxy;

  @BeforeAll
  static void startDatabase() throws Exception {
    database = EmbeddedDatabase.start();
    try (Connection direct = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = direct.createStatement()) {
      statement.execute("CREATE TABLE orders (id int PRIMARY KEY, total int)");
      statement.execute("INSERT INTO orders VALUES (1, 10), (2, 20)");
      statement.execute(
          "CREATE FUNCTION slow() RETURNS int LANGUAGE plpgsql"
              + " AS 'BEGIN PERFORM pg_sleep(60); RETURN 1; END'");
    }
  }

  @AfterAll
  static void stopDatabase() throws IOException {
    database.close();
  }

  @BeforeEach
  void start() {
    proxy =
        ProxyServer.start(
            ProxyConfig.of(new Address("127.0.0.1", 0), new Address("127.0.0.1", database.port())),
            conversations);
  }

  @AfterEach
  void stop() {
    stream.begin();
    Await.until("no connection is left", () -> proxy.stats().open() == 0);
    Await.until("every transaction has its end", () -> sink.open().isEmpty());
    assertThat(proxy.stats().get(Count.CONVERSATION_FAILURES)).isZero();
    assertThat(proxy.stats().get(Count.INTERNAL_FAILURES)).isZero();
    proxy.close();
  }

  private RawClient connect() throws IOException {
    return new RawClient(proxy.port(), "postgres", "");
  }

  private void awaitHeld() {
    long before = stream.looks();
    Await.until("it is looked again", () -> stream.looks() > before + LOOKS);
  }

  /** A row as everybody sees it. */
  private static int total(int id) throws SQLException {
    try (Connection direct = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = direct.createStatement();
        ResultSet row = statement.executeQuery("SELECT total FROM orders WHERE id = " + id)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** The server has not heard of the statement yet. */
  @Test
  void aRequestToCancelWaitsForAStatementThatIsHeld() throws Exception {
    try (RawClient client = connect()) {
      client.send(new Messages().query("SELECT slow()").bytes());
      awaitHeld();
      try (Socket other = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        other.getOutputStream().write(Packets.cancel(client.pid(), client.secret()));
        awaitHeld();
        assertThat(proxy.stats().get(Count.CANCELS)).isZero();
        stream.begin();
        assertThat(other.getInputStream().read()).as("closed as the server does").isEqualTo(-1);
      }
      assertThat(client.read(1)).anyMatch(message -> message.contains("57014"));
    }
  }

  /** What was sent while the client was held is in its socket, where nobody has read it. */
  @Test
  void aRequestToCancelWaitsForAStatementThatWasNotRead() throws Exception {
    try (RawClient client = connect()) {
      client.send(new Messages().query(UPDATE).bytes());
      awaitHeld();
      client.send(new Messages().query("SELECT pg_sleep(60)").bytes());
      try (Socket other = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        other.getOutputStream().write(Packets.cancel(client.pid(), client.secret()));
        awaitHeld();
        stream.begin();
        assertThat(other.getInputStream().read()).as("closed as the server does").isEqualTo(-1);
      }
      assertThat(client.read(2)).anyMatch(message -> message.contains("57014"));
    }
  }

  /** The client is held, and the server has heard of its statement all the same. */
  @Test
  void aRequestToCancelReachesACopyThatWaits() throws Exception {
    stream.begin();
    try (Connection other = DriverManager.getConnection(database.jdbcUrl());
        Statement locks = other.createStatement();
        RawClient client = connect()) {
      other.setAutoCommit(false);
      locks.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
      client.send(new Messages().query("COPY orders FROM STDIN").bytes());
      Await.until("it waits for the lock", () -> waiting(client.pid()));
      long beforeNs = System.nanoTime();
      try (Socket cancel = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
        cancel.getOutputStream().write(Packets.cancel(client.pid(), client.secret()));
        assertThat(client.read(1)).anyMatch(message -> message.contains("57014"));
      }
      assertThat(System.nanoTime() - beforeNs).isLessThan(TimeUnit.SECONDS.toNanos(4));
    }
  }

  private static boolean waiting(int pid) {
    try (Connection direct = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = direct.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = " + pid)) {
      row.next();
      return row.getInt(1) > 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void noThreadSleepsForAClientWhoseFirstWriteWaits() throws Exception {
    int before = total(1);
    List<RawClient> waiting = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        RawClient client = connect();
        waiting.add(client);
        client.send(new Messages().query(UPDATE).bytes());
      }
      awaitHeld();
      for (int i = 0; i < 3; i++) {
        try (RawClient reader = connect()) {
          reader.send(new Messages().query(READ).bytes());
          assertThat(reader.read(1)).contains("C SELECT 1\\0");
        }
      }
      assertThat(total(1)).isEqualTo(before);
      stream.begin();
      for (RawClient client : waiting) {
        assertThat(client.read(1)).contains("C UPDATE 1\\0");
      }
    } finally {
      for (RawClient client : waiting) {
        client.close();
      }
    }
  }

  @Test
  void aQueryTooLongToBeReadWaitsToo() throws Exception {
    int before = total(2);
    try (RawClient client = connect()) {
      client.send(new Messages().query(READ).bytes());
      client.read(1);
      byte[] update =
          new Messages()
              .query("UPDATE orders SET total = total + 1 WHERE id = 2 --" + "x".repeat(17 << 20))
              .bytes();
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(client, update));
      awaitHeld();
      assertThat(total(2)).isEqualTo(before);
      stream.begin();
      assertThat(client.read(1)).contains("C UPDATE 1\\0");
      sent.get(20, TimeUnit.SECONDS);
    }
    assertThat(total(2)).isEqualTo(before + 1);
  }

  private static void send(RawClient client, byte[] messages) {
    try {
      client.send(messages);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

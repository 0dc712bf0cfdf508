package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A COPY that is refused while its client is in the middle of a message of rows: what the proxy
 * asks the server must not come between the parts of that message.
 */
final class RefusedCopyIT {
  private static final String COPY = "COPY orders FROM STDIN";
  private static final String READ = "SELECT total FROM orders WHERE id = 1";
  private static final int ROWS = 2_000;
  private static EmbeddedDatabase database;
  private static int tables;

  private CapturedProxy proxy;

  @BeforeAll
  static void startDatabase() throws IOException {
    database = EmbeddedDatabase.start();
  }

  @AfterAll
  static void stopDatabase() throws IOException {
    database.close();
  }

  @BeforeEach
  void start() throws IOException {
    proxy = new CapturedProxy(database.port());
    try (RawClient client = connect()) {
      client.send(
          new Messages()
              .query("DROP TABLE IF EXISTS orders")
              .query("CREATE TABLE orders (id int PRIMARY KEY, total int)")
              .query("INSERT INTO orders VALUES (1, 10)")
              .query(READ)
              .bytes());
      client.read(4);
    }
  }

  @AfterEach
  void stop() {
    proxy.awaitNone(0);
    proxy.check(0, false);
    proxy.close();
  }

  private RawClient connect() throws IOException {
    return new RawClient(proxy.port(), "postgres", "");
  }

  /** Another table is observed from then on: each session has to ask what its names mean. */
  private void makeEverySessionAsk() throws IOException {
    String table = "more" + tables++;
    try (RawClient other = connect()) {
      other.send(
          new Messages().query("CREATE TABLE %s (id int PRIMARY KEY)".formatted(table)).bytes());
      other.read(1);
      Await.until("the table is observed", () -> isObserved(table, other));
    }
  }

  /** Whether a statement that reads a table is sent with more columns. */
  private static boolean isObserved(String table, RawClient client) {
    try {
      client.send(
          new Messages()
              .about((byte) 'C', 'S', "s")
              .parse("s", "SELECT id FROM " + table)
              .sync()
              .query("SELECT statement FROM pg_prepared_statements WHERE name = 's'")
              .bytes());
      return client.read(2).stream().anyMatch(each -> each.contains("xmin"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the proxy has begun to ask by now is asked when another client has had its answers. */
  private void letTheProxyAsk() throws IOException {
    for (int i = 0; i < 5; i++) {
      try (RawClient other = connect()) {
        other.send(new Messages().query(READ).bytes());
        other.read(1);
      }
    }
  }

  private static byte[] rows() {
    return new Messages().copyData("9\t9\n".repeat(ROWS)).bytes();
  }

  /**
   * Sends rows of which the server refuses the first, with half of a message behind it.
   *
   * @param later whether that half is sent only when the server has said so
   */
  private static void refuse(RawClient client, int readies, boolean later) throws IOException {
    byte[] rows = rows();
    byte[] half = Arrays.copyOf(rows, rows.length / 2);
    byte[] refused = new Messages().copyData("no number\n").bytes();
    client.send(later ? refused : Packets.join(refused, half));
    if (readies > 0) {
      assertThat(client.read(readies)).anyMatch(each -> each.contains("C22P02"));
    }
    if (later) {
      client.send(half);
    }
  }

  private static byte[] otherHalf() {
    byte[] rows = rows();
    return Arrays.copyOfRange(rows, rows.length / 2, rows.length);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void ofAQuery(boolean later) throws IOException {
    try (RawClient client = connect()) {
      client.send(new Messages().query(READ).query(COPY).bytes());
      client.read(1);
      makeEverySessionAsk();
      refuse(client, 1, later);
      letTheProxyAsk();
      client.send(
          Packets.join(otherHalf(), new Messages().copyDone().query(READ).query(READ).bytes()));
      assertThat(client.read(2)).filteredOn("C SELECT 1\\0"::equals).hasSize(2);
    }
  }

  @Test
  void ofAnExecuteWithASyncAmongTheRows() throws IOException {
    try (RawClient client = connect()) {
      client.send(
          new Messages()
              .query(READ)
              .parse("", COPY)
              .bind("", "", new String[0])
              .execute("", 0)
              .syncInCopy()
              .bytes());
      client.read(1);
      letTheProxyAsk();
      refuse(client, 0, false);
      letTheProxyAsk();
      client.send(Packets.join(otherHalf(), new Messages().copyDone().sync().query(READ).bytes()));
      List<String> answers = client.read(2);
      assertThat(answers).filteredOn(each -> each.contains("C22P02")).hasSize(1);
      assertThat(answers).filteredOn("C SELECT 1\\0"::equals).hasSize(1);
      client.send(new Messages().query(READ).bytes());
      assertThat(client.read(1)).contains("C SELECT 1\\0");
    }
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.RecordingSink;
import io.isotail.ingest.sql.ObservedTables;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

/** How often the driver waits for the server, beside the real driver alone. */
class ExchangesIT {
  private static final int TRANSACTIONS = 10;
  private static final String COPY = "COPY ";
  private static final String READ = "SELECT v FROM acc WHERE k = 1";

  private final RecordingSink sink = new RecordingSink();

  @BeforeEach
  void fill() throws Exception {
    DatabaseScenario.startDatabase();
    DatabaseScenario.direct(
        "DROP SCHEMA IF EXISTS exchanges CASCADE",
        "CREATE SCHEMA exchanges",
        "SET search_path TO exchanges",
        "CREATE TABLE acc (k int PRIMARY KEY, v int)",
        "INSERT INTO acc VALUES (1, 0), (2, 0)",
        "CREATE TABLE vote (phone int, acc int REFERENCES acc (k))",
        "CREATE TABLE fired (phone int)",
        "CREATE FUNCTION fires() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            + " UPDATE exchanges.acc SET v = v + 1 WHERE k = 2; RETURN NEW; END $$",
        "CREATE TRIGGER fires AFTER INSERT ON fired FOR EACH ROW EXECUTE FUNCTION fires()",
        "CREATE TABLE named (a int UNIQUE)",
        "CREATE TABLE follows (k int PRIMARY KEY, a int REFERENCES named (a) ON UPDATE CASCADE)",
        "INSERT INTO named VALUES (1)",
        "INSERT INTO follows VALUES (1, 1)",
        "CREATE TABLE parted (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE parted1 PARTITION OF parted FOR VALUES FROM (0) TO (9)",
        "CREATE VIEW seen AS SELECT k, v FROM acc");
  }

  /**
   * The id of a transaction is asked for where a later read may find it in a row, and only there.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|INSERT INTO vote VALUES (1, 1)",
        "0|SELECT v FROM acc WHERE k = 1;INSERT INTO vote VALUES (1, 1)",
        "0|INSERT INTO exchanges.vote VALUES (1, 1) RETURNING phone",
        "0|INSERT INTO vote SELECT 1, k FROM acc ON CONFLICT DO NOTHING",
        "0|UPDATE vote SET phone = 2",
        "0|DELETE FROM ONLY vote",
        "0|COPY vote FROM STDIN",
        "0|INSERT INTO parted VALUES (1)",
        "0|INSERT INTO named VALUES (7) ON CONFLICT DO NOTHING",
        "0|INSERT INTO acc VALUES (1, 1) ON CONFLICT DO NOTHING",
        "0|INSERT INTO acc VALUES (1, 1) ON CONFLICT (k) DO UPDATE SET v = 2;SELECT v FROM acc",
        "0|UPDATE acc SET v = 1 WHERE k = 77",
        "0|UPDATE acc SET v = 1 WHERE k = 1;INSERT INTO fired VALUES (1)",
        "1|INSERT INTO vote VALUES (1, 1);SELECT v FROM acc WHERE k = 1",
        "1|UPDATE acc SET v = 1 WHERE k = 77;SELECT v FROM acc WHERE k = 1",
        "1|INSERT INTO fired VALUES (1)",
        "1|INSERT INTO parted1 VALUES (1)",
        "1|UPDATE named SET a = a + 1",
        "1|UPDATE seen SET v = 1 WHERE k = 1",
        "1|WITH gone AS (DELETE FROM acc WHERE k = 7) INSERT INTO vote VALUES (1, 1)",
        "1|COPY acc FROM STDIN"
      })
  void a_transaction_is_asked_for_its_id(int more, String statements) throws Exception {
    int plain = exchanges(c -> c, statements);
    ConnectionWrapper wrapper =
        IsotailDriver.wrapper(
            CaptureConfig.of("any", new ObservedTables(List.of())), sink, "proxy");
    fill();
    int captured = exchanges(wrapper::wrap, statements);
    assertThat(captured - plain).as(sink.described().toString()).isEqualTo(more * TRANSACTIONS);
    assertThat(sink.records()).hasSize(TRANSACTIONS + 1);
    assertThat(wrapper.stats().of(CaptureStats.Event.INTERNAL_FAILURE)).isZero();
  }

  /** What makes a connection that the driver or the real one stands behind. */
  private interface Wrapping {
    Connection wrap(Connection real) throws SQLException;
  }

  private int exchanges(Wrapping wrapping, String statements) throws Exception {
    String url = DatabaseScenario.database.jdbcUrl() + "&currentSchema=exchanges&sslmode=disable";
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    try (CountingRelay relay = new CountingRelay(port);
        Connection c =
            wrapping.wrap(
                DriverManager.getConnection(url.replace(":" + port, ":" + relay.port())))) {
      c.setAutoCommit(false);
      DatabaseScenario.run(c, READ); // What is asked once is asked before.
      c.commit();
      int before = relay.exchanges();
      for (int i = 0; i < TRANSACTIONS; i++) {
        for (String sql : statements.split(";")) {
          run(c, sql, i);
        }
        c.commit();
      }
      return relay.exchanges() - before;
    }
  }

  private static void run(Connection c, String sql, int round) throws Exception {
    if (sql.startsWith(COPY)) {
      c.unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(sql, new StringReader((round + 10) + "\t1\n"));
    } else {
      DatabaseScenario.run(c, sql);
    }
  }

  /**
   * Passes on what a client and a server say, and counts the groups that the server has answered.
   */
  private static final class CountingRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    private final AtomicInteger exchanges = new AtomicInteger();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    CountingRelay(int serverPort) throws IOException {
      start(
          () -> {
            Socket client = listener.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.add(client);
            sockets.add(server);
            start(() -> client.getInputStream().transferTo(server.getOutputStream()));
            answers(
                new DataInputStream(server.getInputStream()),
                new DataOutputStream(client.getOutputStream()));
          });
    }

    private interface Pumping {
      void pump() throws IOException;
    }

    private static void start(Pumping pumping) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  pumping.pump();
                } catch (IOException e) {
                  // The connection is closed.
                }
              });
      thread.setDaemon(true);
      thread.start();
    }

    private void answers(DataInputStream server, DataOutputStream client) throws IOException {
      while (true) {
        byte type = server.readByte();
        byte[] rest = new byte[server.readInt() - 4];
        server.readFully(rest);
        exchanges.addAndGet(type == 'Z' ? 1 : 0);
        client.writeByte(type);
        client.writeInt(rest.length + 4);
        client.write(rest);
      }
    }

    int port() {
      return listener.getLocalPort();
    }

    int exchanges() {
      return exchanges.get();
    }

    @Override
    public void close() throws IOException {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.capture.OpenTransactions;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.proxy.Await;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random conversations through a proxy that the client or the server breaks off, most often in the
 * middle of a message: no connection and no session stays, and every transaction has its end.
 */
class WireBrokenIT {
  private static final int CONVERSATIONS = Integer.getInteger("isotail.random.conversations", 25);
  private static final long SEED =
      Long.getLong("isotail.random.seed", new Random().nextInt(1_000_000));

  /** Its answer does not fit into what sockets hold, so that it is broken off in a message. */
  private static final String LONG_ANSWER =
      "SELECT repeat('x', 9000), k FROM acc, generate_series(1, 3000)";

  private static WireTalk talk;

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
    HiddenSchema.fill();
    talk = new WireTalk();
  }

  @Test
  void nothingStays() throws Exception {
    OpenTransactions sink = new OpenTransactions();
    Capture capture =
        new Capture(CaptureConfig.of("any", new ObservedTables(List.of())), sink, "proxy");
    try (ProxyServer proxy =
        ProxyServer.start(
            ProxyConfig.of(
                new Address("127.0.0.1", 0),
                new Address("127.0.0.1", DatabaseScenario.database.port())),
            CapturedConversations.of(capture))) {
      for (int i = 0; i < CONVERSATIONS; i++) {
        converse(proxy.port(), new Random(SEED + i));
      }
      Await.until("no connection is left; seed " + SEED, () -> proxy.stats().open() == 0);
      talk.awaitNoSession();
      for (Count none :
          List.of(Count.CONVERSATION_FAILURES, Count.INTERNAL_FAILURES, Count.FRAMING_LOST)) {
        assertThat(proxy.stats().get(none)).as("%s; seed %d", none, SEED).isZero();
      }
      assertThat(capture.stats().of(CaptureStats.Event.INTERNAL_FAILURE))
          .as("a connection that is lost is no failure; seed %d", SEED)
          .isZero();
      try (RawClient client = new RawClient(proxy.port(), "postgres", WireTalk.SEARCH_PATH)) {
        client.send(new Messages().query("SELECT 1").bytes());
        assertThat(client.read(1)).as("it still serves").hasSize(4);
      }
    }
    System.out.printf(
        "seed %d: %,d conversations broken off, %,d transactions recorded%n",
        SEED, CONVERSATIONS, sink.ended());
    assertThat(sink.open()).as("transactions without an end; seed %d", SEED).isEmpty();
  }

  private static void converse(int port, Random random) {
    RandomConversations conversations = talk.conversations(random);
    Messages messages = conversations.burst();
    byte[] bytes = messages.bytes();
    if (random.nextInt(4) == 0) {
      bytes = new Messages().query(LONG_ANSWER).bytes();
    }
    int end = random.nextInt(4) == 0 ? bytes.length : random.nextInt(bytes.length);
    try (RawClient client = new RawClient(port, "postgres", WireTalk.SEARCH_PATH)) {
      Socket socket = client.socket();
      client.send(Arrays.copyOf(bytes, end), random);
      switch (random.nextInt(5)) {
        case 0 -> socket.setSoLinger(true, 0); // Closing resets it.
        case 1 -> {
          socket.shutdownOutput();
          drain(socket);
        }
        case 2 -> {
          DatabaseScenario.direct("SELECT pg_terminate_backend(%d)".formatted(client.pid()));
          drain(socket);
        }
        default -> {}
      }
    } catch (IOException | SQLException e) {
      // The server has ended it: it may.
    }
  }

  private static void drain(Socket socket) throws IOException {
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.proxy.CapturedProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random conversations through a proxy that the client or the server breaks off, most often in the
 * middle of a message: no connection and no session stays, and every transaction has its end.
 */
class WireBrokenIT {
  private static final int CONVERSATIONS = Integer.getInteger("isotail.random.conversations", 25);
  private static final long SEED = Seeds.FRESH;

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
    try (CapturedProxy proxy = new CapturedProxy(DatabaseScenario.database.port())) {
      for (int i = 0; i < CONVERSATIONS; i++) {
        converse(proxy.port(), Seeds.random(SEED + i));
      }
      proxy.awaitNone(SEED);
      talk.awaitNoSession();
      proxy.check(SEED, false);
      try (RawClient client = new RawClient(proxy.port(), "postgres", WireTalk.SEARCH_PATH)) {
        client.send(new Messages().query("SELECT 1").bytes());
        assertThat(client.read(1)).as("it still serves").hasSize(4);
      }
      System.out.printf(
          "seed %d: %,d conversations broken off, %,d transactions recorded%n",
          SEED, CONVERSATIONS, proxy.transactions().ended());
    }
  }

  /** The limit is the application's own, and isotail's questions are under it too. */
  @Test
  void aTimeOutThatEndsAQuestionIsNoFailure() throws Exception {
    try (CapturedProxy proxy = new CapturedProxy(DatabaseScenario.database.port())) {
      for (int i = 0; i < 10; i++) {
        try (RawClient client = new RawClient(proxy.port(), "postgres", "-c statement_timeout=1")) {
          client.send(new Messages().query("SELECT 1").bytes());
          assertThat(client.read(1)).as("it is answered, or told of the time-out").isNotEmpty();
        }
      }
      proxy.awaitNone(0);
      proxy.check(0, false);
    }
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

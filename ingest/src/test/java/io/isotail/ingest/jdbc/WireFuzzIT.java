package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.OpenTransactions;
import io.isotail.ingest.postgres.CapturedConversations;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.proxy.Await;
import io.isotail.ingest.proxy.ProxyConfig;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyServer;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ScriptedServer;
import io.isotail.ingest.sql.ObservedTables;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Captured conversations in which messages of both sides are spoilt: nothing fails, no connection
 * to either side stays, every transaction has its end.
 */
class WireFuzzIT {
  private static final int CONVERSATIONS = Integer.getInteger("isotail.random.conversations", 10);
  private static final long SEED =
      Long.getLong("isotail.random.seed", new Random().nextInt(1_000_000));

  /** How long a client waits for more, in ms. */
  private static final int PATIENCE_MS = 30;

  private static WireTalk talk;

  private final AtomicLong spoilt = new AtomicLong();
  private final AtomicLong served = new AtomicLong();

  @BeforeAll
  static void makeSchema() throws Exception {
    HiddenSchema.make();
    HiddenSchema.fill();
    talk = new WireTalk();
  }

  @Test
  void nothingFailsStaysOrGetsStuck() throws Exception {
    OpenTransactions sink = new OpenTransactions();
    Capture capture =
        new Capture(CaptureConfig.of("any", new ObservedTables(List.of())), sink, "proxy");
    try (ScriptedServer server = new ScriptedServer(this::spoil);
        ProxyServer proxy =
            ProxyServer.start(
                ProxyConfig.of(new Address("127.0.0.1", 0), server.address()),
                CapturedConversations.of(capture))) {
      for (int i = 0; i < CONVERSATIONS; i++) {
        converse(proxy.port(), new Random(SEED + i));
      }
      Await.until("no connection is left; seed " + SEED, () -> proxy.stats().open() == 0);
      Await.until("no session is left; seed " + SEED, () -> server.open() == 0);
      for (Count none : List.of(Count.CONVERSATION_FAILURES, Count.INTERNAL_FAILURES)) {
        assertThat(proxy.stats().get(none)).as("%s; seed %d", none, SEED).isZero();
      }
      System.out.printf(
          "seed %d: %,d conversations, %,d messages spoilt, %,d sides lost, %,d transactions%n",
          SEED, CONVERSATIONS, spoilt.get(), proxy.stats().get(Count.FRAMING_LOST), sink.ended());
    }
    assertThat(spoilt.get()).isGreaterThan(CONVERSATIONS / 4);
    assertThat(sink.open()).as("transactions without an end; seed %d", SEED).isEmpty();
  }

  /** The real server, whose messages are spoilt from one of them on. */
  private void spoil(Socket socket) throws IOException {
    Random random = new Random(SEED ^ served.incrementAndGet());
    int sound = random.nextInt(4) == 0 ? random.nextInt(30) : 60 + random.nextInt(60);
    WireMutations mutations = new WireMutations(random, 8 + random.nextInt(60));
    try (Socket server =
        new Socket(InetAddress.getLoopbackAddress(), DatabaseScenario.database.port())) {
      server.setTcpNoDelay(true);
      CompletableFuture<Void> requests = CompletableFuture.runAsync(() -> pass(socket, server));
      OutputStream out = socket.getOutputStream();
      byte[] message = WireMutations.read(server.getInputStream());
      for (int i = 0; message.length > 0; i++) {
        out.write(i < sound ? message : mutations.next(message));
        message = WireMutations.read(server.getInputStream());
      }
      socket.shutdownOutput();
      requests.join();
    } finally {
      spoilt.addAndGet(mutations.mutations());
    }
  }

  private static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // One of them is closed.
    }
  }

  private void converse(int port, Random random) throws IOException {
    RandomConversations conversations = talk.conversations(random);
    WireMutations mutations = new WireMutations(random, 3 + random.nextInt(60));
    try (RawClient client = new RawClient(port, "postgres", WireTalk.SEARCH_PATH, 1_000)) {
      client.socket().setSoTimeout(PATIENCE_MS);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        Messages burst = conversations.burst();
        client.send(mutations.of(burst.bytes()), random);
        client.readToEnd(burst.isFlushed());
      }
      if (random.nextBoolean()) {
        client.socket().shutdownOutput();
      } else if (random.nextBoolean()) {
        client.socket().setSoLinger(true, 0);
      }
    } catch (IOException | RuntimeException e) {
      // What it is told may be anything, or nothing.
    } finally {
      spoilt.addAndGet(mutations.mutations());
    }
  }
}

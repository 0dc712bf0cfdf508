package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.postgres.RawClient;
import io.isotail.ingest.postgres.RawClient.Messages;
import io.isotail.ingest.proxy.Await;
import io.isotail.ingest.proxy.CapturedProxy;
import io.isotail.ingest.proxy.ProxyStats.Count;
import io.isotail.ingest.proxy.ScriptedServer;
import java.io.IOException;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Captured conversations in which messages of both sides are spoilt: nothing fails, no connection
 * to either side stays, every transaction has its end.
 */
class WireFuzzIT {
  private static final int CONVERSATIONS = Integer.getInteger("isotail.random.conversations", 10);
  private static final long SEED = Seeds.FRESH;

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
    try (ScriptedServer server = new ScriptedServer(this::spoil);
        CapturedProxy proxy = new CapturedProxy(server.address())) {
      for (int i = 0; i < CONVERSATIONS; i++) {
        converse(proxy.port(), Seeds.random(SEED + i));
      }
      proxy.awaitNone(SEED);
      Await.until("no session is left; seed " + SEED, () -> server.open() == 0);
      proxy.check(SEED, true);
      System.out.printf(
          "seed %d: %,d conversations, %,d messages spoilt, %,d sides lost, %,d transactions%n",
          SEED,
          CONVERSATIONS,
          spoilt.get(),
          proxy.stats().get(Count.FRAMING_LOST),
          proxy.transactions().ended());
    }
    assertThat(spoilt.get()).isGreaterThan(CONVERSATIONS / 4);
  }

  /** The real server, whose messages are spoilt from one of them on. */
  private void spoil(Socket socket) throws IOException {
    Random random = Seeds.random(SEED ^ served.incrementAndGet());
    int sound = random.nextInt(4) == 0 ? random.nextInt(30) : 60 + random.nextInt(60);
    WireMutations mutations = new WireMutations(random, 8 + random.nextInt(60));
    try {
      mutations.ofServer(
          socket, DatabaseScenario.database.port(), (number, type) -> number >= sound);
    } finally {
      spoilt.addAndGet(mutations.mutations());
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

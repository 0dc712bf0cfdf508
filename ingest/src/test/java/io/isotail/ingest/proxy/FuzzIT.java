package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Broken, cut and giant messages from both sides: nothing fails, stays, or gets stuck. */
@ParameterizedClass
@EnumSource(Sight.class)
final class FuzzIT {
  private static final int RUNS = Integer.getInteger("isotail.random.histories", 200);
  private static final long SEED = Seeds.FRESH;

  @Parameter Sight sight;

  /** Something between a good conversation and noise. */
  private static byte[] noise(Random random, boolean start) {
    byte[][] parts = new byte[1 + random.nextInt(6)][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = part(random, start && i == 0);
    }
    byte[] all = Packets.join(parts);
    for (int i = random.nextInt(4); i > 1 && all.length > 0; i--) {
      all[random.nextInt(all.length)] = (byte) random.nextInt();
    }
    return random.nextInt(3) == 0 ? Arrays.copyOf(all, random.nextInt(all.length + 1)) : all;
  }

  private static byte[] part(Random random, boolean start) {
    byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(200_000) : random.nextInt(60)];
    random.nextBytes(body);
    if (start) {
      return switch (random.nextInt(8)) {
        case 0 -> body;
        case 1 -> Packets.GSS_REQUEST;
        case 2 -> Replies.TLS_REQUEST;
        case 3 -> Packets.cancel(body);
        default -> Packets.startUp("user", "ann", "database", "x" + random.nextInt());
      };
    }
    return switch (random.nextInt(8)) {
      case 0 -> body;
      case 1 -> ByteBuffer.allocate(9).put((byte) 'Q').putInt(random.nextInt()).array();
      case 2 -> ByteBuffer.allocate(9).put((byte) 'D').putInt(0x3fff_fff0).array();
      case 3 -> Replies.message('R', new byte[] {0, 0, 0, 10, 'S', 'C'});
      case 4 -> Packets.WELCOME;
      case 5 -> Replies.message('p', body);
      default -> Replies.message("QPBDESCZKTt".charAt(random.nextInt(11)), body);
    };
  }

  private static void write(OutputStream out, byte[] bytes, Random random) throws IOException {
    int at = 0;
    while (at < bytes.length) {
      int size = Math.min(bytes.length - at, 1 + random.nextInt(5_000));
      out.write(bytes, at, size);
      at += size;
    }
  }

  @Test
  void nothingFailsStaysOrGetsStuck() throws Exception {
    AtomicLong served = new AtomicLong();
    try (ScriptedServer server =
            new ScriptedServer(
                socket -> {
                  Random random = Seeds.random(SEED ^ served.incrementAndGet());
                  socket.setSoTimeout(20_000);
                  Packets.readStart(socket.getInputStream());
                  if (random.nextInt(4) > 0) {
                    socket.getOutputStream().write(Packets.WELCOME);
                  }
                  write(socket.getOutputStream(), noise(random, false), random);
                  if (random.nextBoolean()) {
                    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
                  }
                });
        ProxyServer proxy =
            ProxyServer.start(
                ProxyConfig.of(new Address("127.0.0.1", 0), server.address())
                    .withBounds(1_000, 2_000),
                (parameters, host) -> sight.open())) {
      for (int run = 0; run < RUNS; run++) {
        Random random = Seeds.random(SEED + run);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
          client.setSoTimeout(20_000);
          CompletableFuture<Void> reading =
              random.nextBoolean()
                  ? CompletableFuture.runAsync(() -> drain(client))
                  : CompletableFuture.completedFuture(null);
          try {
            write(client.getOutputStream(), noise(random, true), random);
            if (random.nextBoolean()) {
              client.shutdownOutput();
              reading.join();
            }
          } catch (IOException e) {
            // Closed by the other side: it may be.
          }
        }
      }
      Await.until(
          "nothing stays; seed " + SEED, () -> proxy.stats().open() == 0 && server.open() == 0);
      assertThat(proxy.stats().get(Count.INTERNAL_FAILURES)).as("seed %d", SEED).isZero();
      assertThat(proxy.stats().get(Count.CONVERSATION_FAILURES)).as("seed %d", SEED).isZero();
      assertThat(served.get()).as("seed %d: most reach the server", SEED).isGreaterThan(RUNS / 4);
    }
  }

  private static void drain(Socket client) {
    try {
      client.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // Closed by the other side: it may be.
    }
  }
}

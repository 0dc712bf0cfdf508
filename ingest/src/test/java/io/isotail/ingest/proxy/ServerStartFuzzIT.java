package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Seeds;
import io.isotail.ingest.proxy.ProxyConfig.UpstreamTls;
import io.isotail.ingest.proxy.ProxyStats.StartFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A server that says wrong things before a session begins, or goes away: the client gets the bytes
 * that it gets without a proxy, nothing fails, and no connection stays.
 */
final class ServerStartFuzzIT {
  private static final int RUNS = Integer.getInteger("isotail.random.starts", 130);
  private static final long SEED = Seeds.FRESH;
  private static final int STUCK_MS = 20_000;
  private static final byte[] START = Packets.startUp("user", "ann", "_pq_.option", "x");

  private volatile long seed;

  @Test
  void theClientGetsWhatTheServerSays() throws Exception {
    long bytes = 0;
    try (ScriptedServer server = new ScriptedServer(this::speak);
        CapturedProxy proxy = new CapturedProxy(server.address())) {
      for (int run = 0; run < RUNS; run++) {
        seed = SEED + run;
        boolean answers = run % 2 == 0;
        byte[] expected = listen(server.address().port(), answers);
        byte[] actual = listen(proxy.port(), answers);
        bytes += expected.length;
        assertThat(HexFormat.of().formatHex(actual))
            .as("-Disotail.random.seed=%d", seed)
            .isEqualTo(HexFormat.of().formatHex(expected));
      }
      proxy.awaitNone(SEED);
      Await.until("no connection to the server is left", () -> server.open() == 0);
      proxy.check(SEED, true);
    }
    System.out.printf("seed %d: %,d starts, %,d bytes of the server%n", SEED, RUNS, bytes);
    assertThat(bytes).isGreaterThan(RUNS * 10L);
  }

  private void speak(Socket socket) throws IOException {
    Random random = Seeds.random(seed);
    Packets.readStart(socket.getInputStream());
    byte[] messages = new RandomServerStarts(random).messages();
    int cut = messages.length == 0 ? 0 : random.nextInt(messages.length);
    socket.getOutputStream().write(messages, 0, cut);
    socket.getOutputStream().write(messages, cut, messages.length - cut);
    socket.shutdownOutput();
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  /** All that comes back; the client may answer a question that it was not asked. */
  private static byte[] listen(int port, boolean answers) throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.setSoTimeout(STUCK_MS);
      byte[] password = answers ? Replies.message('p', new byte[9]) : new byte[0];
      client.getOutputStream().write(Packets.join(START, password));
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      client.getInputStream().transferTo(all);
      return all.toByteArray();
    }
  }

  @Test
  void aServerThatAnswersWronglyToARequestForTlsIsNamed() throws Exception {
    Map<String, Integer> ends = new TreeMap<>();
    try (ScriptedServer server = new ScriptedServer(this::answerToTls);
        CapturedProxy proxy =
            new CapturedProxy(
                server.address(),
                config -> config.withUpstreamTls(UpstreamTls.PREFER, null).withBounds(100, 500))) {
      for (int run = 0; run < RUNS / 2; run++) {
        seed = SEED + run;
        byte[] told = listen(proxy.port(), false);
        boolean named =
            told.length > 0
                && told[0] == 'E'
                && Packets.field(told, 'M').startsWith("isotail proxy: the server at ");
        boolean welcome = Arrays.equals(told, Packets.WELCOME);
        // Of one that says nothing there is no time left to say it.
        String end = welcome ? "let in" : named ? "named" : told.length == 0 ? "closed" : "other";
        ends.merge(end, 1, Integer::sum);
      }
      proxy.awaitNone(SEED);
      Await.until("no connection to the server is left", () -> server.open() == 0);
      proxy.check(SEED, false);
      long late = proxy.stats().get(StartFailure.TIMEOUT);
      assertThat(ends.getOrDefault("closed", 0)).isEqualTo((int) late);
    }
    System.out.printf("seed %d: %,d starts, which end by %s%n", SEED, RUNS / 2, ends);
    assertThat(ends).containsKeys("let in", "named").doesNotContainKey("other");
  }

  private void answerToTls(Socket socket) throws IOException {
    Random random = Seeds.random(seed);
    Packets.readStart(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    switch (random.nextInt(60) == 0 ? 0 : 1 + random.nextInt(8)) {
      case 0 -> socket.getInputStream().read(); // Says nothing.
      case 1 -> {
        out.write('N');
        Packets.readStart(socket.getInputStream());
        out.write(Packets.WELCOME);
      }
      case 2 -> out.write(new byte[] {'S'});
      case 3 -> out.write(new byte[] {'S', (byte) random.nextInt(), 3, 3, 0, 1, 2, 3, 4});
      case 4 -> {
        out.write('S');
        socket.getInputStream().read();
        byte[] record = new byte[5 + random.nextInt(600)];
        random.nextBytes(record);
        if (random.nextBoolean()) {
          ByteBuffer.wrap(record).put((byte) 0x16).put((byte) 3).put((byte) 3);
        }
        out.write(record);
      }
      case 5 -> out.write(new byte[] {'N', (byte) random.nextInt()});
      case 6 -> out.write(Replies.fatal(Replies.Cause.TOO_MANY, "sorry"));
      case 7 -> out.write('a' + random.nextInt(26));
      default -> {}
    }
    socket.shutdownOutput();
    socket.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  @Test
  void aGiantMessageBeforeTheSessionIsNotHeld() throws Exception {
    byte[] head = ByteBuffer.allocate(5).put((byte) 'S').putInt(0x3fff_fff0).array();
    byte[] part = new byte[100_000];
    try (ScriptedServer server =
            new ScriptedServer(
                socket -> {
                  Packets.readStart(socket.getInputStream());
                  byte[] welcome = Replies.message('R', new byte[4]);
                  socket.getOutputStream().write(Packets.join(welcome, head, part));
                  socket.getInputStream().read();
                });
        CapturedProxy proxy = new CapturedProxy(server.address());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      client.setSoTimeout(STUCK_MS);
      client.getOutputStream().write(START);
      int expected = 9 + head.length + part.length;
      assertThat(client.getInputStream().readNBytes(expected)).hasSize(expected);
    }
  }
}

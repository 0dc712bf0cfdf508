package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.ingest.proxy.ProxyConfig.Address;
import io.isotail.ingest.proxy.ProxyStats.Count;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A side that does not read stops the other one, in bounded memory. */
@ParameterizedClass
@EnumSource(Sight.class)
final class BackPressureIT {
  private static final long RESULT_BYTES = 500L << 20;
  private static final byte[] ROW = Replies.message('D', filled(64 * 1024));

  /** What sockets of both systems may hold, and what the proxy may: less than 1 % of the result. */
  private static final long MOST_UNDERWAY = 32L << 20;

  @Parameter Sight sight;

  private static byte[] filled(int size) {
    byte[] bytes = new byte[size];
    Arrays.fill(bytes, (byte) 'x');
    return bytes;
  }

  private ProxyServer proxy(ScriptedServer server) {
    return ProxyServer.start(
        ProxyConfig.of(new Address("127.0.0.1", 0), server.address()),
        (parameters, host) -> sight.open());
  }

  private static Socket connect(ProxyServer proxy) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    client.setSoTimeout(30_000);
    client.getOutputStream().write(Packets.startUp("user", "ann"));
    client.getInputStream().readNBytes(Packets.WELCOME.length);
    return client;
  }

  /** Writes rows until so many bytes are written. */
  private static void writeRows(OutputStream out, AtomicLong written) throws IOException {
    while (written.get() < RESULT_BYTES) {
      out.write(ROW);
      written.addAndGet(ROW.length);
    }
  }

  /** Waits until a number no longer grows. */
  private static long settled(AtomicLong number) {
    long[] last = {-1};
    int[] same = {0};
    Await.until(
        "the writer stands still",
        () -> {
          same[0] = number.get() == last[0] ? same[0] + 1 : 0;
          last[0] = number.get();
          return same[0] > 250;
        });
    return last[0];
  }

  private static long readRows(InputStream in, long most) throws IOException {
    byte[] buffer = new byte[256 * 1024];
    long read = 0;
    while (read < most) {
      int size = in.read(buffer);
      if (size < 0) {
        break;
      }
      read += size;
    }
    return read;
  }

  @Test
  void aClientThatDoesNotReadStopsTheServer() throws Exception {
    AtomicLong written = new AtomicLong();
    try (ScriptedServer server =
            new ScriptedServer(
                ScriptedServer.welcoming(
                    socket -> {
                      writeRows(socket.getOutputStream(), written);
                    }));
        ProxyServer proxy = proxy(server)) {
      try (Socket client = connect(proxy)) {
        assertThat(settled(written)).isBetween(1L, MOST_UNDERWAY);
        assertThat(proxy.stats().get(Count.SERVER_BYTES)).isLessThan(MOST_UNDERWAY);
        assertThat(readRows(client.getInputStream(), Long.MAX_VALUE)).isEqualTo(written.get());
      }
      assertThat(written.get()).isGreaterThanOrEqualTo(RESULT_BYTES);
      Await.until("it is over", () -> proxy.stats().open() == 0);
      assertThat(proxy.stats().get(Count.INTERNAL_FAILURES)).isZero();
    }
  }

  @Test
  void aServerThatDoesNotReadStopsTheClient() throws Exception {
    AtomicLong written = new AtomicLong();
    CompletableFuture<Void> mayRead = new CompletableFuture<>();
    CompletableFuture<Long> read = new CompletableFuture<>();
    try (ScriptedServer server =
            new ScriptedServer(
                ScriptedServer.welcoming(
                    socket -> {
                      mayRead.join();
                      read.complete(readRows(socket.getInputStream(), Long.MAX_VALUE));
                    }));
        ProxyServer proxy = proxy(server)) {
      CompletableFuture<Void> writing;
      try (Socket client = connect(proxy)) {
        writing =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    writeRows(client.getOutputStream(), written);
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
        assertThat(settled(written)).isBetween(1L, MOST_UNDERWAY);
        mayRead.complete(null);
        writing.get(60, TimeUnit.SECONDS);
      }
      assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo(written.get());
      Await.until("it is over", () -> proxy.stats().open() == 0);
    }
  }

  @Test
  void aClientThatLeavesInTheMiddleOfAResultIsLetGo() throws Exception {
    AtomicLong written = new AtomicLong();
    try (ScriptedServer server =
            new ScriptedServer(
                ScriptedServer.welcoming(socket -> writeRows(socket.getOutputStream(), written)));
        ProxyServer proxy = proxy(server)) {
      try (Socket client = connect(proxy)) {
        readRows(client.getInputStream(), 1 << 20);
        settled(written);
      }
      Await.until(
          "both connections are gone", () -> proxy.stats().open() == 0 && server.open() == 0);
      assertThat(written.get()).isLessThan(RESULT_BYTES);
    }
  }
}

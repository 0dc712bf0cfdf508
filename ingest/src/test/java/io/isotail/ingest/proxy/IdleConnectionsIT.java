package io.isotail.ingest.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Thousands of connections that do nothing cost little, and still work afterwards. */
final class IdleConnectionsIT {
  private static final int CONNECTIONS = 5_000;
  private static final long MEGABYTE = 1 << 20;

  @Test
  void thousandsFitIntoASmallHeap() throws Exception {
    Vertx vertx = Vertx.vertx();
    List<Socket> clients = new ArrayList<>();
    NetServer upstream = echoing(vertx);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                ProxyMain.class.getName(),
                Integer.toString(upstream.actualPort()),
                Sight.EVERYTHING.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader told = process.inputReader();
        PrintWriter ask = new PrintWriter(process.outputWriter(), true)) {
      int port = Integer.parseInt(told.readLine());
      for (int i = 0; i < CONNECTIONS; i++) {
        clients.add(welcomed(port));
      }
      ask.println("how much?");
      String[] memory = told.readLine().split(" ");
      long heap = Long.parseLong(memory[0]) / MEGABYTE;
      long resident = Long.parseLong(memory[1]) / MEGABYTE;
      System.out.printf(
          "%d idle connections: %d MB of heap, %d MB resident%n", CONNECTIONS, heap, resident);
      assertThat(heap).isLessThan(200);
      assertThat(resident).isLessThan(512);
      for (Socket client : clients) {
        client.getOutputStream().write(Packets.query("SELECT 1"));
      }
      for (Socket client : clients) {
        assertThat((char) Packets.readMessage(client.getInputStream())[0]).isEqualTo('Q');
      }
    } finally {
      for (Socket client : clients) {
        client.close();
      }
      process.destroy();
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  /** A server that welcomes everybody, and then answers each message with the same. */
  private static NetServer echoing(Vertx vertx) throws Exception {
    return vertx
        .createNetServer()
        .connectHandler(
            socket ->
                socket.handler(
                    start -> {
                      socket.handler(socket::write);
                      socket.write(Buffer.buffer(Packets.WELCOME));
                    }))
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  private static Socket welcomed(int port) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
    client.setSoTimeout(30_000);
    client.getOutputStream().write(Packets.startUp("user", "ann"));
    assertThat(client.getInputStream().readNBytes(Packets.WELCOME.length))
        .isEqualTo(Packets.WELCOME);
    return client;
  }
}

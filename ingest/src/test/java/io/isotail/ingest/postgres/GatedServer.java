package io.isotail.ingest.postgres;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A server that can be made to answer late: while its gate is shut, what it is sent from the first
 * question of isotail on stays before it.
 */
final class GatedServer implements AutoCloseable {
  private static final String QUESTION = "isotail_question";

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final int serverPort;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ByteArrayOutputStream came = new ByteArrayOutputStream();
  private final List<Socket> sockets = new ArrayList<>();
  private final Semaphore gate = new Semaphore(1);

  /** Before the server at a port of this machine; its gate is open. */
  GatedServer(int serverPort) throws IOException {
    this.serverPort = serverPort;
    threads.execute(this::accept);
  }

  /** Where it listens. */
  int port() {
    return listener.getLocalPort();
  }

  /** Shuts the gate. */
  void shut() throws InterruptedException {
    gate.acquire();
  }

  /** Opens the gate. */
  void open() {
    gate.release();
  }

  /** What it was sent, past the gate or not, as text. */
  String came() {
    synchronized (came) {
      return came.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        synchronized (sockets) {
          sockets.add(client);
          sockets.add(server);
        }
        ByteArrayOutputStream waiting = new ByteArrayOutputStream();
        threads.execute(() -> read(client, server, waiting));
        threads.execute(() -> answer(server, client));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void read(Socket client, Socket server, ByteArrayOutputStream waiting) {
    try (client;
        server) {
      InputStream in = client.getInputStream();
      byte[] bytes = new byte[1 << 16];
      for (int size = in.read(bytes); size > 0; size = in.read(bytes)) {
        synchronized (came) {
          came.write(bytes, 0, size);
        }
        boolean asks = new String(bytes, 0, size, StandardCharsets.ISO_8859_1).contains(QUESTION);
        boolean waits;
        synchronized (waiting) {
          waits = waiting.size() > 0 || (asks && gate.availablePermits() == 0);
          if (waits) {
            waiting.write(bytes, 0, size);
          } else {
            server.getOutputStream().write(bytes, 0, size);
          }
        }
        if (waits && asks) {
          threads.execute(() -> pass(server, waiting));
        }
      }
    } catch (IOException e) {
      // The connection is over.
    }
  }

  private void pass(Socket server, ByteArrayOutputStream waiting) {
    gate.acquireUninterruptibly();
    gate.release();
    synchronized (waiting) {
      try {
        server.getOutputStream().write(waiting.toByteArray());
      } catch (IOException e) {
        // The connection is over.
      }
      waiting.reset();
    }
  }

  private static void answer(Socket server, Socket client) {
    try (client;
        server) {
      server.getInputStream().transferTo(client.getOutputStream());
    } catch (IOException e) {
      // The connection is over.
    }
  }

  /** Ends the connections to the server, as when it dies. */
  void die() throws IOException {
    synchronized (sockets) {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    die();
    threads.shutdownNow();
  }
}

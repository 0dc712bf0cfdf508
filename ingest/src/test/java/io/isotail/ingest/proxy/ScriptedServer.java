package io.isotail.ingest.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that does with each connection what a test says, on a thread of its own. */
public final class ScriptedServer implements AutoCloseable {
  /** What is done with a connection, which is closed afterwards. */
  public interface Script {
    void run(Socket socket) throws IOException;
  }

  private final ServerSocket listener;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Begins to listen. */
  public ScriptedServer(Script script) throws IOException {
    listener = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
    threads.execute(
        () -> {
          while (!listener.isClosed()) {
            try {
              Socket socket = listener.accept();
              open.add(socket);
              threads.execute(() -> run(script, socket));
            } catch (IOException e) {
              // Closed, or a connection that is gone before it was taken.
            }
          }
        });
  }

  private void run(Script script, Socket socket) {
    try (socket) {
      script.run(socket);
    } catch (IOException e) {
      // The other side is gone: the test sees what it has seen.
    } finally {
      open.remove(socket);
    }
  }

  /** Lets everybody in, and then does what {@code then} says. */
  static Script welcoming(Script then) {
    return socket -> {
      Packets.readStart(socket.getInputStream());
      socket.getOutputStream().write(Packets.WELCOME);
      then.run(socket);
    };
  }

  /** Lets everybody in and reads until they leave. */
  static Script idle() {
    return welcoming(socket -> socket.getInputStream().transferTo(OutputStream.nullOutputStream()));
  }

  /** Where it listens. */
  public ProxyConfig.Address address() {
    return new ProxyConfig.Address("127.0.0.1", listener.getLocalPort());
  }

  /** Connections that are being served. */
  public int open() {
    return open.size();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
    threads.shutdownNow();
  }
}

package io.isotail.monitor.databases;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before PostgreSQL and lies about some ends of transactions: it sends the other end than
 * its client asked for, and answers as if it had done as it was told. It understands the simple
 * protocol, without TLS.
 */
final class CommitSwallower implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 20;
  private static final String COMMIT = "COMMIT";
  private static final String ROLLBACK = "ROLLBACK";

  private final ServerSocket socket;
  private final int server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** COMMITs that are to be swallowed yet. */
  final AtomicInteger commits = new AtomicInteger();

  /** ROLLBACKs that are to become COMMITs yet. */
  final AtomicInteger rollbacks = new AtomicInteger();

  /** What one session is to be told instead of the truth; null for the truth. */
  private static final class Session {
    volatile String lie;
  }

  CommitSwallower(int server) throws IOException {
    this.server = server;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        Socket to = new Socket(InetAddress.getLoopbackAddress(), server);
        Session session = new Session();
        threads.execute(() -> copy(client, to, session, true));
        threads.execute(() -> copy(to, client, session, false));
      }
    } catch (SocketException e) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void copy(Socket from, Socket to, Session session, boolean asks) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream()));
      OutputStream out = to.getOutputStream();
      if (asks) {
        int length = in.readInt(); // The first message has no type.
        send(out, -1, in.readNBytes(length - 4));
      }
      while (true) {
        int type = in.readUnsignedByte();
        int length = in.readInt();
        if (length < 4 || length > MOST_BYTES) {
          throw new IOException("a message of " + length + " bytes");
        }
        byte[] body = in.readNBytes(length - 4);
        send(out, type, asks ? asked(type, body, session) : answered(type, body, session));
      }
    } catch (EOFException | SocketException e) {
      // One side has closed the connection, and so the other side is closed.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(OutputStream out, int type, byte[] body) throws IOException {
    ByteBuffer message = ByteBuffer.allocate(body.length + (type < 0 ? 4 : 5));
    if (type >= 0) {
      message.put((byte) type);
    }
    out.write(message.putInt(body.length + 4).put(body).array());
    out.flush();
  }

  private byte[] asked(int type, byte[] body, Session session) {
    String sql = type == 'Q' ? text(body) : "";
    if (sql.equals(COMMIT) && takeOne(commits)) {
      session.lie = COMMIT;
      return bytes(ROLLBACK);
    }
    if (sql.equals(ROLLBACK) && takeOne(rollbacks)) {
      session.lie = ROLLBACK;
      return bytes(COMMIT);
    }
    return body;
  }

  private static byte[] answered(int type, byte[] body, Session session) {
    String lie = session.lie;
    if (type == 'C' && lie != null) {
      session.lie = null;
      return bytes(lie);
    }
    return body;
  }

  private static boolean takeOne(AtomicInteger left) {
    return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
  }

  private static String text(byte[] body) {
    return new String(body, 0, Math.max(0, body.length - 1), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return (text + "\0").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    threads.shutdownNow();
  }
}

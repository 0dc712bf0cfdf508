package io.isotail.ingest.postgres;

import io.isotail.ingest.capture.Capture;
import io.isotail.ingest.capture.CaptureConfig;
import io.isotail.ingest.capture.CaptureStats;
import io.isotail.ingest.emit.TransactionSink;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Conversations between clients and a server over plain sockets, with threads of their own: as
 * simple as can be, so that what goes wrong is the conversation's.
 */
public final class TestRelay implements AutoCloseable {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int CANCEL_REQUEST = 80877102;

  private final ServerSocket listener;
  private final int serverPort;
  private final Capture capture;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong works = new AtomicLong();

  /** Between clients and the server at a port of this machine. */
  public TestRelay(int serverPort, CaptureConfig config, TransactionSink sink) throws IOException {
    this(serverPort, new Capture(config, sink, "proxy"));
  }

  /** Between clients and the server at a port of this machine. */
  public TestRelay(int serverPort, Capture capture) throws IOException {
    this.serverPort = serverPort;
    this.capture = capture;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  /** Where it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** How often something was done on another thread, while a client waited. */
  long works() {
    return works.get();
  }

  /** What was captured. */
  public CaptureStats stats() {
    return capture.stats();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        client.setTcpNoDelay(true);
        threads.execute(() -> new Connection(client).run());
      } catch (IOException e) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    threads.shutdownNow();
  }

  private final class Connection implements Wires {
    private final Socket client;
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final ArrayDeque<byte[]> held = new ArrayDeque<>();
    private Socket server = new Socket();
    private boolean holding;
    private boolean closed;
    private Conversation conversation = Conversation.UNSEEN;

    Connection(Socket client) {
      this.client = client;
    }

    void run() {
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        byte[] startup = startup(in);
        server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        server.setTcpNoDelay(true);
        server.getOutputStream().write(startup);
        if (ByteBuffer.wrap(startup).getInt(4) == CANCEL_REQUEST) {
          server.getInputStream().read();
          client.close();
          return;
        }
        conversation =
            new CapturedConversation(
                of -> capture, () -> {}, parameters(startup), "127.0.0.1:" + serverPort);
        threads.execute(() -> pump(server, false));
        pump(client, true);
      } catch (IOException e) {
        closeAll(true);
      } finally {
        loop.shutdown();
      }
    }

    private byte[] startup(DataInputStream in) throws IOException {
      while (true) {
        byte[] packet = new byte[in.readInt()];
        ByteBuffer.wrap(packet).putInt(packet.length);
        in.readFully(packet, 4, packet.length - 4);
        int code = ByteBuffer.wrap(packet).getInt(4);
        if (code != SSL_REQUEST && code != GSS_REQUEST) {
          return packet;
        }
        client.getOutputStream().write('N');
      }
    }

    private Map<String, String> parameters(byte[] startup) {
      String[] texts =
          new String(startup, 8, startup.length - 8, StandardCharsets.UTF_8).split("\0", -1);
      Map<String, String> parameters = new HashMap<>();
      for (int i = 0; i + 1 < texts.length && !texts[i].isEmpty(); i += 2) {
        parameters.put(texts[i], texts[i + 1]);
      }
      return parameters;
    }

    private void pump(Socket from, boolean ofClient) {
      try {
        DataInputStream in = new DataInputStream(from.getInputStream());
        while (true) {
          byte type = in.readByte();
          int length = in.readInt();
          byte[] message = new byte[length + 1];
          ByteBuffer.wrap(message).put(type).putInt(length);
          in.readFully(message, 5, length - 4);
          loop.execute(() -> handle(message, ofClient));
        }
      } catch (EOFException e) {
        later(() -> closeAll(ofClient));
      } catch (IOException | RejectedExecutionException e) {
        later(() -> closeAll(ofClient));
      }
    }

    private void handle(byte[] message, boolean ofClient) {
      if (ofClient && holding) {
        held.add(message);
        return;
      }
      byte type = message[0];
      Message shown = new Message().show(message, 0, message.length);
      if (ofClient) {
        if (conversation.looksAtClient(type, message.length)) {
          conversation.fromClient(shown, this);
        } else if (holding) {
          held.addFirst(message); // It is to be asked again.
        } else {
          toServer(message, 0, message.length);
        }
      } else if (conversation.looksAtServer(type, message.length)) {
        conversation.fromServer(shown, this);
      } else {
        toClient(message, 0, message.length);
      }
    }

    private void closeAll(boolean byClient) {
      if (!closed) {
        closed = true;
        conversation.closed(byClient);
      }
      try {
        server.close();
        client.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void write(Socket to, byte[] bytes, int offset, int length) {
      try {
        OutputStream out = to.getOutputStream();
        out.write(bytes, offset, length);
      } catch (IOException e) {
        closeAll(to == client);
      }
    }

    @Override
    public void toServer(byte[] bytes, int offset, int length) {
      write(server, bytes, offset, length);
    }

    @Override
    public void toClient(byte[] bytes, int offset, int length) {
      write(client, bytes, offset, length);
    }

    @Override
    public void holdClient() {
      holding = true;
    }

    @Override
    public void releaseClient() {
      holding = false;
      while (!holding && !held.isEmpty()) {
        handle(held.remove(), true);
      }
    }

    @Override
    public boolean isServerBetweenMessages() {
      return true; // It passes on whole ones only.
    }

    @Override
    public void work(Runnable work, Runnable then) {
      works.incrementAndGet();
      try {
        threads.execute(
            () -> {
              try {
                work.run();
              } finally {
                workDone(then);
              }
            });
      } catch (RejectedExecutionException e) {
        // The relay is closed.
      }
    }

    /** What follows is done even where the connection has ended meanwhile. */
    private void workDone(Runnable then) {
      try {
        loop.execute(then);
      } catch (RejectedExecutionException e) {
        then.run();
      }
    }

    @Override
    public void compute(Runnable work, Runnable then) {
      work(work, then);
    }

    @Override
    public void after(long ms, Runnable task) {
      CompletableFuture.delayedExecutor(ms, TimeUnit.MILLISECONDS).execute(() -> later(task));
    }

    @Override
    public void later(Runnable task) {
      try {
        loop.execute(task);
      } catch (RejectedExecutionException e) {
        // The connection is closed.
      }
    }
  }
}

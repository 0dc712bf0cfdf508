package io.isotail.ingest.jdbc;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Spoils messages of the wire protocol at random. For one thread. */
final class WireMutations {
  private static final int BODY = 5;
  private static final int MOST = 64 << 20;
  private static final int[] LENGTHS = {
    0, 3, 4, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x3fff_ffff, 0x3fff_fffe, 0x4000_0000, 5
  };

  /** Which messages of a side may be spoilt. */
  interface Choice {
    /**
     * Whether one may be.
     *
     * @param number of those before it
     */
    boolean maySpoil(int number, byte type);
  }

  private final Random random;
  private final int oneOf;
  private int mutations;

  /**
   * Mutations.
   *
   * @param oneOf one of so many messages is spoilt
   */
  WireMutations(Random random, int oneOf) {
    this.random = random;
    this.oneOf = oneOf;
  }

  /** How many messages were spoilt. */
  int mutations() {
    return mutations;
  }

  /** The messages of a side, some of them spoilt. */
  byte[] of(byte[] messages) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    InputStream in = new java.io.ByteArrayInputStream(messages);
    byte[] message = read(in);
    while (message.length > 0) {
      all.writeBytes(next(message));
      message = read(in);
    }
    return all.toByteArray();
  }

  /**
   * Lets a client talk to the real server, whose messages are spoilt.
   *
   * @param port of the server on this machine
   * @param choice which messages may be spoilt
   */
  void ofServer(Socket client, int port, Choice choice) throws IOException {
    try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
      server.setTcpNoDelay(true);
      CompletableFuture<Void> requests = CompletableFuture.runAsync(() -> pass(client, server));
      OutputStream out = client.getOutputStream();
      byte[] message = read(server.getInputStream());
      for (int i = 0; message.length > 0; i++) {
        out.write(choice.maySpoil(i, message[0]) ? next(message) : message);
        message = read(server.getInputStream());
      }
      client.shutdownOutput();
      requests.join();
    }
  }

  /** Passes on what one side sends until it ends. */
  static void pass(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // One of them is closed.
    }
  }

  /** Passes on messages of one side until it ends, or sends what is none. */
  static void passMessages(Socket from, Socket to) {
    try {
      byte[] message = read(from.getInputStream());
      while (message.length > 0) {
        to.getOutputStream().write(message);
        message = read(from.getInputStream());
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // One of them is closed.
    }
  }

  /**
   * The next message of a side; empty at its end.
   *
   * @throws ProtocolException when it is none, or a giant one
   */
  static byte[] read(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    try {
      byte type = data.readByte();
      int length = data.readInt();
      if (length < Integer.BYTES || length > MOST) {
        throw new ProtocolException("a message of %d bytes".formatted(length));
      }
      byte[] message = new byte[1 + length];
      ByteBuffer.wrap(message).put(type).putInt(length);
      data.readFully(message, BODY, length - 4);
      return message;
    } catch (EOFException e) {
      return new byte[0];
    }
  }

  /** What becomes of a message. */
  byte[] next(byte[] message) {
    if (random.nextInt(oneOf) > 0) {
      return message;
    }
    mutations++;
    byte[] spoilt = message.clone();
    int body = spoilt.length - BODY;
    switch (random.nextInt(9)) {
      case 0 -> {
        for (int i = random.nextInt(3); i >= 0 && body > 0; i--) {
          spoilt[BODY + random.nextInt(body)] = (byte) random.nextInt();
        }
      }
      case 1 -> spoilt[0] = (byte) ('1' + random.nextInt(75));
      case 2 -> putLength(spoilt, LENGTHS[random.nextInt(LENGTHS.length)]);
      case 3 -> putLength(spoilt, spoilt.length - 2 + random.nextInt(3));
      case 4 -> {
        return ByteBuffer.allocate(2 * spoilt.length).put(spoilt).put(spoilt).array();
      }
      case 5 -> {
        return new byte[0];
      }
      case 6 -> {
        return ByteBuffer.allocate(spoilt.length + 60).put(garbage(60)).put(spoilt).array();
      }
      case 7 -> {
        // A count, which is where many bodies begin.
        if (body >= 2) {
          spoilt[BODY] = (byte) random.nextInt();
          spoilt[BODY + 1] = (byte) random.nextInt();
        }
      }
      default -> {
        int length = BODY + random.nextInt(body + 1);
        spoilt = java.util.Arrays.copyOf(spoilt, length);
        putLength(spoilt, length - 1);
      }
    }
    return spoilt;
  }

  private byte[] garbage(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    bytes[0] = (byte) "QPBDESCFHcdfTtZ123nsIGAN".charAt(random.nextInt(24));
    putLength(bytes, size - 1);
    return bytes;
  }

  private static void putLength(byte[] message, int length) {
    ByteBuffer.wrap(message).putInt(1, length);
  }
}

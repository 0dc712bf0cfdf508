package io.isotail.ingest.proxy;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Packets and messages as tests send and read them. */
final class Packets {
  static final byte[] GSS_REQUEST = ByteBuffer.allocate(8).putInt(8).putInt(80_877_104).array();
  static final int PROTOCOL_3_0 = 3 << 16;
  static final int PROTOCOL_3_2 = 3 << 16 | 2;

  /** What a server says that lets everybody in. */
  static final byte[] WELCOME =
      join(
          Replies.message('R', new byte[4]),
          Replies.message('K', new byte[] {0, 0, 0, 1, 0, 0, 0, 2}),
          Replies.message('Z', new byte[] {'I'}));

  private Packets() {}

  static byte[] startUp(String... parameters) {
    return startUp(PROTOCOL_3_0, parameters);
  }

  static byte[] startUp(int protocol, String... parameters) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (String text : parameters) {
      body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
      body.write(0);
    }
    body.write(0);
    return ByteBuffer.allocate(8 + body.size())
        .putInt(8 + body.size())
        .putInt(protocol)
        .put(body.toByteArray())
        .array();
  }

  static byte[] cancel(byte[] key) {
    return cancel(4711, key);
  }

  static byte[] cancel(int process, byte[] key) {
    return ByteBuffer.allocate(12 + key.length)
        .putInt(12 + key.length)
        .putInt(80_877_102)
        .putInt(process)
        .put(key)
        .array();
  }

  static byte[] query(String sql) {
    return Replies.message('Q', (sql + "\0").getBytes(StandardCharsets.UTF_8));
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** The next untyped packet, whole. */
  static byte[] readStart(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    int length = data.readInt();
    byte[] packet = new byte[length];
    ByteBuffer.wrap(packet).putInt(length);
    data.readFully(packet, 4, length - 4);
    return packet;
  }

  /** The next message, whole. */
  static byte[] readMessage(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    byte type = data.readByte();
    int length = data.readInt();
    byte[] message = new byte[1 + length];
    ByteBuffer.wrap(message).put(type).putInt(length);
    data.readFully(message, 5, length - 4);
    return message;
  }

  /** A field of an error. */
  static String field(byte[] error, char name) {
    for (String field :
        new String(error, 5, error.length - 5, StandardCharsets.UTF_8).split("\0", -1)) {
      if (!field.isEmpty() && field.charAt(0) == name) {
        return field.substring(1);
      }
    }
    return "";
  }
}

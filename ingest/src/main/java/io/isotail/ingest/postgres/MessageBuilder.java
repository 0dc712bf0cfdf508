package io.isotail.ingest.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Puts messages of the wire protocol together, one behind the other. For one thread. */
final class MessageBuilder {
  private byte[] bytes = new byte[256];
  private int length;
  private int start;

  /** Begins a message. */
  MessageBuilder begin(byte type) {
    start = length;
    return int8(type).int32(0);
  }

  /** Ends the message: its length is known. */
  MessageBuilder end() {
    int size = length - start - 1;
    set32(start + 1, size);
    return this;
  }

  /** A message that has nothing but its type, as Sync and Flush. */
  MessageBuilder empty(byte type) {
    return begin(type).end();
  }

  /**
   * A Close or a Describe.
   *
   * @param of whether the name is that of a statement or of a portal
   */
  MessageBuilder about(byte type, byte of, String name) {
    return begin(type).int8(of).text(name).end();
  }

  MessageBuilder int8(int value) {
    reserve(1);
    bytes[length++] = (byte) value;
    return this;
  }

  MessageBuilder int16(int value) {
    return int8(value >> 8).int8(value);
  }

  MessageBuilder int32(int value) {
    return int16(value >> 16).int16(value);
  }

  /** A text that ends with a zero byte. */
  MessageBuilder text(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    return bytes(encoded, 0, encoded.length).int8(0);
  }

  MessageBuilder bytes(byte[] from, int offset, int size) {
    reserve(size);
    System.arraycopy(from, offset, bytes, length, size);
    length += size;
    return this;
  }

  private void set32(int at, int value) {
    bytes[at] = (byte) (value >> 24);
    bytes[at + 1] = (byte) (value >> 16);
    bytes[at + 2] = (byte) (value >> 8);
    bytes[at + 3] = (byte) value;
  }

  private void reserve(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
  }

  /** Sends what was built to the server. */
  void toServer(Wires wires) {
    wires.toServer(bytes, 0, length);
  }

  /** Sends what was built to the client. */
  void toClient(Wires wires) {
    wires.toClient(bytes, 0, length);
  }
}

package io.isotail.ingest.postgres;

import java.nio.charset.StandardCharsets;

/**
 * A message of the wire protocol, version 3: a byte for its type, a length that counts itself, and
 * its body. It is a view of bytes that others may use again once the message was handled.
 *
 * <p>Positions count from the start of the message, so that its body begins at {@value #BODY}. For
 * one thread.
 */
public final class Message {
  /** Where the body begins. */
  public static final int BODY = 5;

  private byte[] bytes = {};
  private int offset;
  private int length;

  /**
   * Shows another message.
   *
   * @param in bytes that hold it whole
   * @param from where it begins in them
   * @param size how long it is, its type and length included
   */
  public Message show(byte[] in, int from, int size) {
    if (size < BODY || from < 0 || from > in.length - size) {
      throw new IndexOutOfBoundsException(
          "a message of %d bytes at %d of %d".formatted(size, from, in.length));
    }
    bytes = in;
    offset = from;
    length = size;
    return this;
  }

  /** The bytes that hold it. */
  public byte[] array() {
    return bytes;
  }

  /** Where it begins in {@link #array}. */
  public int offset() {
    return offset;
  }

  /** How long it is in bytes, its type and length included. */
  public int length() {
    return length;
  }

  /** Its type. */
  public byte type() {
    return bytes[offset];
  }

  /** The byte at a position. */
  public byte byteAt(int position) {
    check(position, 1);
    return bytes[offset + position];
  }

  /** The number of two bytes at a position, without sign. */
  public int int16(int position) {
    check(position, 2);
    int at = offset + position;
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  /** The number of four bytes at a position. */
  public int int32(int position) {
    check(position, 4);
    return int32(bytes, offset + position);
  }

  /** The number of four bytes at a place among others. */
  static int int32(byte[] bytes, int at) {
    return bytes[at] << 24
        | (bytes[at + 1] & 0xff) << 16
        | (bytes[at + 2] & 0xff) << 8
        | (bytes[at + 3] & 0xff);
  }

  /** The position after the text that begins at a position and ends with a zero byte. */
  public int afterText(int position) {
    check(position, 1);
    for (int at = offset + position; at < offset + length; at++) {
      if (bytes[at] == 0) {
        return at - offset + 1;
      }
    }
    throw new IndexOutOfBoundsException("a text at %d that does not end".formatted(position));
  }

  /** The text that begins at a position and ends with a zero byte. */
  public String text(int position) {
    int end = afterText(position) - 1;
    return text(position, end - position);
  }

  /** The text of so many bytes at a position. */
  public String text(int position, int size) {
    check(position, size);
    return new String(bytes, offset + position, size, StandardCharsets.UTF_8);
  }

  private void check(int position, int size) {
    if (size < 0 || position < 0 || position > length - size) {
      throw new IndexOutOfBoundsException(
          "%d bytes at %d of a message of %d bytes".formatted(size, position, length));
    }
  }
}

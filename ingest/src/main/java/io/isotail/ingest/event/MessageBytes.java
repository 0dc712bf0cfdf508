package io.isotail.ingest.event;

import com.google.protobuf.WireFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A protobuf message while it is written, or the entries of one of its packed columns. The
 * generated classes write the same bytes, but collect every entry first and look at each of them
 * three times. For one thread.
 */
final class MessageBytes {
  private static final VarHandle FIXED64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int VARINT_BITS = 7;
  private static final int VARINT_MORE = 1 << VARINT_BITS;
  private static final int MOST_VARINT_BYTES = 10;
  private static final int FIRST_BYTES = 128;

  /** What a large message took is not kept for the next one. */
  private static final int MOST_BYTES_KEPT = 64 << 10;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  /** How many bytes were written. */
  int size() {
    return size;
  }

  /** Forgets what was written. */
  void clear() {
    size = 0;
    if (bytes.length > MOST_BYTES_KEPT) {
      bytes = new byte[FIRST_BYTES];
    }
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  /** An entry of a column of bytes. */
  void addByte(int value) {
    ensureRoom(1);
    bytes[size++] = (byte) value;
  }

  /** An entry of a column of whole numbers. */
  void addVarint(long value) {
    ensureRoom(MOST_VARINT_BYTES);
    long left = value;
    while ((left & -VARINT_MORE) != 0) {
      bytes[size++] = (byte) (left | VARINT_MORE);
      left >>>= VARINT_BITS;
    }
    bytes[size++] = (byte) left;
  }

  /** An entry of a column of numbers of 64 bits. */
  void addFixed64(long value) {
    ensureRoom(Long.BYTES);
    FIXED64.set(bytes, size, value);
    size += Long.BYTES;
  }

  /** A field with a whole number; 0 is left out. */
  void addVarintField(int field, long value) {
    if (value != 0) {
      addTag(field, WireFormat.WIRETYPE_VARINT);
      addVarint(value);
    }
  }

  /** A field with a number of 64 bits; 0 is left out. */
  void addFixed64Field(int field, long value) {
    if (value != 0) {
      addTag(field, WireFormat.WIRETYPE_FIXED64);
      addFixed64(value);
    }
  }

  /** A field with a text, also if it is empty. */
  void addTextField(int field, String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    addBytesField(field, encoded, encoded.length);
  }

  /** A field with a message, also if it is empty. */
  void addMessageField(int field, MessageBytes message) {
    addBytesField(field, message.bytes, message.size);
  }

  /** A field with a column; one without entries is left out. */
  void addColumnField(int field, MessageBytes column) {
    if (column.size > 0) {
      addMessageField(field, column);
    }
  }

  /** Fields that were written elsewhere. */
  void addAll(MessageBytes fields) {
    append(fields.bytes, fields.size);
  }

  private void addBytesField(int field, byte[] added, int length) {
    addTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    addVarint(length);
    append(added, length);
  }

  private void addTag(int field, int wireType) {
    addVarint((long) field << 3 | wireType);
  }

  private void append(byte[] added, int length) {
    ensureRoom(length);
    System.arraycopy(added, 0, bytes, size, length);
    size += length;
  }

  private void ensureRoom(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}

package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A place in a file that moves on by what is read; several may share one channel. */
final class BinaryCursor {
  /** For the one cursor that looks through a whole file. */
  static final int INDEX_BUFFER_BYTES = 1 << 18;

  /** What the buffers of all sessions take together, as long as none gets less than the least. */
  private static final int BUFFERS_BYTES = 1 << 24;

  private static final int LEAST_BUFFER_BYTES = 1 << 9;
  private static final int MOST_BUFFER_BYTES = 1 << 16;

  private final Path path;
  private final FileChannel channel;
  private final long size;
  private final ByteBuffer buffer;

  /** Place in the file of the byte after the buffer's last one. */
  private long filledTo;

  /**
   * @param offset where to start
   * @param bufferBytes how much to read at a time, at least 8
   */
  BinaryCursor(Path path, FileChannel channel, long offset, int bufferBytes, ByteOrder order)
      throws IOException {
    this.path = path;
    this.channel = channel;
    this.size = channel.size();
    this.buffer = ByteBuffer.allocate(bufferBytes).order(order).limit(0);
    this.filledTo = offset;
  }

  /** The buffer of each of so many cursors, one a session, in bytes. */
  static int bufferBytes(int cursors) {
    int share = BUFFERS_BYTES / Math.max(1, cursors);
    return Math.max(LEAST_BUFFER_BYTES, Math.min(MOST_BUFFER_BYTES, share));
  }

  /** Place of the next byte. */
  long offset() {
    return filledTo - buffer.remaining();
  }

  /** How many bytes are left. */
  long remaining() {
    return size - offset();
  }

  /** The next byte, 0 to 255. */
  int nextByte(String expected) throws IOException, HistoryFormatException {
    require(1, expected);
    return buffer.get() & 0xff;
  }

  /** The next eight bytes as a number. */
  long nextLong(String expected) throws IOException, HistoryFormatException {
    require(Long.BYTES, expected);
    return buffer.getLong();
  }

  /**
   * Moves on.
   *
   * @param count no more than {@link #remaining()}
   */
  void skip(long count) {
    if (count <= buffer.remaining()) {
      buffer.position(buffer.position() + (int) count);
    } else {
      filledTo = offset() + count;
      buffer.limit(0);
    }
  }

  HistoryFormatException unexpected(long offset, String found, String expected) {
    return HistoryFormatException.atByte(path, offset, found, expected);
  }

  private void require(int count, String expected) throws IOException, HistoryFormatException {
    if (buffer.remaining() >= count) {
      return;
    }
    if (remaining() < count) {
      throw unexpected(size, "the end of the file", expected);
    }
    buffer.compact();
    while (buffer.position() < count) {
      int read = channel.read(buffer, filledTo);
      if (read < 0) {
        throw unexpected(filledTo, "the end of a file that was longer before", expected);
      }
      filledTo += read;
    }
    buffer.flip();
  }
}

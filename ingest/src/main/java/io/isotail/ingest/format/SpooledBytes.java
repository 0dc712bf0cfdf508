package io.isotail.ingest.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * One of many files that grow side by side: a small buffer, and no file that stays open. What does
 * not fit the buffer is appended to the file.
 */
final class SpooledBytes {
  private static final int FIRST_BYTES = 1 << 8;
  private static final int MOST_BYTES = 1 << 15;

  private final Path path;
  private byte[] buffer = new byte[FIRST_BYTES];
  private int size;

  /** The file is made at the first {@link #flush}. */
  SpooledBytes(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  void put(int value) throws IOException {
    reserve(1);
    buffer[size++] = (byte) value;
  }

  void putBigEndian(long value) throws IOException {
    reserve(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      buffer[size++] = (byte) (value >>> shift);
    }
  }

  void putLittleEndian(long value) throws IOException {
    putBigEndian(Long.reverseBytes(value));
  }

  /** Appends what is in the buffer to the file. */
  void flush() throws IOException {
    try (OutputStream out =
        Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(buffer, 0, size);
    }
    size = 0;
  }

  private void reserve(int bytes) throws IOException {
    if (size + bytes > buffer.length) {
      if (buffer.length < MOST_BYTES) {
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      } else {
        flush();
      }
    }
  }
}

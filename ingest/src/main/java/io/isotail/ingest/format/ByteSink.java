package io.isotail.ingest.format;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file written through one buffer, without a string or a call for each byte. */
final class ByteSink implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 18;

  /** No number takes more bytes. */
  private static final int MAX_NUMBER_BYTES = 20;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int size;

  ByteSink(Path path) throws IOException {
    this.out = Files.newOutputStream(path);
  }

  void put(int value) throws IOException {
    if (size == buffer.length) {
      flush();
    }
    buffer[size++] = (byte) value;
  }

  void put(byte[] bytes, int length) throws IOException {
    if (length > buffer.length - size) {
      flush();
      if (length > buffer.length) {
        out.write(bytes, 0, length);
        return;
      }
    }
    System.arraycopy(bytes, 0, buffer, size, length);
    size += length;
  }

  void put(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    put(bytes, bytes.length);
  }

  /** In decimal digits. */
  void decimal(long unsigned) throws IOException {
    if (buffer.length - size < MAX_NUMBER_BYTES) {
      flush();
    }
    size = Decimal.put(unsigned, buffer, size);
  }

  @Override
  public void close() throws IOException {
    try (out) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.write(buffer, 0, size);
    size = 0;
  }
}

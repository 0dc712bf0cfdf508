package io.isotail.ingest.format;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The lines of a file as bytes, without copies that outlive a line. Lines end with LF or CR LF, the
 * last one with or without; a byte order mark is skipped.
 */
final class LineReader implements AutoCloseable {
  /** No line of a history is longer, in bytes; a file that has one is something else. */
  static final int MAX_LINE_BYTES = 256 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path path;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private byte[] line = new byte[256];
  private int length;
  private long number;

  LineReader(Path path) throws IOException {
    this.path = path;
    this.in = Files.newInputStream(path);
  }

  /** Moves to the next line; false at the end of the file. */
  boolean next() throws IOException, HistoryFormatException {
    length = 0;
    boolean any = false;
    while (fill()) {
      any = true;
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      append(position, end);
      position = end;
      if (end < limit) {
        position++;
        break;
      }
    }
    if (!any) {
      return false;
    }
    number++;
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    if (number == 1) {
      skipByteOrderMark();
    }
    return true;
  }

  /** The line's bytes, valid from 0 to {@link #length()} until the next line. */
  byte[] bytes() {
    return line;
  }

  int length() {
    return length;
  }

  /** The line's number, from 1. */
  long number() {
    return number;
  }

  Path path() {
    return path;
  }

  /** First place at or after {@code at} that is neither space nor tab. */
  int skipBlank(int at) {
    int i = at;
    while (i < length && (line[i] == ' ' || line[i] == '\t')) {
      i++;
    }
    return i;
  }

  /** What is at that place, for an error message: one character, never more. */
  String describe(int at) {
    if (at >= length) {
      return "the end of the line";
    }
    byte b = line[at];
    return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "byte 0x%02x".formatted(b & 0xff);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private boolean fill() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, in.read(buffer));
    }
    return limit > 0;
  }

  private void append(int from, int to) throws HistoryFormatException {
    int added = to - from;
    if (added > MAX_LINE_BYTES - length) {
      throw new HistoryFormatException(
          path, number + 1, "a line longer than %d bytes".formatted(MAX_LINE_BYTES), "a history");
    }
    if (length + added > line.length) {
      line = Arrays.copyOf(line, Math.max(length + added, line.length * 2));
    }
    System.arraycopy(buffer, from, line, length, added);
    length += added;
  }

  private void skipByteOrderMark() {
    if (length >= 3 && line[0] == (byte) 0xef && line[1] == (byte) 0xbb && line[2] == (byte) 0xbf) {
      System.arraycopy(line, 3, line, 0, length - 3);
      length -= 3;
    }
  }
}

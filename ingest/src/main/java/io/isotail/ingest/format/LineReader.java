package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The lines of a file as bytes, in place in the buffer that they were read into. Lines end with LF
 * or CR LF, the last one with or without; a byte order mark is skipped.
 */
final class LineReader implements AutoCloseable {
  /** No line of a history is longer, in bytes; a file that has one is something else. */
  static final int MAX_LINE_BYTES = 256 << 20;

  private static final int BUFFER_BYTES = 1 << 20;
  private static final int LEAST_BYTES = 1 << 8;

  private final Path path;
  private final HistoryBytes in;
  private byte[] buffer;

  /** Where the next line starts. */
  private int position;

  /** End of what the buffer holds, and of the last line in it that is whole. */
  private int limit;

  private int wholeLimit;
  private boolean atEnd;
  private int start;
  private int end;
  private long number;

  LineReader(Path path) throws IOException, HistoryFormatException {
    this(path, bytes -> {});
  }

  /** Lines of a file; {@code progress} is told how many of its bytes were read. */
  LineReader(Path path, LongConsumer progress) throws IOException, HistoryFormatException {
    this.path = path;
    this.in = new HistoryBytes(path, progress);
    // A small file and room to see its end.
    this.buffer = new byte[(int) Math.min(BUFFER_BYTES - LEAST_BYTES, in.size()) + LEAST_BYTES];
  }

  /** Moves to the next line; false at the end of the file. */
  boolean next() throws IOException, HistoryFormatException {
    if (position >= wholeLimit) {
      fill();
    }
    if (position == limit) {
      return false;
    }
    start = position;
    end = position;
    while (end < limit && buffer[end] != '\n') {
      end++;
    }
    position = Math.min(end + 1, limit);
    number++;
    if (end > start && buffer[end - 1] == '\r') {
      end--;
    }
    if (number == 1) {
      skipByteOrderMark();
    }
    return true;
  }

  /** The buffer; the line is what it holds from {@link #start()} to {@link #end()}. */
  byte[] bytes() {
    return buffer;
  }

  int start() {
    return start;
  }

  int end() {
    return end;
  }

  /** The line's number, from 1. */
  long number() {
    return number;
  }

  Path path() {
    return path;
  }

  /** Where the line after this one starts. */
  int position() {
    return position;
  }

  /** Every line that starts before this place is whole in the buffer, with its LF. */
  int wholeLimit() {
    return wholeLimit;
  }

  /** A caller has read the next line by itself; it ends, with its LF, before {@code next}. */
  void took(int next) {
    position = next;
    number++;
  }

  /** First place at or after {@code at} that is neither space nor tab. */
  int skipBlank(int at) {
    int i = at;
    while (i < end && (buffer[i] == ' ' || buffer[i] == '\t')) {
      i++;
    }
    return i;
  }

  /** Column of a place in the line, from 1. */
  int column(int at) {
    return at - start + 1;
  }

  /** What is at that place, for an error message: one character, never more. */
  String describe(int at) {
    return at >= end ? "the end of the line" : describeByte(buffer[at]);
  }

  static String describeByte(int b) {
    return b > ' ' && b < 0x7f ? "'" + (char) b + "'" : "byte 0x%02x".formatted(b & 0xff);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Reads on until the buffer holds a whole line, or the rest of the file. */
  private void fill() throws IOException, HistoryFormatException {
    System.arraycopy(buffer, position, buffer, 0, limit - position);
    limit -= position;
    position = 0;
    wholeLimit = 0;
    while (wholeLimit == 0 && !atEnd) {
      if (limit == buffer.length) {
        grow();
      }
      int read = in.read(buffer, limit, buffer.length - limit);
      if (read < 0) {
        atEnd = true;
      } else {
        int last = limit + read;
        while (last > limit && buffer[last - 1] != '\n') {
          last--;
        }
        wholeLimit = last > limit ? last : 0;
        limit += read;
      }
    }
  }

  private void grow() throws HistoryFormatException {
    if (buffer.length >= MAX_LINE_BYTES) {
      throw new HistoryFormatException(
          path, number + 1, "a line longer than %d bytes".formatted(MAX_LINE_BYTES), "a history");
    }
    buffer = Arrays.copyOf(buffer, buffer.length * 2);
  }

  private void skipByteOrderMark() {
    if (end - start >= 3
        && buffer[start] == (byte) 0xef
        && buffer[start + 1] == (byte) 0xbb
        && buffer[start + 2] == (byte) 0xbf) {
      start += 3;
    }
  }
}

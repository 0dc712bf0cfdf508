package io.isotail.ingest.format;

import java.io.IOException;
import java.nio.file.Path;

/**
 * One line of a file of AWDIT's test format at a time. The fields are those of the line read last.
 */
final class AwditLine {
  private static final long MAX_TENTH = Long.divideUnsigned(-1L, 10);
  private static final int MAX_LAST_DIGIT = 5;
  private static final String FORM = ", as in 'r KEY VALUE', 'w KEY VALUE', '-' or '='";

  private final Path path;
  private final BinaryCursor cursor;

  /** The byte at hand; a line feed at the end of the file too. */
  private int at;

  private int column;
  private long number;
  private long start;

  long key;
  long value;

  /** What a line is. */
  enum Kind {
    READ,
    WRITE,
    END_OF_TRANSACTION,
    END_OF_SESSION,
    END_OF_FILE
  }

  /**
   * The lines from a place on.
   *
   * @param cursor at the start of a line
   * @param linesBefore lines of the file before that place
   */
  AwditLine(Path path, BinaryCursor cursor, long linesBefore) {
    this.path = path;
    this.cursor = cursor;
    this.number = linesBefore;
  }

  /** Place of its first byte in the file. */
  long start() {
    return start;
  }

  /** Its number, from 1. */
  long number() {
    return number;
  }

  static boolean isBlank(int c) {
    return c == ' ' || c == '\t' || c == '\r';
  }

  /** Moves to the next line that is not blank. */
  Kind next() throws IOException, HistoryFormatException {
    do {
      if (cursor.remaining() == 0) {
        return Kind.END_OF_FILE;
      }
      start = cursor.offset();
      number++;
      column = 0;
      advance();
      skipByteOrderMark();
      skipBlank();
    } while (at == '\n');
    int first = at;
    switch (first) {
      case '-', '=':
        while (at == first) {
          advance();
        }
        expectEnd();
        return first == '-' ? Kind.END_OF_TRANSACTION : Kind.END_OF_SESSION;
      case 'r', 'w':
        advance();
        key = numberAfterBlank();
        value = numberAfterBlank();
        expectEnd();
        return first == 'r' ? Kind.READ : Kind.WRITE;
      default:
        throw unexpected("'r', 'w', '-' or '='");
    }
  }

  private long numberAfterBlank() throws IOException, HistoryFormatException {
    if (!isBlank(at)) {
      throw unexpected("a blank");
    }
    skipBlank();
    int from = column;
    if (at < '0' || at > '9') {
      throw unexpected("a digit");
    }
    long result = 0;
    for (; at >= '0' && at <= '9'; advance()) {
      int digit = at - '0';
      if (Long.compareUnsigned(result, MAX_TENTH) > 0
          || (result == MAX_TENTH && digit > MAX_LAST_DIGIT)) {
        throw new HistoryFormatException(
            path,
            number,
            "a number above 18446744073709551615 at column " + from,
            "an unsigned 64-bit number");
      }
      result = result * 10 + digit;
    }
    return result;
  }

  private void expectEnd() throws IOException, HistoryFormatException {
    skipBlank();
    if (at != '\n') {
      throw unexpected("the end of the line");
    }
  }

  private void skipBlank() throws IOException, HistoryFormatException {
    while (isBlank(at)) {
      advance();
    }
  }

  private void skipByteOrderMark() throws IOException, HistoryFormatException {
    if (number == 1 && at == 0xef) {
      advance();
      if (at == 0xbb) {
        advance();
      }
      if (at != 0xbf) {
        throw unexpected("a byte order mark whole, or none");
      }
      advance();
    }
  }

  private void advance() throws IOException, HistoryFormatException {
    at = cursor.remaining() > 0 ? cursor.nextByte("the rest of a line") : '\n';
    column++;
  }

  private HistoryFormatException unexpected(String expected) {
    String found = at == '\n' ? "the end of the line" : LineReader.describeByte(at);
    return new HistoryFormatException(
        path, number, "%s at column %d".formatted(found, column), expected + FORM);
  }
}

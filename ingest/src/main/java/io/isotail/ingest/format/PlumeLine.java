package io.isotail.ingest.format;

import java.io.IOException;

/** One operation of a plume file at a time. The fields are those of the line read last. */
final class PlumeLine {
  /** Transaction id of operations of aborted transactions. */
  static final long ABORTED = -1;

  private static final long MAX_TENTH = Long.divideUnsigned(-1L, 10);
  private static final int MAX_LAST_DIGIT = 5;

  private final LineReader lines;
  private int at;

  boolean write;
  long key;
  long value;
  long session;

  /** Unsigned, unless {@link #aborted}. */
  long transaction;

  boolean aborted;

  PlumeLine(LineReader lines) {
    this.lines = lines;
  }

  /** Moves to the next line that is not blank; false at the end of the file. */
  boolean next() throws IOException, HistoryFormatException {
    do {
      if (!lines.next()) {
        return false;
      }
      at = lines.skipBlank(0);
    } while (at == lines.length());
    byte kind = lines.bytes()[at];
    if (kind != 'r' && kind != 'w') {
      throw unexpected("'r' or 'w'");
    }
    write = kind == 'w';
    at++;
    key = number('(');
    value = number(',');
    session = number(',');
    expect(',');
    at = lines.skipBlank(at);
    aborted = at < lines.length() && lines.bytes()[at] == '-';
    if (aborted) {
      at++;
      long magnitude = digits();
      if (magnitude != 1) {
        throw new HistoryFormatException(
            lines.path(),
            lines.number(),
            "a transaction id of -" + Long.toUnsignedString(magnitude),
            "one of 0 or more, or -1 for an operation of an aborted transaction");
      }
      transaction = ABORTED;
    } else {
      transaction = digits();
    }
    expect(')');
    at = lines.skipBlank(at);
    if (at < lines.length()) {
      throw unexpected("the end of the line");
    }
    return true;
  }

  private long number(char before) throws HistoryFormatException {
    expect(before);
    at = lines.skipBlank(at);
    return digits();
  }

  private long digits() throws HistoryFormatException {
    byte[] bytes = lines.bytes();
    int from = at;
    long result = 0;
    for (; at < lines.length() && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
      int digit = bytes[at] - '0';
      if (Long.compareUnsigned(result, MAX_TENTH) > 0
          || (result == MAX_TENTH && digit > MAX_LAST_DIGIT)) {
        throw new HistoryFormatException(
            lines.path(),
            lines.number(),
            "a number above 18446744073709551615 at column %d".formatted(from + 1),
            "an unsigned 64-bit number");
      }
      result = result * 10 + digit;
    }
    if (at == from) {
      throw unexpected("a digit");
    }
    return result;
  }

  private void expect(char c) throws HistoryFormatException {
    at = lines.skipBlank(at);
    if (at >= lines.length() || lines.bytes()[at] != c) {
      throw unexpected("'" + c + "'");
    }
    at++;
  }

  private HistoryFormatException unexpected(String expected) {
    return new HistoryFormatException(
        lines.path(),
        lines.number(),
        "%s at column %d".formatted(lines.describe(at), at + 1),
        expected + ", as in r(key,value,session,txn)");
  }
}

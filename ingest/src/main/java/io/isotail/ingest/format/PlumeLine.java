package io.isotail.ingest.format;

import java.io.IOException;

/** One operation of a plume file at a time. The fields are those of the line read last. */
final class PlumeLine {
  /** Transaction id of operations of aborted transactions. */
  static final long ABORTED = -1;

  private static final long MAX_TENTH = Long.divideUnsigned(-1L, 10);
  private static final int MAX_LAST_DIGIT = 5;

  /** As many digits as a signed long holds whatever they are. */
  private static final int MAX_USUAL_DIGITS = 18;

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
    int from = lines.position();
    return (from < lines.wholeLimit() && usual(lines.bytes(), from)) || any();
  }

  /**
   * A line without blanks and with numbers of at most 18 digits, as nearly all are. Nothing has
   * happened if it is another one. Every loop ends at the line's LF at the latest.
   */
  private boolean usual(byte[] bytes, int from) {
    byte kind = bytes[from];
    if ((kind != 'r' && kind != 'w') || bytes[from + 1] != '(') {
      return false;
    }
    int i = from + 2;
    int first = i;
    int digit;
    long number = 0;
    while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
      number = number * 10 + digit;
      i++;
    }
    if (isUnusual(i - first) || bytes[i] != ',') {
      return false;
    }
    final long keyRead = number;
    number = 0;
    first = ++i;
    while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
      number = number * 10 + digit;
      i++;
    }
    if (isUnusual(i - first) || bytes[i] != ',') {
      return false;
    }
    final long valueRead = number;
    number = 0;
    first = ++i;
    while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
      number = number * 10 + digit;
      i++;
    }
    if (isUnusual(i - first) || bytes[i] != ',') {
      return false;
    }
    final long sessionRead = number;
    number = 0;
    first = ++i;
    while ((digit = bytes[i] - '0') >= 0 && digit <= 9) {
      number = number * 10 + digit;
      i++;
    }
    boolean minusOne = i == first && bytes[i] == '-' && bytes[i + 1] == '1';
    if (minusOne) {
      i += 2;
      number = ABORTED;
    } else if (isUnusual(i - first)) {
      return false;
    }
    if (bytes[i] != ')') {
      return false;
    }
    i++;
    if (bytes[i] == '\r') {
      i++;
    }
    if (bytes[i] != '\n') {
      return false;
    }
    write = kind == 'w';
    key = keyRead;
    value = valueRead;
    session = sessionRead;
    transaction = number;
    aborted = minusOne;
    lines.took(i + 1);
    return true;
  }

  private static boolean isUnusual(int digits) {
    return digits < 1 || digits > MAX_USUAL_DIGITS;
  }

  private boolean any() throws IOException, HistoryFormatException {
    do {
      if (!lines.next()) {
        return false;
      }
      at = lines.skipBlank(lines.start());
    } while (at == lines.end());
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
    aborted = at < lines.end() && lines.bytes()[at] == '-';
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
    if (at < lines.end()) {
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
    for (; at < lines.end() && bytes[at] >= '0' && bytes[at] <= '9'; at++) {
      int digit = bytes[at] - '0';
      if (Long.compareUnsigned(result, MAX_TENTH) > 0
          || (result == MAX_TENTH && digit > MAX_LAST_DIGIT)) {
        throw new HistoryFormatException(
            lines.path(),
            lines.number(),
            "a number above 18446744073709551615 at column %d".formatted(lines.column(from)),
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
    if (at >= lines.end() || lines.bytes()[at] != c) {
      throw unexpected("'" + c + "'");
    }
    at++;
  }

  private HistoryFormatException unexpected(String expected) {
    return new HistoryFormatException(
        lines.path(),
        lines.number(),
        "%s at column %d".formatted(lines.describe(at), lines.column(at)),
        expected + ", as in r(key,value,session,txn)");
  }
}

package io.isotail.ingest.format;

import java.nio.charset.StandardCharsets;

/** Unsigned numbers as ASCII digits. */
final class Decimal {
  private Decimal() {}

  /** Writes the digits from {@code at} on, at most 20; returns the place after the last one. */
  static int put(long unsigned, byte[] buffer, int at) {
    if (unsigned < 0) {
      byte[] digits = Long.toUnsignedString(unsigned).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(digits, 0, buffer, at, digits.length);
      return at + digits.length;
    }
    int end = at + 1;
    for (long power = 10; unsigned >= power; power *= 10) {
      end++;
      if (power > Long.MAX_VALUE / 10) {
        break;
      }
    }
    long rest = unsigned;
    int i = end;
    for (; rest > Integer.MAX_VALUE; rest /= 10) {
      buffer[--i] = (byte) ('0' + rest % 10);
    }
    for (int small = (int) rest; i > at; small /= 10) {
      buffer[--i] = (byte) ('0' + small % 10);
    }
    return end;
  }
}

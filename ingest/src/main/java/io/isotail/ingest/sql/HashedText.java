package io.isotail.ingest.sql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text in UTF-8 that is put together to be hashed. Made for each row that is read: texts of ASCII
 * alone, as most keys are, go into its bytes without a copy between. For one thread.
 */
final class HashedText {
  private static final int MOST_DIGITS = 10;

  private byte[] bytes;
  private int length;

  /**
   * An empty text.
   *
   * @param bytes for how many there is room at first
   */
  HashedText(int bytes) {
    this.bytes = new byte[bytes];
  }

  /** Adds a text. */
  HashedText add(String text) {
    int chars = text.length();
    reserve(chars);
    int to = length;
    for (int i = 0; i < chars; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return addEncoded(text);
      }
      bytes[to + i] = (byte) c;
    }
    length = to + chars;
    return this;
  }

  private HashedText addEncoded(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    reserve(encoded.length);
    System.arraycopy(encoded, 0, bytes, length, encoded.length);
    length += encoded.length;
    return this;
  }

  /** Adds the digits of a number that is not negative. */
  HashedText add(int number) {
    reserve(MOST_DIGITS);
    int digits = 1;
    for (int rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    int rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  /** Its SipHash under a key of two words. */
  long hash(long k0, long k1) {
    return SipHash.hash(k0, k1, bytes, length);
  }

  private void reserve(int more) {
    if (more > bytes.length - length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
  }
}

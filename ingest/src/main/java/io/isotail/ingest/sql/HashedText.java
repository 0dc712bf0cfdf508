package io.isotail.ingest.sql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A text in UTF-8 that is put together to be hashed. Made for each row that is read: texts of ASCII
 * alone, as most keys are, go into its bytes without a copy between. For one thread.
 */
final class HashedText {
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

  /** How many characters {@link #add(long)} adds. */
  static int characters(long number) {
    int characters = number < 0 ? 2 : 1;
    for (long rest = number / 10; rest != 0; rest /= 10) {
      characters++;
    }
    return characters;
  }

  /** Adds a number as {@link Long#toString(long)} writes it. */
  HashedText add(long number) {
    int characters = characters(number);
    reserve(characters);
    if (number < 0) {
      bytes[length] = '-';
    }
    long rest = number;
    int first = length + (number < 0 ? 1 : 0);
    for (int i = length + characters - 1; i >= first; i--) {
      bytes[i] = (byte) ('0' + Math.abs(rest % 10));
      rest /= 10;
    }
    length += characters;
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

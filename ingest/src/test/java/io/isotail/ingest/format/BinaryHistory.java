package io.isotail.ingest.format;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** Bytes of a binary history, written down by hand. */
final class BinaryHistory {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Eight bytes each, the lowest first. */
  BinaryHistory little(long... numbers) {
    for (long number : numbers) {
      big(Long.reverseBytes(number));
    }
    return this;
  }

  /** Eight bytes each, the highest first. */
  BinaryHistory big(long... numbers) {
    for (long number : numbers) {
      for (int shift = 56; shift >= 0; shift -= 8) {
        bytes.write((int) (number >>> shift));
      }
    }
    return this;
  }

  BinaryHistory bytes(int... values) {
    for (int value : values) {
      bytes.write(value);
    }
    return this;
  }

  BinaryHistory text(String ascii) {
    ascii.chars().forEach(bytes::write);
    return this;
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}

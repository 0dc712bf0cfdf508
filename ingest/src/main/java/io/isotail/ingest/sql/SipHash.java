package io.isotail.ingest.sql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4, a keyed 64-bit hash [1]: without the key, hashes of guessed values cannot be
 * compared with those seen.
 *
 * <p>[1] Aumasson and Bernstein, SipHash: a fast short-input PRF, INDOCRYPT 2012.
 */
final class SipHash {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private SipHash() {}

  static long hash(long k0, long k1, byte[] data) {
    return hash(k0, k1, data, data.length);
  }

  static long hash(long k0, long k1, byte[] data, int length) {
    long v0 = 0x736f6d6570736575L ^ k0;
    long v1 = 0x646f72616e646f6dL ^ k1;
    long v2 = 0x6c7967656e657261L ^ k0;
    long v3 = 0x7465646279746573L ^ k1;
    int whole = length & ~7;
    for (int i = 0; i <= length - 8 || i == whole; i += 8) {
      long m = i < whole ? (long) WORD.get(data, i) : lastWord(data, whole, length);
      v3 ^= m;
      for (int round = 0; round < 2; round++) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v1;
        v0 += v3;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= m;
    }
    v2 ^= 0xff;
    for (int round = 0; round < 4; round++) {
      v0 += v1;
      v2 += v3;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 = Long.rotateLeft(v2, 32);
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private static long lastWord(byte[] data, int from, int length) {
    long word = (long) length << 56;
    for (int i = from; i < length; i++) {
      word |= (data[i] & 0xffL) << (8 * (i - from));
    }
    return word;
  }
}

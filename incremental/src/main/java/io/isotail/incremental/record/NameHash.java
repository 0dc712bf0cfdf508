package io.isotail.incremental.record;

import java.nio.charset.StandardCharsets;

/** The identity of what is named by a text and must not be kept secret. */
public final class NameHash {
  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private NameHash() {}

  /**
   * 64-bit FNV-1a of the UTF-8 bytes, then the finalizer of MurmurHash3. The same on every machine;
   * not keyed.
   */
  public static long of(String name) {
    long hash = FNV_OFFSET;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}

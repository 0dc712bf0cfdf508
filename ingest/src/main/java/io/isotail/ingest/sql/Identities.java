package io.isotail.ingest.sql;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns keys and versions into the 64-bit identities that leave the process: SipHash-2-4 under a
 * secret key. Every proxy of one history has to use the same secret. Thread-safe.
 */
public final class Identities {
  private final long k0;
  private final long k1;

  private Identities(byte[] key) {
    ByteBuffer words = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    this.k0 = words.getLong();
    this.k1 = words.getLong();
  }

  /** Identities under a secret of any length; its first 128 bits of SHA-256 are the key. */
  public static Identities ofSecret(String secret) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return new Identities(digest.digest(secret.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Identities for a history without a secret. All proxies of the history agree, but anybody who
   * knows its name can test guesses of key values against hashes.
   */
  public static Identities ofHistory(String history) {
    return ofSecret("isotail history without a secret: " + history);
  }

  /** Identities of a history: under its secret, or without one under its name. */
  public static Identities of(@Nullable String secret, String history) {
    return secret == null ? ofHistory(history) : ofSecret(secret);
  }

  /** Identity of a row: its table and the canonical texts of its key columns. */
  public long key(ObservedTable table, List<String> canonicalKey) {
    HashedText text = keyOf(table, canonicalKey.size());
    for (String column : canonicalKey) {
      text.add(column.length()).add(":").add(column);
    }
    return text.hash(k0, k1);
  }

  /** Identity of a row whose key is one integer: the same as by its canonical text. */
  public long key(ObservedTable table, long number) {
    return keyOf(table, 1).add(HashedText.characters(number)).add(":").add(number).hash(k0, k1);
  }

  private static HashedText keyOf(ObservedTable table, int columns) {
    return new HashedText(table.identityName().length() + 24 * columns + 8)
        .add("k")
        .add(table.identityName())
        .add("\0");
  }

  /** Identity of a text of no table. */
  long text(String text) {
    return new HashedText(text.length() + 8).add("t").add(text).hash(k0, k1);
  }

  /** Identity of a version of a row. */
  public long version(long key, String canonicalVersion) {
    return new HashedText(canonicalVersion.length() + 24)
        .add("v")
        .add(Long.toHexString(key))
        .add(":")
        .add(canonicalVersion)
        .hash(k0, k1);
  }
}

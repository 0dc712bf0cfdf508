package io.isotail.ingest.proxy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What a server keeps of a password for SCRAM-SHA-256 [1], in the form of {@code
 * pg_authid.rolpassword}. It proves to a client that the server knows the password, and checks that
 * the client does; it does not tell the password.
 *
 * <p>[1] C. Newman et al., Salted Challenge Response Authentication Mechanism, RFC 5802, 2010; with
 * SHA-256 by RFC 7677, 2015. Names in the methods are those of section 3.
 */
final class ScramSecret {
  private static final String HMAC = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final Pattern FORM =
      Pattern.compile(
          "SCRAM-SHA-256\\$(\\d{1,9}):([A-Za-z0-9+/=]+)\\$([A-Za-z0-9+/=]+):([A-Za-z0-9+/=]+)");

  private final int iterations;
  private final String salt;
  private final byte[] storedKey;
  private final byte[] serverKey;

  private ScramSecret(int iterations, String salt, byte[] storedKey, byte[] serverKey) {
    this.iterations = iterations;
    this.salt = salt;
    this.storedKey = storedKey;
    this.serverKey = serverKey;
  }

  /** How often the password was hashed. */
  int iterations() {
    return iterations;
  }

  /** What it was hashed with, in Base64 as it is sent. */
  String salt() {
    return salt;
  }

  /** Reads the form of {@code pg_authid.rolpassword}; null for any other. */
  static @Nullable ScramSecret parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    byte[] salt = base64(matcher.group(2));
    byte[] storedKey = base64(matcher.group(3));
    byte[] serverKey = base64(matcher.group(4));
    int iterations = Integer.parseInt(matcher.group(1));
    boolean whole =
        salt.length > 0
            && storedKey.length == KEY_BYTES
            && serverKey.length == KEY_BYTES
            && iterations > 0;
    return whole ? new ScramSecret(iterations, matcher.group(2), storedKey, serverKey) : null;
  }

  /** Never tells the keys. */
  @Override
  public String toString() {
    return "ScramSecret[iterations=" + iterations + "]";
  }

  /** ServerSignature of an exchange. */
  byte[] serverSignature(String authMessage) {
    return hmac(serverKey, authMessage);
  }

  /**
   * ClientKey, out of a client's proof; null if the client does not know the password.
   *
   * @param proof ClientProof
   */
  byte @Nullable [] clientKey(byte[] proof, String authMessage) {
    if (proof.length != KEY_BYTES) {
      return null;
    }
    byte[] key = xor(proof, hmac(storedKey, authMessage));
    return MessageDigest.isEqual(sha256(key), storedKey) ? key : null;
  }

  /** ClientProof of an exchange with the server. */
  byte[] proof(byte[] clientKey, String authMessage) {
    return xor(clientKey, hmac(storedKey, authMessage));
  }

  /** What Base64 says; nothing if it is not Base64. */
  static byte[] base64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private static byte[] xor(byte[] a, byte[] b) {
    byte[] result = new byte[a.length];
    for (int i = 0; i < a.length; i++) {
      result[i] = (byte) (a[i] ^ b[i]);
    }
    return result;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + HMAC, e);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}

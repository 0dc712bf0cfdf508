package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Message;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A login that the proxy takes itself: a SCRAM-SHA-256 exchange with the client, then one with the
 * server. The client proves that it knows the password; with the proof it reveals ClientKey, which
 * is what the proxy logs in with. Both sides must have hashed the password with the same salt.
 *
 * <p>Neither exchange binds a channel: that would prove that nobody stands between, and the proxy
 * does. For the thread of its session.
 */
final class ScramLogin {
  /** Why a login is refused. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Replies.Cause cause;

    RefusedException(Replies.Cause cause, String text) {
      super(text);
      this.cause = cause;
    }

    Replies.Cause reason() {
      return cause;
    }
  }

  static final String MECHANISM = "SCRAM-SHA-256";

  /** Kinds of the server's messages of type {@code R}. */
  static final int SASL = 10;

  static final int SASL_CONTINUE = 11;
  static final int SASL_FINAL = 12;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int NONCE_BYTES = 18;
  private static final String UNBOUND = "n,,";

  private final String user;
  private final ScramSecret secret;
  private String clientFirst = "";
  private String clientHeader = "";
  private String serverFirst = "";
  private String proxyFirst = "";
  private byte @Nullable [] clientKey;
  private byte[] clientVerifier = {};
  private String proxyAuthMessage = "";
  private boolean proxyIsKnown;

  ScramLogin(String user, ScramSecret secret) {
    this.user = user;
    this.secret = secret;
  }

  /** What begins the exchange with the client. */
  static byte[] offer() {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(int32(SASL));
    body.writeBytes(MECHANISM.getBytes(StandardCharsets.US_ASCII));
    body.write(0);
    body.write(0);
    return Replies.message('R', body.toByteArray());
  }

  /** Whether the client's part is over. */
  boolean knowsClient() {
    return clientKey != null;
  }

  /**
   * A message of the client.
   *
   * @return what the client is answered; if it is {@linkplain #knowsClient known} now, what the
   *     server is sent
   */
  byte[] fromClient(Message message) throws RefusedException {
    try {
      return serverFirst.isEmpty() ? first(message) : last(message);
    } catch (IndexOutOfBoundsException e) {
      throw malformed();
    }
  }

  private byte[] first(Message message) throws RefusedException {
    int at = message.afterText(Message.BODY);
    if (!message.text(Message.BODY).equals(MECHANISM)) {
      throw new RefusedException(Replies.Cause.PROTOCOL, "client selected an invalid mechanism");
    }
    String text = message.text(at + 4, message.int32(at));
    int bare = text.indexOf(',', text.indexOf(',') + 1) + 1;
    boolean unbound = text.startsWith("n,") || text.startsWith("y,");
    String nonce = attributes(text.substring(Math.max(bare, 0))).get('r');
    if (!unbound || bare < UNBOUND.length() || nonce == null || nonce.isEmpty()) {
      throw malformed();
    }
    clientHeader = text.substring(0, bare);
    clientFirst = text.substring(bare);
    serverFirst = "r=" + nonce + nonce() + ",s=" + secret.salt() + ",i=" + secret.iterations();
    return continued(SASL_CONTINUE, serverFirst);
  }

  private byte[] last(Message message) throws RefusedException {
    String text = message.text(Message.BODY, message.length() - Message.BODY);
    int proofAt = text.lastIndexOf(",p=");
    if (knowsClient() || proofAt < 0) {
      throw malformed();
    }
    String withoutProof = text.substring(0, proofAt);
    Map<Character, String> told = attributes(withoutProof);
    String header = base64(clientHeader.getBytes(StandardCharsets.UTF_8));
    if (!header.equals(told.get('c'))
        || !attributes(serverFirst).getOrDefault('r', "").equals(told.get('r'))) {
      throw malformed();
    }
    String authMessage = clientFirst + "," + serverFirst + "," + withoutProof;
    byte[] proof = ScramSecret.base64(text.substring(proofAt + 3));
    clientKey = secret.clientKey(proof, authMessage);
    if (clientKey == null) {
      throw new RefusedException(
          Replies.Cause.BAD_PASSWORD, "password authentication failed for user \"" + user + "\"");
    }
    clientVerifier = secret.serverSignature(authMessage);
    proxyFirst = "n=,r=" + nonce();
    byte[] first = (UNBOUND + proxyFirst).getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(MECHANISM.getBytes(StandardCharsets.US_ASCII));
    body.write(0);
    body.writeBytes(int32(first.length));
    body.writeBytes(first);
    return Replies.message('p', body.toByteArray());
  }

  /** The server's challenge; returns what it is answered. */
  byte[] challenged(Message message) throws RefusedException {
    String challenge = text(message);
    Map<Character, String> told = attributes(challenge);
    String nonce = told.getOrDefault('r', "");
    byte[] key = clientKey;
    if (key == null || !nonce.startsWith(attributes(proxyFirst).getOrDefault('r', " "))) {
      throw malformed();
    }
    if (!secret.salt().equals(told.get('s'))
        || !Integer.toString(secret.iterations()).equals(told.get('i'))) {
      throw new RefusedException(
          Replies.Cause.REFUSED,
          "isotail proxy: its secret of user \"%s\" is not the server's; copy it anew from pg_authid"
              .formatted(user));
    }
    String withoutProof = "c=" + base64(UNBOUND.getBytes(StandardCharsets.UTF_8)) + ",r=" + nonce;
    proxyAuthMessage = proxyFirst + "," + challenge + "," + withoutProof;
    String answer = withoutProof + ",p=" + base64(secret.proof(key, proxyAuthMessage));
    return Replies.message('p', answer.getBytes(StandardCharsets.UTF_8));
  }

  /** The server has proven itself; returns by what the proxy does so to the client. */
  byte[] proven(Message message) throws RefusedException {
    byte[] signature = ScramSecret.base64(attributes(text(message)).getOrDefault('v', ""));
    if (proxyAuthMessage.isEmpty()
        || !MessageDigest.isEqual(signature, secret.serverSignature(proxyAuthMessage))) {
      throw new RefusedException(
          Replies.Cause.REFUSED,
          "isotail proxy: the server did not prove that it knows the password of user \"%s\""
              .formatted(user));
    }
    proxyIsKnown = true;
    return continued(SASL_FINAL, "v=" + base64(clientVerifier));
  }

  /** Whether both exchanges are over. */
  boolean isOver() {
    return proxyIsKnown;
  }

  private static RefusedException malformed() {
    return new RefusedException(Replies.Cause.PROTOCOL, "malformed SCRAM message");
  }

  private static byte[] continued(int kind, String text) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(int32(kind));
    body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    return Replies.message('R', body.toByteArray());
  }

  private static String text(Message message) {
    int at = Message.BODY + 4;
    return message.text(at, message.length() - at);
  }

  private static Map<Character, String> attributes(String text) {
    Map<Character, String> attributes = new HashMap<>();
    for (String attribute : text.split(",", -1)) {
      if (attribute.length() > 1 && attribute.charAt(1) == '=') {
        attributes.put(attribute.charAt(0), attribute.substring(2));
      }
    }
    return attributes;
  }

  private static String nonce() {
    byte[] bytes = new byte[NONCE_BYTES];
    RANDOM.nextBytes(bytes);
    return base64(bytes);
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] int32(int value) {
    return new byte[] {
      (byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value
    };
  }
}

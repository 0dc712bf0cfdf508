package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Message;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The captured sessions of a proxy, by what a request to cancel names them with: the process and
 * the secret that the server has told the client. Safe for any thread.
 */
final class CancelKeys {
  private final Map<ByteBuffer, Session> sessions = new ConcurrentHashMap<>();

  /**
   * The server has told a session's key.
   *
   * @param message BackendKeyData
   * @return what {@link #remove} takes
   */
  ByteBuffer add(Message message, Session session) {
    byte[] key = new byte[message.length() - Message.BODY];
    System.arraycopy(message.array(), message.offset() + Message.BODY, key, 0, key.length);
    ByteBuffer wrapped = ByteBuffer.wrap(key);
    sessions.put(wrapped, session);
    return wrapped;
  }

  /** A session has ended. */
  void remove(ByteBuffer key, Session session) {
    sessions.remove(key, session);
  }

  /** The session that a request to cancel is for; null if it is not known. */
  @Nullable Session of(byte[] request) {
    int at = 2 * Integer.BYTES; // Behind length and code.
    return request.length <= at
        ? null
        : sessions.get(ByteBuffer.wrap(request, at, request.length - at));
  }
}

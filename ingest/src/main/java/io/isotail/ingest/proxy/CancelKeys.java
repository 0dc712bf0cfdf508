package io.isotail.ingest.proxy;

import io.isotail.ingest.postgres.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a proxy by the keys that their server has given them: process and secret. A
 * request to cancel names one. Safe for several threads.
 */
final class CancelKeys {
  private static final int REQUEST_KEY = 8;

  private final Map<ByteBuffer, Session> sessions = new ConcurrentHashMap<>();

  /** The key in a server's message, which is the session's from now on. */
  ByteBuffer add(Message backendKeyData, Session session) {
    int from = backendKeyData.offset() + Message.BODY;
    int to = backendKeyData.offset() + backendKeyData.length();
    ByteBuffer key = copy(backendKeyData.array(), from, to);
    sessions.put(key, session);
    return key;
  }

  /** The session is over. */
  void remove(@Nullable ByteBuffer key, Session session) {
    if (key != null) {
      sessions.remove(key, session);
    }
  }

  /** The session that a request to cancel means; null if it is none of this proxy. */
  @Nullable Session meantBy(byte[] request) {
    return request.length <= REQUEST_KEY
        ? null
        : sessions.get(copy(request, REQUEST_KEY, request.length));
  }

  private static ByteBuffer copy(byte[] bytes, int from, int to) {
    return ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to));
  }
}

package io.isotail.monitor.stores;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * One connection and never another. Jedis connects again by itself, and what was watched on the
 * connection before would be forgotten unseen.
 */
final class OneSocket implements JedisSocketFactory {
  private static final int TIMEOUT_MS = 2_000;

  private final InetSocketAddress address;
  private volatile @Nullable Socket socket;

  OneSocket(String host, int port) {
    this.address = new InetSocketAddress(host, port);
  }

  @Override
  public Socket createSocket() {
    if (socket != null) {
      throw new JedisConnectionException("the connection was lost");
    }
    Socket made = new Socket();
    socket = made;
    try {
      made.setTcpNoDelay(true);
      made.setSoTimeout(TIMEOUT_MS);
      made.connect(address, TIMEOUT_MS);
      return made;
    } catch (IOException e) {
      throw new JedisConnectionException("no connection to " + address, e);
    }
  }

  /** Cuts it. Called by any thread. */
  void cut() throws IOException {
    Socket now = socket;
    if (now != null) {
      now.close();
    }
  }
}

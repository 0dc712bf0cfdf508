package io.isotail.monitor.stores;

import io.isotail.ingest.store.RegisterStore;
import io.isotail.ingest.store.StoreSession;
import java.util.Set;
import redis.clients.jedis.Jedis;

/**
 * A Redis. A register is a key of its space and its number, with the version as text.
 *
 * @param watch whether transactions watch what they read
 */
record RedisStore(String host, int port, String space, String name, boolean watch)
    implements RegisterStore {

  @Override
  public StoreSession open() {
    return new RedisSession(host, port, space + ":", watch);
  }

  @Override
  public void remove() {
    try (Jedis jedis = new Jedis(host, port)) {
      Set<String> keys = jedis.keys(space + ":*");
      if (!keys.isEmpty()) {
        jedis.del(keys.toArray(String[]::new));
      }
    }
  }

  /** Each session has its own connection; the store has none. */
  @Override
  public void close() {}
}

package io.isotail.monitor.stores;

import io.isotail.ingest.store.RegisterStore;
import io.isotail.ingest.store.StoreProvider;
import java.net.URI;
import java.util.Properties;
import redis.clients.jedis.Jedis;

/**
 * Redis by its URL, {@code redis://HOST:PORT}. With {@code ?watch=false} nothing is watched, so
 * that updates get lost.
 */
public final class RedisProvider implements StoreProvider {
  @Override
  public String scheme() {
    return "redis";
  }

  @Override
  public RegisterStore connect(String url, Properties login, String space) {
    URI uri = URI.create(url);
    boolean watch = UrlSwitch.of(url, "watch", true);
    try (Jedis jedis = new Jedis(uri.getHost(), uri.getPort())) {
      String version =
          jedis
              .info("server")
              .lines()
              .filter(line -> line.startsWith("redis_version:"))
              .map(line -> line.substring("redis_version:".length()))
              .findFirst()
              .orElse("of unknown version");
      return new RedisStore(uri.getHost(), uri.getPort(), space, "Redis " + version, watch);
    }
  }
}

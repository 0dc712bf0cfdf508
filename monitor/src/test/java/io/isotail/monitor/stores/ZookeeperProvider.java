package io.isotail.monitor.stores;

import io.isotail.ingest.store.RegisterStore;
import io.isotail.ingest.store.StoreProvider;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.Version;

/**
 * A ZooKeeper ensemble by its URL, {@code zookeeper://HOST:PORT,HOST:PORT,…}. With {@code
 * ?sync=true} a server catches up with the leader before each read.
 */
public final class ZookeeperProvider implements StoreProvider {
  private static final Pattern URL = Pattern.compile("zookeeper://([^/?]+)(\\?.*)?");

  @Override
  public String scheme() {
    return "zookeeper";
  }

  @Override
  public RegisterStore connect(String url, Properties login, String space) throws Exception {
    Matcher matcher = URL.matcher(url);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("expected zookeeper://HOST:PORT,HOST:PORT,…");
    }
    boolean sync = UrlSwitch.of(url, "sync", false);
    List<String> servers = List.of(matcher.group(1).split(","));
    String name =
        "ZooKeeper %s, %d servers, reads %s sync"
            .formatted(Version.getVersion(), servers.size(), sync ? "after" : "without");
    ZookeeperStore store = new ZookeeperStore(servers, "/" + space, name, sync);
    store.create();
    return store;
  }
}

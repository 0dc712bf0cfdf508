package io.isotail.monitor.stores;

import io.isotail.ingest.store.RegisterStore;
import io.isotail.ingest.store.StoreSession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** A ZooKeeper ensemble. A register is a node below that of the space; sessions take turns. */
final class ZookeeperStore implements RegisterStore {
  private final List<String> servers;
  private final String folder;
  private final String name;
  private final boolean sync;
  private final AtomicInteger opened = new AtomicInteger();

  /**
   * An ensemble.
   *
   * @param folder path of the space's node
   * @param sync whether a server catches up with the leader before each read
   */
  ZookeeperStore(List<String> servers, String folder, String name, boolean sync) {
    this.servers = List.copyOf(servers);
    this.folder = folder;
    this.name = name;
    this.sync = sync;
  }

  /** Makes the space's node. */
  void create() throws IOException, InterruptedException, KeeperException {
    ZooKeeper client = ZookeeperSession.connected(servers.get(0));
    try {
      client.create(folder, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } finally {
      client.close();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public StoreSession open() throws IOException, InterruptedException {
    String server = servers.get(opened.getAndIncrement() % servers.size());
    return new ZookeeperSession(server, folder, sync);
  }

  @Override
  public void remove() throws Exception {
    ZooKeeper client = ZookeeperSession.connected(servers.get(0));
    try {
      ZKUtil.deleteRecursive(client, folder);
    } finally {
      client.close();
    }
  }

  /** Each session has its own connection; the store has none. */
  @Override
  public void close() {}
}

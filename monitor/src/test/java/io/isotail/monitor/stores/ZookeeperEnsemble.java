package io.isotail.monitor.stores;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import org.apache.curator.test.TestingCluster;
import org.slf4j.LoggerFactory;

/** Three ZooKeeper servers in this process, on free ports, in folders that go with them. */
public final class ZookeeperEnsemble implements AutoCloseable {
  /** Nobody needs the data after a crash, and a disk is slow. */
  private static final String WAITS_FOR_DISK = "zookeeper.forceSync";

  private final TestingCluster cluster;

  /** Starts them; returns when all of them answer. */
  public ZookeeperEnsemble() throws Exception {
    System.setProperty(WAITS_FOR_DISK, "no");
    // Servers that start and stop one after the other warn of each other, in hundreds of lines.
    ((Logger) LoggerFactory.getLogger("org.apache.zookeeper")).setLevel(Level.OFF);
    cluster = new TestingCluster(3);
    cluster.start();
    for (String server : cluster.getConnectString().split(",")) {
      ZookeeperSession.connected(server).close();
    }
  }

  /** Their URL. */
  public String url() {
    return "zookeeper://" + cluster.getConnectString();
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}

package io.isotail.monitor.stores;

import io.isotail.ingest.store.RefusedException;
import io.isotail.ingest.store.StoreSession;
import io.isotail.ingest.store.TransactionScope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * Transactions by versions of nodes. A read is answered by the server that the session is connected
 * to; a write says which version of the node it overwrites, and is refused if that is not the last
 * one. Transactions of several registers are one {@code multi}, which checks what was only read.
 * One read alone is not checked at all: it is as old as the server.
 */
final class ZookeeperSession implements StoreSession {
  private static final int TIMEOUT_MS = 15_000;

  /** The version of a node that is not there. */
  private static final int ABSENT = -1;

  private final ZooKeeper client;
  private final String folder;
  private final boolean sync;

  /** Versions of nodes, as they were when the transaction came to them first. */
  private final Map<Long, Integer> seen = new HashMap<>();

  private final Set<Long> read = new HashSet<>();
  private final Map<Long, Long> written = new HashMap<>();
  private volatile boolean cut;

  ZookeeperSession(String server, String folder, boolean sync)
      throws IOException, InterruptedException {
    this.client = connected(server);
    this.folder = folder;
    this.sync = sync;
  }

  /** A client that is connected to a server. */
  static ZooKeeper connected(String server) throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            server,
            TIMEOUT_MS,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    if (!connected.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
      client.close();
      throw new IOException("no connection to %s in %d ms".formatted(server, TIMEOUT_MS));
    }
    return client;
  }

  private String path(long register) {
    return folder + "/" + register;
  }

  @Override
  public void begin(TransactionScope scope) {
    seen.clear();
    read.clear();
    written.clear();
  }

  @Override
  public @Nullable Long read(long register) throws Exception {
    Long own = written.get(register);
    if (own != null) {
      return own;
    }
    read.add(register);
    return look(register);
  }

  private @Nullable Long look(long register) throws Exception {
    requireUncut();
    if (sync) {
      catchUp(path(register));
    }
    try {
      Stat stat = new Stat();
      byte[] data = client.getData(path(register), false, stat);
      remember(register, stat.getVersion());
      return Long.valueOf(new String(data, StandardCharsets.UTF_8));
    } catch (KeeperException.NoNodeException e) {
      remember(register, ABSENT);
      return null;
    }
  }

  /** Reading a register again shows whether it has changed, and so the commit would be refused. */
  private void remember(long register, int version) throws RefusedException {
    Integer before = seen.putIfAbsent(register, version);
    if (before != null && before != version) {
      throw new RefusedException("the node has changed since it was read");
    }
  }

  /** What the leader has committed until now has reached the server when this returns. */
  private void catchUp(String path) throws Exception {
    CompletableFuture<Integer> reply = new CompletableFuture<>();
    client.sync(path, (code, of, context) -> reply.complete(code), null);
    try {
      KeeperException.Code code = KeeperException.Code.get(reply.get());
      if (code != KeeperException.Code.OK && code != KeeperException.Code.NONODE) {
        throw KeeperException.create(code, path);
      }
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void write(long register, long version) throws Exception {
    if (!seen.containsKey(register)) {
      look(register);
    }
    written.put(register, version);
  }

  @Override
  public void commit() throws Exception {
    requireUncut();
    try {
      if (written.size() == 1 && written.keySet().containsAll(read) && overwrite()) {
        return;
      }
      List<Op> operations = new ArrayList<>();
      written.forEach((register, version) -> operations.add(write(register, bytes(version))));
      if (!written.isEmpty() || read.size() > 1) {
        read.stream().filter(r -> !written.containsKey(r)).forEach(r -> check(r, operations));
      }
      if (!operations.isEmpty()) {
        client.multi(operations);
      }
    } catch (KeeperException.BadVersionException
        | KeeperException.NodeExistsException
        | KeeperException.NoNodeException e) {
      throw new RefusedException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Overwrites the only register; false if it is absent. */
  private boolean overwrite() throws KeeperException, InterruptedException {
    Map.Entry<Long, Long> only = written.entrySet().iterator().next();
    int before = before(only.getKey());
    if (before == ABSENT) {
      return false;
    }
    client.setData(path(only.getKey()), bytes(only.getValue()), before);
    return true;
  }

  private int before(long register) {
    return seen.getOrDefault(register, ABSENT);
  }

  private static byte[] bytes(long version) {
    return Long.toString(version).getBytes(StandardCharsets.UTF_8);
  }

  private Op write(long register, byte[] data) {
    int before = before(register);
    return before == ABSENT
        ? Op.create(path(register), data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)
        : Op.setData(path(register), data, before);
  }

  /** That a node is absent can only be checked by making it. */
  private void check(long register, List<Op> operations) {
    int version = before(register);
    if (version == ABSENT) {
      operations.add(write(register, new byte[0]));
      operations.add(Op.delete(path(register), -1));
    } else {
      operations.add(Op.check(path(register), version));
    }
  }

  @Override
  public void rollBack() {}

  private void requireUncut() throws IOException {
    if (cut) {
      throw new IOException("the connection was cut");
    }
  }

  /** The client would notice after seconds, and connect again by itself, were it not told. */
  @Override
  public void cut() throws IOException {
    cut = true;
    client.getTestable().closeSocket();
    client.getTestable().injectSessionExpiration();
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

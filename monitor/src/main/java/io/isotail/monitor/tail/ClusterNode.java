package io.isotail.monitor.tail;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of a Galera cluster whose own log is not followed: how far it is, over a connection that
 * is opened again when it was lost. Not thread-safe.
 */
final class ClusterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  private final String address;
  private final Callable<Connection> connections;
  private final long database;
  private @Nullable BinlogServer server;

  /** Since when it has not answered, by {@link System#nanoTime}. */
  private long silentSinceNs;

  private boolean silent;

  /** Transactions up to this number are visible. */
  private long visible;

  /**
   * The log of the node ended here when it had the transaction of {@link #atEnd}; null for none.
   */
  private BinlogServer.@Nullable LogEnd end;

  private long atEnd;

  /**
   * Nothing was asked yet.
   *
   * @param database number of the cluster
   */
  ClusterNode(String address, Callable<Connection> connections, long database) {
    this.address = address;
    this.connections = connections;
    this.database = database;
  }

  /**
   * Number of the last transaction that the node has.
   *
   * @return negative if it does not answer, or takes no queries
   * @throws IllegalStateException if it is no node of this cluster
   */
  long lastSequence() {
    try {
      BinlogServer open = open();
      boolean ready = open.clusterSize() > 0;
      note(ready ? null : "it takes no queries");
      return ready ? open.lastSequence() : -1;
    } catch (IllegalStateException e) {
      throw e;
    } catch (Exception e) {
      lost(e);
      return -1;
    }
  }

  /** Whether the node shows all up to a transaction; false also if it does not answer. */
  boolean shows(long sequence) {
    if (sequence <= visible) {
      return true;
    }
    try {
      BinlogServer open = open();
      if (end == null) {
        long last = open.lastSequence();
        if (last < sequence) {
          return false;
        }
        atEnd = last;
        end = open.end();
      }
      if (!open.isVisible(end.file(), end.position())) {
        return false;
      }
      visible = atEnd;
      end = null;
      return sequence <= visible;
    } catch (IllegalStateException e) {
      throw e;
    } catch (Exception e) {
      lost(e);
      return false;
    }
  }

  /** For how long it has not answered, in nanoseconds; 0 if it does. */
  long silentNs() {
    return silent ? Math.max(1, System.nanoTime() - silentSinceNs) : 0;
  }

  private BinlogServer open() throws Exception {
    BinlogServer open = server;
    if (open == null) {
      open = new BinlogServer(connections.call());
      server = open;
      if (open.clusterSize() > 0 && open.database() != database) {
        close();
        throw new IllegalStateException(
            "%s is no node of the cluster whose log is followed, or its wsrep_gtid_mode is OFF"
                .formatted(address));
      }
    }
    return open;
  }

  private void lost(Exception why) {
    close();
    note(why.getMessage() == null ? why.toString() : why.getMessage());
  }

  private void note(@Nullable String problem) {
    if (problem != null && !silent) {
      LOG.warn("node {} does not tell how far it is: {}", address, problem);
      silentSinceNs = System.nanoTime();
    } else if (problem == null && silent) {
      LOG.info("node {} tells how far it is", address);
    }
    silent = problem != null;
  }

  @Override
  public void close() {
    BinlogServer open = server;
    server = null;
    end = null;
    visible = 0; // It may come back with less.
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("closing the connection to {}", address, e);
      }
    }
  }
}

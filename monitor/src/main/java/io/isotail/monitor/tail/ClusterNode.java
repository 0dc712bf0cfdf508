package io.isotail.monitor.tail;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of a Galera cluster whose own log is not followed. A thread of its own asks it ten times a
 * second how far it is, over a connection that is opened again when it was lost: a node that hangs
 * holds nobody up. Safe for use by many threads.
 */
final class ClusterNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterNode.class);

  private static final long PAUSE_MS = 100;
  private static final long PAUSE_AFTER_FAILURE_MS = 1_000;
  private static final int PATIENCE_MS = 5_000;

  private final String address;
  private final Callable<Connection> connections;
  private final long database;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread asker;
  private volatile Answer answer = Answer.none(System.nanoTime());

  /** Opened and used by the asking thread alone. */
  private @Nullable BinlogServer server;

  private boolean fit;

  /** Transactions up to this number are visible. */
  private long visible;

  /**
   * The log of the node ended here when it had the transaction of {@link #atEnd}; null for none.
   */
  private BinlogServer.@Nullable LogEnd end;

  private long atEnd;
  private String lastWords = "";

  /**
   * What was learnt last.
   *
   * @param id of the running node, which no other one has; null while it does not take queries
   * @param askedNs when that was asked, by {@link System#nanoTime}; the first time without an
   *     answer, if there is none
   * @param last number of the last transaction that it has
   * @param visible transactions up to this number were visible, also before it fell silent
   * @param unfit whether it takes queries, and nobody knows how far it is
   */
  record Answer(@Nullable String id, long askedNs, long last, long visible, boolean unfit) {
    static Answer none(long sinceNs) {
      return new Answer(null, sinceNs, 0, 0, false);
    }

    /** It takes no queries, as far as can be seen from here, since this moment or before. */
    Answer silent(long nowNs) {
      return new Answer(null, id == null && !unfit ? askedNs : nowNs, 0, visible, false);
    }
  }

  /**
   * Asks from now on.
   *
   * @param connections opens a connection to the node
   * @param database number of the cluster
   */
  ClusterNode(String address, Callable<Connection> connections, long database) {
    this.address = address;
    this.connections = connections;
    this.database = database;
    this.asker = new Thread(this::ask, "isotail-node " + address);
    asker.setDaemon(true);
    asker.start();
  }

  String address() {
    return address;
  }

  Answer answer() {
    return answer;
  }

  private void ask() {
    try {
      boolean answered = true;
      while (!closing.await(answered ? PAUSE_MS : PAUSE_AFTER_FAILURE_MS, TimeUnit.MILLISECONDS)) {
        answered = askOnce();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      disconnect();
    }
  }

  private boolean askOnce() {
    long nowNs = System.nanoTime();
    try {
      BinlogServer open = open();
      String id = open.clusterSize() > 0 ? open.nodeId() : null;
      if (id == null) {
        say("it takes no queries");
        answer = answer.silent(nowNs);
        return false;
      }
      if (!isFit(open)) {
        answer = new Answer(null, nowNs, 0, 0, true);
        return false;
      }
      long last = open.lastSequence();
      look(open, last);
      say("");
      answer = new Answer(id, nowNs, last, visible, false);
      return true;
    } catch (Exception e) {
      disconnect();
      say(e.getMessage() == null ? e.toString() : e.getMessage());
      answer = answer.silent(nowNs);
      return false;
    }
  }

  /** Its settings are asked for until they are right, once for a connection. */
  private boolean isFit(BinlogServer open) throws SQLException {
    if (!fit) {
      List<String> problems = open.problems();
      if (open.database() != database) {
        problems.add("it is of another cluster");
      }
      fit = problems.isEmpty();
      if (!fit) {
        say(String.join("; ", problems));
      }
    }
    return fit;
  }

  /** What is in the log becomes visible a moment later. */
  private void look(BinlogServer open, long last) throws SQLException {
    if (last < atEnd) {
      end = null; // The log was begun anew.
      visible = Math.min(visible, last);
    }
    BinlogServer.LogEnd until = end;
    if (until == null) {
      atEnd = last;
      until = open.end();
    }
    boolean shown = open.isVisible(until.file(), until.position());
    visible = shown ? atEnd : visible;
    end = shown ? null : until;
  }

  private BinlogServer open() throws Exception {
    BinlogServer open = server;
    if (open == null) {
      open = new BinlogServer(connections.call());
      server = open;
      open.limitWaits(PATIENCE_MS);
    }
    return open;
  }

  /** What is wrong is said once, as long as it stays the same. */
  private void say(String words) {
    if (words.equals(lastWords)) {
      return;
    }
    lastWords = words;
    if (words.isEmpty()) {
      LOG.info("node {} tells how far it is", address);
    } else if (closing.getCount() > 0) {
      LOG.warn("node {} does not tell how far it is: {}", address, words);
    }
  }

  private void disconnect() {
    BinlogServer open = server;
    server = null;
    fit = false;
    end = null;
    visible = 0; // It may come back with less.
    atEnd = 0;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("closing the connection to {}", address, e);
      }
    }
  }

  /** Asks no more. */
  @Override
  public void close() {
    closing.countDown();
  }
}

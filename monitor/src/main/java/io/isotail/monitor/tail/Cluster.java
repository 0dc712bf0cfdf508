package io.isotail.monitor.tail;

import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The server whose log is followed and the other nodes of its Galera cluster, if it is of one. Each
 * node commits the same transactions in the same order under the same numbers, some a little later:
 * one log tells all of them, and a mark in the stream is true of all nodes only when it has told
 * what any of them has, and each of them shows what the mark before has told.
 *
 * <p>A node that does not answer may still answer its clients, with what it had, until it knows
 * that it was left alone. Galera gives a node up after {@code evs.inactive_timeout}, 15 s if nobody
 * has set it: marks wait for {@value #GONE_S} s, and until the cluster has no more nodes than
 * answer.
 *
 * <p>Not thread-safe.
 */
final class Cluster implements AutoCloseable {
  private static final long GONE_S = 30;

  private final BinlogServer followed;
  private final List<ClusterNode> others;

  /**
   * A server, and the other nodes of its cluster.
   *
   * @param others none for a server that is of no cluster
   */
  Cluster(BinlogServer followed, List<ClusterNode> others) {
    this.followed = followed;
    this.others = List.copyOf(others);
  }

  /**
   * Number of the last transaction that any node has; empty as long as there may be nodes of which
   * that is not known.
   */
  OptionalLong lastSequence() throws SQLException {
    long last = followed.lastSequence();
    int answer = 1;
    boolean gone = true;
    for (ClusterNode node : others) {
      long of = node.lastSequence();
      last = Math.max(last, of);
      answer += of < 0 ? 0 : 1;
      gone &= of >= 0 || isGone(node);
    }
    boolean all = others.isEmpty() || (gone && isAll(answer));
    return all ? OptionalLong.of(last) : OptionalLong.empty();
  }

  /** Whether each node that answers shows all up to a transaction, and the others have gone. */
  boolean shows(long sequence) throws SQLException {
    int show = 1;
    boolean all = true;
    for (ClusterNode node : others) {
      boolean shows = node.shows(sequence);
      show += shows ? 1 : 0;
      all &= shows || isGone(node);
    }
    return all && (others.isEmpty() || isAll(show));
  }

  private boolean isAll(int nodes) throws SQLException {
    int size = followed.clusterSize();
    if (size == 0) {
      throw new SQLException("the node has lost its cluster, and takes no queries");
    }
    return size <= nodes;
  }

  private static boolean isGone(ClusterNode node) {
    return node.silentNs() > TimeUnit.SECONDS.toNanos(GONE_S);
  }

  @Override
  public void close() {
    others.forEach(ClusterNode::close);
  }
}

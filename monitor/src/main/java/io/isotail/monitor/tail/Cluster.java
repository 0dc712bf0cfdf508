package io.isotail.monitor.tail;

import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server whose log is followed and the other nodes of its Galera cluster, if it is of one. Each
 * node commits the same transactions in the same order under the same numbers, some a little later:
 * one log tells all of them, and a mark in the stream is true of all nodes only when it has told
 * what any of them has, and each of them shows what the mark before has told.
 *
 * <p>A node that does not answer may still answer its clients, with what it had, until it knows
 * that it was left alone: after {@code evs.inactive_timeout}. Marks wait for {@value #GONE_S} s,
 * and until the cluster has no more nodes than answer.
 *
 * <p>Used by one thread.
 */
final class Cluster implements AutoCloseable {
  /** Longer than a node may take to know that it was left alone, in seconds. */
  static final int GONE_S = 30;

  private static final long SAID_AFTER_MS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

  private final BinlogServer followed;
  private final List<ClusterNode> others;
  private final boolean single;
  private String lastWords = "";

  /**
   * A server, and the other nodes of its cluster.
   *
   * @param others none for a server that is of no cluster
   */
  Cluster(BinlogServer followed, List<ClusterNode> others) throws SQLException {
    this.followed = followed;
    this.others = List.copyOf(others);
    this.single = others.isEmpty() && !followed.isOfCluster();
  }

  /**
   * Number of the last transaction that any node had at a moment; empty as long as there may be
   * nodes of which that is not known.
   *
   * @param sinceNs the moment, by {@link System#nanoTime}
   */
  OptionalLong lastSequence(long sinceNs) throws SQLException {
    if (single) {
      return OptionalLong.of(followed.lastSequence());
    }
    long last = 0;
    Set<@Nullable String> answering = new HashSet<>(); // Two names may be of one node.
    for (ClusterNode node : others) {
      ClusterNode.Answer answer = node.answer();
      if (answer.id() != null) {
        if (answer.askedNs() - sinceNs < 0) {
          return OptionalLong.empty(); // It is asked again in a moment.
        }
        answering.add(answer.id());
        last = Math.max(last, answer.last());
      } else if (!isGone(answer)) {
        if (isSilentFor(answer, SAID_AFTER_MS)) {
          say("waits for node " + node.address());
        }
        return OptionalLong.empty();
      }
    }
    answering.add(followed.nodeId());
    last = Math.max(last, followed.lastSequence());
    return areAll(answering.size()) ? OptionalLong.of(last) : OptionalLong.empty();
  }

  /** Whether each node shows all up to a transaction, or has gone. */
  boolean shows(long sequence) {
    for (ClusterNode node : others) {
      ClusterNode.Answer answer = node.answer();
      if (answer.visible() < sequence && !isGone(answer)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the cluster has no more nodes than these. */
  private boolean areAll(int nodes) throws SQLException {
    int size = followed.requireCluster();
    say(
        size > nodes
            ? "waits: the cluster has %d nodes, and %d of those that --url names answer"
                .formatted(size, nodes)
            : "");
    return size <= nodes;
  }

  private static boolean isGone(ClusterNode.Answer answer) {
    return answer.id() == null
        && !answer.unfit()
        && isSilentFor(answer, TimeUnit.SECONDS.toMillis(GONE_S));
  }

  private static boolean isSilentFor(ClusterNode.Answer answer, long ms) {
    return System.nanoTime() - answer.askedNs() > TimeUnit.MILLISECONDS.toNanos(ms);
  }

  private void say(String words) {
    if (!words.equals(lastWords)) {
      lastWords = words;
      LOG.info("the log of the cluster {}", words.isEmpty() ? "goes on" : words);
    }
  }

  @Override
  public void close() {
    others.forEach(ClusterNode::close);
  }
}

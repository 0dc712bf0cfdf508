package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a level's graph consists of: its transactions, the versions of each key in their guessed
 * order, and the dependencies, which enter in topological order. It decides nothing by itself.
 */
final class EventGraph {
  final GraphId id;
  final EventOrder order = new EventOrder();
  final RetirementNotes notes = new RetirementNotes();

  /** What is to enter the graph. */
  final WantedEdges edges;

  /** The nodes that are in the window, in the order in which they were added. */
  final LinkedItems<TransactionNode> inWindow = new LinkedItems<>();

  final Long2ObjectOpenHashMap<KeyVersions> keys = new Long2ObjectOpenHashMap<>();

  /** Ends of transactions that are not ordered by time, since they came too late. */
  long unordered;

  /** An empty graph of a level from {@code prefix} on. */
  EventGraph(IsolationLevel level) {
    this.id = new GraphId(level);
    this.edges = new WantedEdges(level, notes);
  }

  /** The node of a transaction, null if it is not part of the graph. */
  @Nullable TransactionNode nodeOf(Transaction transaction) {
    return TransactionNode.of(transaction, id);
  }

  /** A transaction that is not yet in the graph. */
  TransactionNode newNode(Transaction transaction) {
    return new TransactionNode(id, transaction, !id.level.tellsBeginFromCommit());
  }

  /** A node enters the window, without dependencies. */
  void append(TransactionNode node) {
    order.append(node);
    node.enter();
    inWindow.add(node);
  }

  /** The versions of a key. */
  KeyVersions versions(long key) {
    KeyVersions versions = keys.get(key);
    if (versions == null) {
      versions = new KeyVersions(key);
      keys.put(key, versions);
    }
    return versions;
  }

  /** Forgets a key of which nothing is known any more. */
  void forgetIfEmpty(KeyVersions versions) {
    if (versions.size() == 0 && !versions.isRead() && versions.lists == null) {
      keys.remove(versions.id);
    }
  }

  /** Enters all that is wanted, of which is known that it closes no cycle. */
  void enterAll() {
    for (Dependency next = edges.poll(); next != null; next = edges.poll()) {
      if (!next.dead && order.enter(next) != null) {
        throw new IllegalStateException("a cycle without the transaction that closed it: " + next);
      }
    }
  }

  /** Takes out a read. */
  void takeOut(ReadEdge readEdge) {
    WantedEdges.disconnect(readEdge);
    readEdge.version.removeReader(readEdge);
    readEdge.reader.reads.takeOut(readEdge);
    if (readEdge.shown != null) {
      readEdge.shown.withdraw();
    }
    notes.noteOverwritten(readEdge.version);
    if (readEdge.version.writer == null) {
      forgetIfEmpty(readEdge.version.key);
    }
  }
}

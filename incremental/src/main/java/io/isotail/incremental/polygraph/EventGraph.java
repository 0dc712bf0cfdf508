package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.polygraph.TimePoint.Begun;
import io.isotail.incremental.snapshot.Numbered;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.objects.Reference2ObjectOpenHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a level's graph consists of: its transactions, the versions of each key in their guessed
 * order, and the dependencies, which enter in topological order. It decides nothing by itself.
 */
final class EventGraph {
  final IsolationLevel level;
  private final boolean lasting;
  final ImpliedEdges implied;
  final EventOrder order;
  final RetirementNotes notes = new RetirementNotes();

  /** What is to enter the graph. */
  final WantedEdges edges;

  /** The nodes that are in the window, in the order in which they were added. */
  final LinkedItems<TransactionNode> inWindow = new LinkedItems<>();

  private final Map<Transaction, TransactionNode> nodes = new Reference2ObjectOpenHashMap<>();
  final Long2ObjectOpenHashMap<KeyVersions> keys = new Long2ObjectOpenHashMap<>();

  /** Of how many keys list reads show anything of the order of the versions. */
  int keysWithLists;

  /**
   * So many ends may be later than one that is added; beyond it that one is not ordered by time.
   */
  int mostPointsBack = Integer.MAX_VALUE;

  /** Ends of transactions that are not ordered by time, since they came too late. */
  long unordered;

  /**
   * An empty graph of a level from {@code prefix} on.
   *
   * @param lasting whether it is what holds its transactions, and no copy for one search
   */
  EventGraph(IsolationLevel level, boolean lasting) {
    this.lasting = lasting;
    this.level = level;
    this.implied = new ImpliedEdges(level);
    this.order = new EventOrder(implied);
    this.edges = new WantedEdges(implied, notes);
  }

  /** The node of a transaction, null if it is not part of the graph. */
  @Nullable TransactionNode nodeOf(Transaction transaction) {
    return nodes.get(transaction);
  }

  /** A transaction that is not yet in the graph. */
  TransactionNode newNode(Transaction transaction) {
    return new TransactionNode(transaction, !level.tellsBeginFromCommit());
  }

  /** A node enters the window, without dependencies. */
  void append(TransactionNode node) {
    order.append(node);
    take(node);
    inWindow.add(node);
  }

  /** A node becomes part of the graph. */
  void take(TransactionNode node) {
    nodes.put(node.transaction, node);
    node.transaction.held += lasting ? 1 : 0;
  }

  /** A node is no longer part of the graph. */
  void forget(TransactionNode node) {
    nodes.remove(node.transaction);
    node.transaction.held -= lasting ? 1 : 0;
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
    ClosedCycle closed = enterWanted();
    if (closed != null) {
      throw new IllegalStateException(
          "a cycle without the transaction that closed it: " + closed.closing());
    }
  }

  /**
   * Enters what is wanted, one after the other, up to the first that closes a cycle: that one is
   * left out, and those behind it are still wanted.
   *
   * @return null if all have entered
   */
  @Nullable ClosedCycle enterWanted() {
    for (Numbered next = edges.poll(); next != null; next = edges.poll()) {
      ClosedCycle closed;
      if (next instanceof ReadEdge read) {
        closed = enter(read);
      } else if (next instanceof VersionSlot slot) {
        closed = enter(slot);
      } else if (next instanceof TransactionNode node) {
        closed = enter(node);
      } else if (next instanceof TimePoint point) {
        closed = enter(point);
      } else if (next instanceof Begun begun) {
        closed = enter(begun);
      } else {
        closed = order.enter((Dependency) next);
      }
      if (closed != null) {
        return closed;
      }
    }
    return null;
  }

  private @Nullable ClosedCycle enter(ReadEdge read) {
    ClosedCycle closed = null;
    if (read.from == EdgeState.WANTED) {
      closed = order.enter(read.version.owner().commit, implied.fromEnds(read), read);
      read.from = closed == null ? EdgeState.ENTERED : read.from;
    }
    VersionSlot next = read.version.next;
    if (closed == null && next != null && read.behind == EdgeState.WANTED) {
      Event to = implied.behindEnds(read, next.owner());
      closed = order.enter(ImpliedEdges.behindBegins(read), to, read);
      read.behind = closed == null ? EdgeState.ENTERED : read.behind;
    }
    return closed;
  }

  private @Nullable ClosedCycle enter(TransactionNode node) {
    TransactionNode before = node.before;
    if (before == null || node.afterBefore != EdgeState.WANTED) {
      return null;
    }
    ClosedCycle closed = order.enter(before.commit, node.begin, node);
    if (closed == null) {
      node.afterBefore = EdgeState.ENTERED;
      node.joinRun(before);
    }
    return closed;
  }

  private @Nullable ClosedCycle enter(TimePoint point) {
    ClosedCycle closed = null;
    if (point.ended != null && point.fromEnded == EdgeState.WANTED) {
      closed = order.enter(point.ended.commit, point, point);
      point.fromEnded = closed == null ? EdgeState.ENTERED : point.fromEnded;
    }
    if (closed == null && point.next != null && point.toNext == EdgeState.WANTED) {
      closed = order.enter(point, point.next, point);
      point.toNext = closed == null ? EdgeState.ENTERED : point.toNext;
    }
    return closed;
  }

  private @Nullable ClosedCycle enter(Begun begun) {
    if (begun.after != EdgeState.WANTED) {
      return null;
    }
    ClosedCycle closed = order.enter(begun.point, begun.node.begin, begun);
    begun.after = closed == null ? EdgeState.ENTERED : begun.after;
    return closed;
  }

  /** Takes a transaction out of its session: the one before it leads to the one after it. */
  void leaveSession(TransactionNode node) {
    TransactionNode before = node.before;
    TransactionNode after = node.after;
    boolean entered = node.afterBefore == EdgeState.ENTERED;
    if (before != null) {
      before.after = after;
    }
    if (after != null) {
      entered &= after.afterBefore == EdgeState.ENTERED;
      after.before = before;
      after.afterBefore = EdgeState.ABSENT;
    }
    if (before != null && after != null && entered) {
      after.afterBefore = EdgeState.ENTERED;
    } else if (before != null && after != null) {
      edges.wantAfter(before, after);
    }
    node.before = null;
    node.after = null;
    node.afterBefore = EdgeState.ABSENT;
  }

  private @Nullable ClosedCycle enter(VersionSlot slot) {
    VersionSlot next = slot.next;
    if (next == null || slot.overwritten != EdgeState.WANTED) {
      return null;
    }
    ClosedCycle closed = order.enter(slot.owner().commit, implied.overwriting(next.owner()), slot);
    slot.overwritten = closed == null ? EdgeState.ENTERED : slot.overwritten;
    return closed;
  }

  /** Takes out a read. */
  void takeOut(ReadEdge readEdge) {
    readEdge.from = EdgeState.ABSENT;
    readEdge.behind = EdgeState.ABSENT;
    readEdge.unlink();
    if (readEdge.shown != null) {
      readEdge.shown.inForce = null;
    }
    notes.noteOverwritten(readEdge.version);
    if (readEdge.version.writer == null) {
      forgetIfEmpty(readEdge.version.key);
    }
  }
}

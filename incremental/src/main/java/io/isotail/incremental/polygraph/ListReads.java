package io.isotail.incremental.polygraph;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts into force what list reads show of the order of versions: the writer of the earlier of two
 * neighbours commits before the writer of the later one, and no other version stands between.
 *
 * <p>What is shown waits for both writers, whichever comes last, and ends when the transaction
 * whose list shows it leaves.
 */
final class ListReads {
  private ListReads() {}

  /**
   * Takes what the list reads of a new node show: the order of neighbours of which both are
   * decided, and else who wrote an element that is. Nothing where they were undone, are bad, or
   * left out.
   */
  static void add(EventGraph graph, TransactionNode node) {
    Transaction t = node.transaction;
    for (int i = 0; i < t.operations.size(); i++) {
      int end = t.operations.listEnd(i);
      boolean counts = !t.operations.undone(i) && !t.leavesOutReadsOf(t.operations.key(i));
      if (end > i && counts && !ListRead.isLeftOut(t, end)) {
        addList(graph, node, i, end);
      }
      i = end;
    }
  }

  private static void addList(EventGraph graph, TransactionNode node, int first, int read) {
    Transaction t = node.transaction;
    // Of a list that ends with own elements it is known who wrote each of them. What it begins with
    // may be none: a part that is not shown, or the initial version where that is in doubt.
    boolean all = Arrays.binarySearch(t.listedVersions, read) >= 0;
    int at = Arrays.binarySearch(t.readOperations, first);
    int next = at < 0 ? -1 - at : at;
    ListAdjacency last = null;
    boolean before = false;
    for (int i = first; i <= read; i++) {
      boolean isRead = next < t.readOperations.length && t.readOperations[next] == i;
      next += isRead ? 1 : 0;
      boolean decided = isRead || (all && t.operations.versionKind(i) == VersionKind.KNOWN);
      if (before && decided) {
        last = show(graph, node, last, i - 1);
      } else if (before) {
        readsFrom(graph, node, i - 1);
      }
      if (!decided && last != null) {
        end(node, last);
        last = null;
      }
      before = decided;
    }
    if (last != null) {
      end(node, last);
    }
  }

  private static void end(TransactionNode node, ListAdjacency last) {
    if (last.ends(node)) {
      node.addShown(last);
    }
  }

  private static ListAdjacency show(
      EventGraph graph, TransactionNode node, @Nullable ListAdjacency last, int listed) {
    Operations ops = node.transaction.operations;
    boolean initial = ops.versionKind(listed) == VersionKind.INITIAL;
    KeyLists lists = last == null ? listsOf(graph, ops.key(listed)) : last.key.lists();
    ListAdjacency shown =
        lists.next(last, initial, initial ? 0 : ops.version(listed), ops.version(listed + 1));
    if (shown.inForce == null) {
      if (!enforce(graph, lists, shown) && !enforceAsRead(graph, node, shown, listed)) {
        graph.notes.noteUnknownWriter();
        readsFrom(graph, node, listed);
      } else if (shown.inForce != null) {
        node.broughtIntoForce(shown);
      }
    }
    return shown;
  }

  /**
   * Who wrote an element comes before who reads it. Where the order of the list is in force that
   * follows, since each writer comes before the next one and the last before the reader.
   */
  private static void readsFrom(EventGraph graph, TransactionNode node, int element) {
    if (node.transaction.writerRead(element) == Transaction.INITIAL) {
      return;
    }
    VersionSlot slot = slotRead(graph, node, element);
    if (slot == null || slot.writer == null || slot.writer == node) {
      return;
    }
    ReadEdge last = slot.readers().last();
    if (last == null || last.reader != node || !last.isRead()) {
      ReadEdge read = ReadEdge.ofElement(node, slot);
      read.link();
      graph.edges.wantRead(read);
    }
  }

  /**
   * Puts an order into force between the writers that the reader is known to have read from: a
   * version alone may be of several, or of one of which only the last version is still known.
   */
  private static boolean enforceAsRead(
      EventGraph graph, TransactionNode node, ListAdjacency shown, int listed) {
    VersionSlot earlier = shown.initial ? shown.key : slotRead(graph, node, listed);
    VersionSlot later = slotRead(graph, node, listed + 1);
    return enforce(graph, shown, earlier, later);
  }

  /** The writer of an element among those of its key; null if it is not there. */
  private static @Nullable VersionSlot slotRead(
      EventGraph graph, TransactionNode node, int element) {
    Transaction t = node.transaction;
    long key = t.operations.key(element);
    Transaction writer = t.writerRead(element);
    if (writer == Transaction.INITIAL) {
      return graph.versions(key);
    }
    // Of a decided list, what was read from nobody else is its own.
    TransactionNode source = writer == null ? node : graph.nodeOf(writer);
    return source == null ? null : source.slotOf(key);
  }

  private static KeyLists listsOf(EventGraph graph, long key) {
    KeyVersions versions = graph.versions(key);
    if (versions.lists == null) {
      versions.lists = new KeyLists(versions);
      graph.keysWithLists++;
    }
    return versions.lists;
  }

  /** Puts into force what both writers are there for. */
  static void enforce(EventGraph graph, List<ListAdjacency> all) {
    for (ListAdjacency shown : all) {
      KeyLists lists = shown.key.lists;
      if (lists != null) {
        enforce(graph, lists, shown);
      }
    }
  }

  private static boolean enforce(EventGraph graph, KeyLists lists, ListAdjacency shown) {
    return enforce(graph, shown, lists.earlier(shown), lists.later(shown));
  }

  /** Puts an order into force; false if a writer is not there, or not certain. */
  private static boolean enforce(
      EventGraph graph,
      ListAdjacency shown,
      @Nullable VersionSlot earlier,
      @Nullable VersionSlot later) {
    if (earlier == null || later == null || later.writer == null) {
      return false;
    }
    shown.enforced = true;
    if (earlier == later || shown.key.lists().isInForce(shown)) {
      return true;
    }
    ReadEdge behind = ReadEdge.listedBehind(later.writer, earlier, shown);
    behind.link();
    shown.inForce = behind;
    graph.edges.wantRead(behind);
    graph.edges.connect(behind);
    return true;
  }

  /**
   * Whether an order is forgotten with a transaction: no other's list shows it, and the writers are
   * still ordered by it or are still to be.
   */
  static boolean showsWhatIsLost(TransactionNode node) {
    for (ListAdjacency end : node.shows) {
      ListAdjacency left = null;
      for (ListAdjacency at = end;
          at != null && at.isShownOnlyBy(node, left);
          left = at, at = at.before) {
        if (at.key.lists().same(at) == null && (at.inForce != null || !at.enforced)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Forgets what a node's lists show.
   *
   * @param passOn whether what the lists of others show too holds on; not if it did not hold before
   *     this node came
   */
  static void forgetShownBy(EventGraph graph, TransactionNode node, boolean passOn) {
    if (!passOn) {
      for (ListAdjacency shown : node.broughtIntoForce()) {
        takeOut(graph, shown);
      }
    }
    for (ListAdjacency end : node.shows) {
      end.endsNoMore(node);
      for (ListAdjacency at = end; at != null && !at.isShown(); at = at.before) {
        forget(graph, at, passOn);
      }
    }
    node.shows = List.of();
  }

  private static void forget(EventGraph graph, ListAdjacency shown, boolean passOn) {
    boolean held = passOn || shown.inForce != null;
    takeOut(graph, shown);
    KeyLists lists = shown.key.lists();
    lists.remove(shown);
    ListAdjacency same = lists.same(shown);
    if (same != null && held) {
      enforce(graph, lists, same);
    } else if (same == null && lists.all.isEmpty()) {
      shown.key.lists = null;
      graph.keysWithLists--;
      graph.forgetIfEmpty(shown.key);
    }
  }

  private static void takeOut(EventGraph graph, ListAdjacency shown) {
    if (shown.inForce != null) {
      graph.takeOut(shown.inForce);
    }
  }
}

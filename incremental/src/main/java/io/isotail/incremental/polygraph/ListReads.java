package io.isotail.incremental.polygraph;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Puts into force what list reads show of the order of versions: the writer of the earlier of two
 * neighbours commits before the writer of the later one, and no other version stands between.
 *
 * <p>What is shown waits for both writers, whichever comes last, and ends when the transaction
 * whose list shows it leaves.
 */
final class ListReads {
  private ListReads() {}

  /** Takes what the list reads of a new node show, unless the read is bad or undecided. */
  static void add(EventGraph graph, TransactionNode node) {
    Operations ops = node.transaction.operations;
    for (int i = 0; i < ops.size(); i++) {
      int read = ListRead.endOf(node.transaction, i);
      for (; i < read; i++) {
        show(graph, node, i);
      }
    }
    if (!node.shows.isEmpty()) {
      node.shows.sort(Comparator.comparingLong(shown -> shown.key.id));
    }
  }

  private static void show(EventGraph graph, TransactionNode node, int listed) {
    Operations ops = node.transaction.operations;
    boolean initial = ops.versionKind(listed) == VersionKind.INITIAL;
    if (!isDecided(node.transaction, listed) || !isDecided(node.transaction, listed + 1)) {
      return;
    }
    KeyVersions versions = graph.versions(ops.key(listed));
    if (versions.lists == null) {
      versions.lists = new KeyLists(versions);
    }
    ListAdjacency shown =
        new ListAdjacency(
            node, versions, initial, initial ? 0 : ops.version(listed), ops.version(listed + 1));
    versions.lists.add(shown);
    node.addShown(shown);
    enforce(graph, List.of(shown));
    if (!shown.enforced) {
      graph.notes.noteUnknownWriter();
    }
  }

  /** Whether it is known who wrote an element; of a list that ends with own ones it always is. */
  private static boolean isDecided(Transaction t, int element) {
    return Arrays.binarySearch(t.readOperations, element) >= 0
        || Arrays.binarySearch(t.listedVersions, t.operations.listEnd(element)) >= 0;
  }

  /** Puts into force what both writers are there for. */
  static void enforce(EventGraph graph, List<ListAdjacency> all) {
    for (ListAdjacency shown : all) {
      KeyLists lists = shown.key.lists;
      VersionSlot earlier = lists == null ? null : lists.earlier(shown);
      VersionSlot later = lists == null ? null : lists.later(shown);
      if (lists == null || earlier == null || later == null || later.writer == null) {
        continue;
      }
      shown.enforced = true;
      if (earlier == later || lists.isInForce(shown)) {
        continue;
      }
      if (earlier.writer != null) {
        shown.ww = graph.edges.wantOverwriting(earlier.writer, later.writer, shown.key);
      }
      ReadEdge behind = new ReadEdge(later.writer, earlier, shown);
      earlier.addReader(behind);
      later.writer.reads.add(behind);
      shown.inForce = behind;
      graph.edges.connect(behind);
    }
  }

  /**
   * Whether an order is forgotten with the transaction that shows it: no other does, and the
   * writers are still ordered by it or are still to be.
   */
  static boolean isLost(ListAdjacency shown) {
    KeyLists lists = shown.key.lists;
    boolean shownByOthers = lists != null && lists.same(shown) != null;
    return !shownByOthers && (shown.inForce != null || !shown.enforced);
  }

  /**
   * Forgets what a node's lists show.
   *
   * @param passOn whether what the lists of others show too holds on; not if it did not hold before
   *     this node came
   */
  static void forgetShownBy(EventGraph graph, TransactionNode node, boolean passOn) {
    for (ListAdjacency shown : node.shows) {
      if (shown.inForce != null) {
        graph.takeOut(shown.inForce);
      }
      KeyLists lists = shown.key.lists;
      if (lists != null) {
        lists.remove(shown);
        ListAdjacency same = lists.same(shown);
        if (same != null && passOn) {
          enforce(graph, List.of(same));
        } else if (same == null && lists.all.isEmpty()) {
          shown.key.lists = null;
          graph.forgetIfEmpty(shown.key);
        }
      }
    }
    node.shows = List.of();
  }
}

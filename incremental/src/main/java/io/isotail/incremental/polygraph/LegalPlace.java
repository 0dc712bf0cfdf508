package io.isotail.incremental.polygraph;

import io.isotail.incremental.level.IsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * Finds the latest place in a graph's order at which a transaction's versions fit between those of
 * others, so that nothing that follows from them contradicts the order. All that follows from its
 * reads, its session and its times has entered the graph before.
 *
 * <p>The place of its commit tells behind which version of each key it writes. That fits if nobody
 * who read this version begins after the commit; else it must commit before that version is
 * written. Under snapshot isolation and above it must moreover begin after that version is written,
 * else commit before the writer of that begins; and commit before the writer of the next version
 * begins. What must go before an event goes directly before it, and the keys are asked again, until
 * all agree or what the transaction must follow is in the way.
 *
 * <p>What is found is a guess, as the order may have to change later; but it closes no cycle now.
 */
final class LegalPlace {
  /** So many keys, versions and readers are looked at, and a few more for each key. */
  private static final int MOST_STEPS = 4_096;

  private static final int STEPS_PER_KEY = 4;

  private final EventGraph graph;
  private final boolean disjoint;

  /** The version behind which each key is written; valid after {@link #move} returned true. */
  private VersionSlot[] behind = {};

  /** How many more may be looked at. */
  private long steps;

  /** An event directly before which the commit goes, and the begin; null: last. */
  private @Nullable Event commitBefore;

  private @Nullable Event beginBefore;

  /** What must come before, the last of it. */
  private long lowest;

  private @Nullable Event earliest;

  private final ImpliedEdges.Visitor noteEarliest =
      (event, via) -> {
        earliest = earlier(earliest, event);
        return false;
      };

  private final ImpliedEdges.Visitor noteLowest =
      (event, via) -> {
        lowest = Math.max(lowest, event.position);
        return false;
      };

  LegalPlace(EventGraph graph) {
    IsolationLevel level = graph.level;
    this.graph = graph;
    this.disjoint = level.tellsBeginFromCommit() && !level.overwritersMayOverlap();
  }

  /** The version behind which the write of key number {@code i} goes. */
  VersionSlot behind(int i) {
    return behind[i];
  }

  /**
   * Moves a transaction to the latest place at which its writes fit.
   *
   * @param hinted behind which versions it is guessed to write by its time; the place is not later
   *     than that if such a place fits
   * @return false, and nothing moved, if no place fits or that takes too long to find
   */
  boolean move(TransactionNode node, VersionSlot[] hinted) {
    boolean behindAll = areLast(hinted);
    if (behindAll && isLast(node)) {
      behind = hinted;
      return true;
    }
    lowest = Long.MIN_VALUE;
    noteLatestBefore(node.begin);
    noteLatestBefore(node.commit);
    behind = hinted.clone();
    if (behindAll) {
      return fits(node, earliestAfter(node.commit));
    }
    if (fits(node, earlier(earliestAfter(node.commit), firstHinted(hinted)))) {
      return true;
    }
    for (int i = 0; i < hinted.length; i++) {
      behind[i] = hinted[i].key.last();
    }
    return fits(node, earliestAfter(node.commit));
  }

  /** Whether nothing comes behind it but points in time, which follow from its own end. */
  private static boolean isLast(TransactionNode node) {
    Event after = node.commit.listedAfter();
    while (after != null && after.node == null) {
      after = after.listedAfter();
    }
    return after == null;
  }

  private static boolean areLast(VersionSlot[] slots) {
    for (VersionSlot slot : slots) {
      if (slot.next != null) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Event firstHinted(VersionSlot[] hinted) {
    Event first = null;
    for (VersionSlot slot : hinted) {
      first = slot.next == null ? first : earlier(first, mustComeAfter(slot.next));
    }
    return first;
  }

  /** What the commit of a writer must come before if a version comes after its own. */
  private Event mustComeAfter(VersionSlot next) {
    TransactionNode writer = next.owner();
    return disjoint ? writer.begin : writer.commit;
  }

  private boolean fits(TransactionNode node, @Nullable Event latest) {
    commitBefore = latest;
    beginBefore = node.begin == node.commit ? null : earliestAfter(node.begin);
    steps = MOST_STEPS + (long) STEPS_PER_KEY * behind.length;
    boolean settled = false;
    while (!settled) {
      settled = true;
      for (int i = 0; i < behind.length && settled; i++) {
        steps--;
        stepBack(i);
        Event before = inTheWay(behind[i], node);
        if (before != null) {
          commitBefore = before;
          settled = false;
        }
        if (steps < 0 || limit(commitBefore) <= lowest) {
          return false;
        }
      }
    }
    graph.order.move(node.commit, commitBefore);
    if (node.begin != node.commit) {
      boolean early = limit(beginBefore) < node.commit.position;
      graph.order.move(node.begin, early ? beginBefore : node.commit);
    }
    return true;
  }

  /** To the last version that is written before the place. */
  private void stepBack(int i) {
    VersionSlot slot = behind[i];
    while (slot.writer != null
        && !slot.writer.retired
        && slot.writer.commit.position >= limit(commitBefore)
        && slot.previous != null
        && steps-- >= 0) {
      slot = slot.previous;
    }
    behind[i] = slot;
  }

  /** What the commit must come before, for this version to be directly before its own; or null. */
  private @Nullable Event inTheWay(VersionSlot slot, TransactionNode node) {
    VersionSlot next = slot.next;
    if (next != null && mustComeAfter(next).position < limit(commitBefore)) {
      return mustComeAfter(next);
    }
    TransactionNode writer = slot.writer;
    if (disjoint && writer != null && writer.commit.position >= limit(beginBefore)) {
      return writer.begin;
    }
    for (ReadEdge readEdge : slot.readers()) {
      Event read = ImpliedEdges.behindBegins(readEdge);
      boolean counts = readEdge.reader != node && !readEdge.element;
      if (counts && read.position >= limit(commitBefore)) {
        if (writer == null || writer.retired) {
          steps = -1; // nothing new comes before the initial version, or what has left
        }
        return writer == null ? read : writer.commit;
      }
      if (--steps < 0) {
        return read;
      }
    }
    return null;
  }

  private static long limit(@Nullable Event before) {
    return before == null ? Long.MAX_VALUE : before.position;
  }

  private static @Nullable Event earlier(@Nullable Event a, @Nullable Event b) {
    return limit(a) <= limit(b) ? a : b;
  }

  private @Nullable Event earliestAfter(Event event) {
    earliest = null;
    graph.implied.successors(event, noteEarliest);
    TimeEdges.successors(event, noteEarliest);
    return earliest;
  }

  private void noteLatestBefore(Event event) {
    graph.implied.predecessors(event, noteLowest);
    TimeEdges.predecessors(event, noteLowest);
  }
}

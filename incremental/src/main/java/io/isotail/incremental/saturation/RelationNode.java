package io.isotail.incremental.saturation;

import io.isotail.incremental.digraph.Node;
import io.isotail.incremental.window.StagePart;
import io.isotail.incremental.window.Transaction;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A delivered transaction in the commit relation: what happens before it, its place in the order of
 * each level, and its edges.
 *
 * <p>A transaction has one from the moment that the relation is saturated with it until it leaves
 * the window or the relation is let go. What leads to the node of a transaction that has left finds
 * an empty one.
 */
public final class RelationNode extends Node<RelationNode, CommitEdge> implements StagePart {
  private static final RelationNode[] NO_READERS = {};
  private static final long[] NO_POSITIONS = {};

  /** The transaction. */
  public final Transaction transaction;

  /** What happens before it; null once that has been let go. */
  @Nullable Clock clock;

  /** Position in the order of each weaker level, while those have orders of their own. */
  long[] weakerPositions = NO_POSITIONS;

  /** Its session predecessor, where that was in the window when this one was delivered. */
  @Nullable RelationNode before;

  /** The one whose {@link #before} is this one. */
  @Nullable RelationNode after;

  /** Whether the transaction is part of the relation. */
  private boolean present;

  /** The delivered transactions that read from this one, each once. */
  private RelationNode[] readers = NO_READERS;

  private int readerCount;

  /**
   * The edges that lead here, by the place of where they come from; null until one has been sought
   * among many. The edges tell it too, so it is not saved.
   */
  private @Nullable Long2ObjectOpenHashMap<CommitEdge> inByPlace;

  /** An empty one. */
  RelationNode(Transaction transaction) {
    this.transaction = transaction;
  }

  /** The node of a transaction, null if it is not part of the relation. */
  public static @Nullable RelationNode of(@Nullable Transaction t) {
    return t == null ? null : (RelationNode) t.relation;
  }

  /** The node of a delivered transaction, which becomes part of the relation if it is not yet. */
  public static RelationNode in(Transaction t) {
    RelationNode node = (RelationNode) t.relation;
    if (node == null) {
      node = new RelationNode(t);
      node.enter();
    }
    return node;
  }

  /** What happens before a transaction, null where no clock tells. */
  static @Nullable Clock clockOf(Transaction t) {
    RelationNode node = (RelationNode) t.relation;
    return node == null ? null : node.clock;
  }

  /** Makes the transaction part of the relation. */
  void enter() {
    present = true;
    transaction.relation = this;
  }

  /** Lets go of everything but the transaction, which is no longer part of the relation. */
  void remove() {
    present = false;
    transaction.relation = null;
    clock = null;
    before = null;
    after = null;
    readers = NO_READERS;
    readerCount = 0;
    position = 0;
    weakerPositions = NO_POSITIONS;
    inByPlace = null;
  }

  /** Whether the transaction is part of the relation. */
  public boolean isPresent() {
    return present;
  }

  /** It is the next one of its session after {@code predecessor}, which has no next one yet. */
  public void follow(RelationNode predecessor) {
    before = predecessor;
    predecessor.after = this;
  }

  /** Whether a clock tells what happens before it. */
  public boolean hasClock() {
    return clock != null;
  }

  /** The next one in session order; null if that was not delivered after it. */
  public @Nullable RelationNode after() {
    return after;
  }

  /** Its position in the order of a level. */
  public long position(int level) {
    return level < weakerPositions.length ? weakerPositions[level] : position;
  }

  /** Gives it a position in the order of a level. */
  void position(int level, long newPosition) {
    if (level < weakerPositions.length) {
      weakerPositions[level] = newPosition;
    } else {
      position = newPosition;
    }
  }

  /** From now on it has a position of its own for each of that many weaker levels. */
  void orderWeaker(int levels) {
    if (weakerPositions.length < levels) {
      weakerPositions = new long[levels];
    }
  }

  /** Takes back the positions at the weaker levels. */
  void weakerPositions(long[] positions) {
    weakerPositions = positions.length == 0 ? NO_POSITIONS : positions;
  }

  /** Number of transactions that read from this one. */
  public int readerCount() {
    return readerCount;
  }

  /** A transaction that read from this one; it may have left the window. */
  public RelationNode reader(int i) {
    return readers[i];
  }

  /** Remembers a transaction that read from this one. */
  public void addReader(RelationNode reader) {
    if (readerCount > 0 && readers[readerCount - 1] == reader) {
      return;
    }
    if (readerCount == readers.length) {
      readers = Arrays.copyOf(readers, readerCount == 0 ? 2 : readerCount * 2);
    }
    readers[readerCount++] = reader;
  }

  /** The edge from another node to this one, or null. Remembers where all come from. */
  @Nullable CommitEdge edgeFrom(RelationNode from) {
    Long2ObjectOpenHashMap<CommitEdge> known = inByPlace;
    if (known == null) {
      known = new Long2ObjectOpenHashMap<>();
      for (CommitEdge edge = firstIn(); edge != null; edge = edge.nextIn()) {
        known.put(place(edge), edge);
      }
      inByPlace = known;
    }
    return known.get(from.transaction.deliveredAt);
  }

  /** An edge that leads here is part of the relation. */
  void noteEntered(CommitEdge edge) {
    if (inByPlace != null) {
      inByPlace.put(place(edge), edge);
    }
  }

  /** An edge that leads here is no longer part of the relation. */
  void noteRemoved(CommitEdge edge) {
    if (inByPlace != null) {
      inByPlace.remove(place(edge), edge);
    }
  }

  private static long place(CommitEdge edge) {
    return edge.from.transaction.deliveredAt;
  }

  @Override
  public String toString() {
    return transaction.name();
  }
}

package io.isotail.incremental.polygraph;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.digraph.Edge;
import io.isotail.incremental.snapshot.Numbered;
import io.isotail.incremental.window.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An edge of a level's graph: why one event comes before another.
 *
 * <p>A ww dependency rests on the choice that its ends stand in this order among the versions of
 * the key. A rw dependency rests on the choice that {@link #source}, whose version was read, stands
 * before the overwriting transaction; unless the initial version was read, which precedes all.
 * Where a list read shows, or it is known otherwise, that the version of {@link #from} directly
 * succeeds that of {@link #source}, a ww dependency to any further writer rests on the same choice.
 */
public final class Dependency extends Edge<Event, Dependency> {
  final EdgeKind kind;

  /** The key; null for session order and real time. */
  final @Nullable KeyVersions key;

  /**
   * The writer of the version that was read, or directly succeeded as {@link #shown}; null for the
   * initial version.
   */
  final @Nullable TransactionNode source;

  /** For ww: what a list read shows of the version of {@link #from}; null if that is not used. */
  final @Nullable ListAdjacency shown;

  /** For ww: whether the version of {@link #from} is known to have replaced that of the source. */
  final boolean replaced;

  /** The read, version, transaction or time that implies it; null for what a search forces. */
  final @Nullable Numbered impliedBy;

  /** Whether it follows from a choice that a search has put in force. */
  boolean forced;

  /** Whether it is no longer wanted. */
  boolean dead;

  private List<ListRead> shownBy = List.of();
  private boolean assumed;

  Dependency(
      Event from,
      Event to,
      EdgeKind kind,
      @Nullable KeyVersions key,
      @Nullable TransactionNode source) {
    this(from, to, kind, key, source, null, false, null);
  }

  Dependency(
      Event from,
      Event to,
      EdgeKind kind,
      @Nullable KeyVersions key,
      @Nullable TransactionNode source,
      @Nullable ListAdjacency shown,
      boolean replaced,
      @Nullable Numbered impliedBy) {
    super(from, to);
    this.kind = kind;
    this.key = key;
    this.source = source;
    this.shown = shown;
    this.replaced = replaced;
    this.impliedBy = impliedBy;
  }

  /**
   * The writer that was chosen to come first; null where nothing was chosen, since the other one
   * reads from it, follows it in its session, is listed behind it or replaced its version.
   */
  @Nullable TransactionNode chosenFirst() {
    TransactionNode first = first(kind);
    return first == null || first.fixed || chosenLater().follows(first) ? null : first;
  }

  /**
   * The writer that comes first only because its place is fixed in this graph, where nothing shows
   * that it does; or null.
   */
  @Nullable TransactionNode takenAsFirst() {
    TransactionNode first = first(kind);
    return first == null || !first.fixed || chosenLater().follows(first) ? null : first;
  }

  private @Nullable TransactionNode first(EdgeKind of) {
    return of == EdgeKind.RW || shown != null || replaced
        ? source
        : of == EdgeKind.WW ? from.owner() : null;
  }

  /** Remembers what it rests on, before the graph forgets that. */
  void rememberReasons() {
    List<ListRead> all = new ArrayList<>(2);
    if (shown != null) {
      all.add(new ListRead(shown.shownBy().transaction, shown.key.id));
    }
    TransactionNode first = first(kind);
    ListAdjacency behind = first == null ? null : chosenLater().listedBehind(first);
    if (behind != null) {
      all.add(new ListRead(behind.shownBy().transaction, behind.key.id));
    }
    shownBy = all;
    assumed = chosenFirst() != null;
  }

  /**
   * For ww and rw: the writer whose place before {@link #later} it rests on; the initial
   * transaction where that is no question.
   */
  public Transaction earlierWriter() {
    TransactionNode first = first(kind);
    return first == null ? Transaction.INITIAL : first.transaction;
  }

  /** The list reads that show what it rests on. */
  public List<ListRead> shownBy() {
    return shownBy;
  }

  /**
   * Whether nobody saw that {@link #earlierWriter} comes before {@link #later}, on which it rests.
   */
  public boolean isAssumed() {
    return assumed;
  }

  /** The writer that was chosen to come after {@link #chosenFirst}. */
  TransactionNode chosenLater() {
    return to.owner();
  }

  @Override
  protected Dependency self() {
    return this;
  }

  /** It is no longer wanted: takes it out of the graph, and keeps it from being entered. */
  void withdraw() {
    dead = true;
    remove();
  }

  /** The transaction that comes first. */
  public Transaction first() {
    return from.owner().transaction;
  }

  /** The transaction that comes later. */
  public Transaction later() {
    return to.owner().transaction;
  }

  /** Why. */
  public EdgeKind kind() {
    return kind;
  }

  /** The key, 0 for session order and real time. */
  public long key() {
    return key == null ? 0 : key.id;
  }

  /**
   * The writer of the version that was read, or directly succeeded; the initial transaction
   * otherwise.
   */
  public Transaction source() {
    return source == null ? Transaction.INITIAL : source.transaction;
  }

  @Override
  public String toString() {
    return from + " -" + kind + "(" + key() + ")-> " + to;
  }
}

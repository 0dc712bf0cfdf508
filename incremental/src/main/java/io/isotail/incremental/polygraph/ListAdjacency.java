package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.Numbered;
import it.unimi.dsi.fastutil.objects.ReferenceLinkedOpenHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What list reads show: that one version of a key directly succeeds another.
 *
 * <p>Lists that begin alike share what they show: each adjacency stands behind the one {@link
 * #before} it, and a list read is noted at its last one. So an adjacency is shown as long as a list
 * ends there, or another adjacency stands behind it.
 */
final class ListAdjacency extends Numbered {
  private static final int FEW = 2;

  final KeyVersions key;

  /** The one before it in the lists; null for the first one. */
  final @Nullable ListAdjacency before;

  /** Whether the later version succeeds the initial one. */
  final boolean initial;

  /** The earlier version, unless that is the initial one. */
  final long earlier;

  final long later;

  /** Whether both writers were there once, so that they have been ordered. */
  boolean enforced;

  /**
   * Keeps the writer of the later version behind that of the earlier one, and whoever overwrote the
   * earlier one behind the later; null if not in force.
   */
  @Nullable ReadEdge inForce;

  /** Whose lists end here, first come first; null for nobody's. */
  private @Nullable ReferenceLinkedOpenHashSet<TransactionNode> endOf;

  /** How many stand directly behind this one. */
  private int behind;

  /** The newest of those; null if there is none. */
  private @Nullable ListAdjacency next;

  ListAdjacency(
      KeyVersions key, @Nullable ListAdjacency before, boolean initial, long earlier, long later) {
    this.key = key;
    this.before = before;
    this.initial = initial;
    this.earlier = earlier;
    this.later = later;
    if (before != null) {
      before.behind++;
      before.next = this;
    }
  }

  /** The newest one directly behind this one; null if there is none. */
  @Nullable ListAdjacency next() {
    return next;
  }

  /** A list of a transaction ends here; false if that was known. */
  boolean ends(TransactionNode reader) {
    ReferenceLinkedOpenHashSet<TransactionNode> readers = endOf;
    if (readers == null) {
      readers = new ReferenceLinkedOpenHashSet<>(FEW);
      endOf = readers;
    }
    return readers.add(reader);
  }

  /** No list of a transaction ends here any more. */
  void endsNoMore(TransactionNode reader) {
    ReferenceLinkedOpenHashSet<TransactionNode> readers = endOf;
    if (readers != null && readers.remove(reader) && readers.isEmpty()) {
      endOf = null;
    }
  }

  /** Whether any list shows it. */
  boolean isShown() {
    return endOf != null || behind > 0;
  }

  /**
   * Whether no list shows it but those of one transaction.
   *
   * @param left the one behind this one, which only they show; null if they end here
   */
  boolean isShownOnlyBy(TransactionNode reader, @Nullable ListAdjacency left) {
    boolean nobodyElse = endOf == null || (endOf.size() == 1 && endOf.contains(reader));
    return nobodyElse && behind == (left == null ? 0 : 1);
  }

  /**
   * It is shown no more.
   *
   * @param left what is still shown of the key, oldest first
   */
  void remove(Iterable<ListAdjacency> left) {
    if (before == null) {
      return;
    }
    before.behind--;
    if (before.next == this) {
      before.next = null;
      if (before.behind > 0) {
        left.forEach(each -> before.next = each.before == before ? each : before.next);
      }
    }
  }

  /** A transaction whose list shows it. */
  TransactionNode shownBy() {
    ListAdjacency at = this;
    while (at.endOf == null) {
      at = Objects.requireNonNull(at.next);
    }
    return at.endOf.first();
  }

  boolean says(ListAdjacency other) {
    return says(other.initial, other.earlier, other.later);
  }

  boolean says(boolean ofInitial, long ofEarlier, long ofLater) {
    return initial == ofInitial && earlier == ofEarlier && later == ofLater;
  }
}

package io.isotail.incremental.polygraph;

import io.isotail.incremental.snapshot.Numbered;
import org.jspecify.annotations.Nullable;

/** What a list read shows: that one version of a key directly succeeds another. */
final class ListAdjacency extends Numbered {
  /** Whose list shows it. */
  final TransactionNode shownBy;

  final KeyVersions key;

  /** Whether the later version succeeds the initial one. */
  final boolean initial;

  /** The earlier version, unless that is the initial one. */
  final long earlier;

  final long later;

  /** Whether both writers were there once, so that they have been ordered. */
  boolean enforced;

  /** From the writer of the earlier version to that of the later one; null where there is none. */
  @Nullable Dependency ww;

  /** Keeps the overwriter of the earlier version behind the later one; null if not in force. */
  @Nullable ReadEdge inForce;

  ListAdjacency(
      TransactionNode shownBy, KeyVersions key, boolean initial, long earlier, long later) {
    this.shownBy = shownBy;
    this.key = key;
    this.initial = initial;
    this.earlier = earlier;
    this.later = later;
  }

  /** Takes the order of the two writers out. */
  void withdraw() {
    inForce = null;
    if (ww != null) {
      ww.withdraw();
      ww = null;
    }
  }

  boolean says(ListAdjacency other) {
    return initial == other.initial && earlier == other.earlier && later == other.later;
  }
}

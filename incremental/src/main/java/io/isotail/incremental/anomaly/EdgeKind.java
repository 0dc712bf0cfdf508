package io.isotail.incremental.anomaly;

import io.isotail.incremental.level.IsolationLevel;

/**
 * Why one transaction must come before another, and between which of their events that holds at a
 * level.
 *
 * <p>Where a level tells begin and commit apart, an edge leads from the commit of the one
 * transaction to the begin of the other, unless it {@link #leavesBegin} or {@link #leadsToCommit}.
 * Two edges of a cycle follow each other unless the first leads to a commit and the second leaves a
 * begin. The judge does not ask here: {@code judge.Events} is a table of its own.
 */
public enum EdgeKind {
  /** Session order. */
  SO("so"),
  /** The target read a version that the source wrote. */
  WR("wr"),
  /** The target overwrote a version of the source. */
  WW("ww"),
  /** The target overwrote the version that the source read. */
  RW("rw"),
  /** Commit order, inferred from a read. */
  CO("co"),
  /** Real time. */
  RT("rt");

  private final String label;

  EdgeKind(String label) {
    this.label = label;
  }

  /** The kind's name in every interface. */
  public String label() {
    return label;
  }

  /** Whether a cycle that a level forbids may have an edge of this kind. */
  public boolean countsAt(IsolationLevel level) {
    return switch (this) {
      case RT -> level.followsRealTime();
      case WW -> !level.isWeak();
      case CO -> level.isWeak();
      default -> true;
    };
  }

  /** Whether at a level it leaves the begin of a transaction, and not its commit. */
  public boolean leavesBegin(IsolationLevel level) {
    return level.tellsBeginFromCommit() && this == RW;
  }

  /** Whether at a level it leads to the commit of a transaction, and not to its begin. */
  public boolean leadsToCommit(IsolationLevel level) {
    return level.tellsBeginFromCommit()
        && (this == RW || (this == WW && level.overwritersMayOverlap()));
  }
}

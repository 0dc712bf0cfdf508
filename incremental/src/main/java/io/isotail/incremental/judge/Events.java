package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.EdgeKind;
import io.isotail.incremental.level.IsolationLevel;

/**
 * The table of the levels from {@code prefix} on: between which events of two transactions an edge
 * runs. Up to {@code causal} and from {@code serializable} on a transaction is one event.
 *
 * <table>
 * <caption>From the event of the first to that of the second, b for begin and c for commit</caption>
 * <tr><th>level</th><th>so, wr</th><th>ww</th><th>rw</th></tr>
 * <tr><td>prefix</td><td>c to b</td><td>c to c</td><td>b to c</td></tr>
 * <tr><td>snapshot isolation</td><td>c to b</td><td>c to b</td><td>b to c</td></tr>
 * </table>
 */
final class Events {
  private Events() {}

  /** Whether begin and commit are told apart. */
  static boolean areTwo(IsolationLevel level) {
    return level == IsolationLevel.PREFIX || level == IsolationLevel.SNAPSHOT_ISOLATION;
  }

  /**
   * Whether an edge of this kind leaves from the begin of its first transaction, not its commit.
   */
  static boolean leavesBegin(IsolationLevel level, EdgeKind kind) {
    return areTwo(level) && kind == EdgeKind.RW;
  }

  /** Whether an edge of this kind lands on the commit of its second transaction, not its begin. */
  static boolean landsOnCommit(IsolationLevel level, EdgeKind kind) {
    return areTwo(level)
        && (kind == EdgeKind.RW || (kind == EdgeKind.WW && level == IsolationLevel.PREFIX));
  }
}

package io.isotail.incremental.naive;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.VersionKind;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction as the definitions see it: a session, an outcome and operations in order.
 *
 * @param aborted whether it is not known to have committed
 * @param mayCommit whether it has committed or may have
 */
record NaiveTransaction(
    int session, int position, boolean aborted, boolean mayCommit, Times times, List<Op> ops) {

  /**
   * A read or a write.
   *
   * @param version null for the initial one
   * @param list what a list read returned; null for any other operation
   * @param replaced the version that a write replaced; null where that is not known
   */
  record Op(boolean write, boolean undone, long key, Long version, ListValue list, Long replaced) {}

  /**
   * A list that was read.
   *
   * @param elements from the first that is shown to the last one
   * @param complete whether nothing stands before the first
   */
  record ListValue(List<Long> elements, boolean complete) {}

  /** The operations of a record; a list read is one of them. A list that no read ends is none. */
  static List<Op> ops(Operations all) {
    List<Op> ops = new ArrayList<>();
    List<Long> front = new ArrayList<>();
    boolean complete = false;
    for (int o = 0; o < all.size(); o++) {
      Long version = all.versionKind(o) == VersionKind.KNOWN ? (Long) all.version(o) : null;
      boolean goesOn = o > 0 && all.kind(o - 1) == OperationKind.LISTED;
      goesOn &= o > 0 && all.key(o - 1) == all.key(o) && version != null;
      if (!goesOn) {
        front.clear();
        complete = false;
      }
      if (all.kind(o) == OperationKind.LISTED) {
        complete |= all.versionKind(o) == VersionKind.INITIAL;
        if (version != null) {
          front.add(version);
        }
        continue;
      }
      ListValue list = null;
      boolean read = all.kind(o) == OperationKind.READ;
      if (read && goesOn) {
        List<Long> elements = new ArrayList<>(front);
        elements.add(version);
        list = new ListValue(elements, complete);
      }
      Long replaced = all.replaces(o) ? (Long) all.replaced(o) : null;
      ops.add(new Op(!read, all.undone(o), all.key(o), version, list, replaced));
      front.clear();
      complete = false;
    }
    return ops;
  }

  /** What it appended to a list, or wrote of a key, before an operation; what it undid is none. */
  List<Long> written(long key, int before) {
    List<Long> written = new ArrayList<>();
    for (Op op : ops.subList(0, before)) {
      if (op.write() && !op.undone() && op.key() == key) {
        written.add(op.version());
      }
    }
    return written;
  }

  /** All that it appended to a list. */
  List<Long> written(long key) {
    return written(key, ops.size());
  }
}

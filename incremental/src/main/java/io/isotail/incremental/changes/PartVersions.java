package io.isotail.incremental.changes;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;

/**
 * Versions that rows show, and that may be of parts of transactions which the log tells under ids
 * of their own: a function's block that handles errors, or a savepoint of somebody at a prompt. Who
 * wrote them is not known.
 */
final class PartVersions {
  private final LoggedRows rows;

  PartVersions(LoggedRows rows) {
    this.rows = rows;
  }

  /** Whether an operation has read such a version. */
  boolean isRead(Operations ops, int i) {
    return ops.kind(i) == OperationKind.READ
        && ops.versionKind(i) == VersionKind.KNOWN
        && ops.namesWriters(i)
        && rows.mayBeOfPart(ops.statement(i).table(), ops.key(i), ops.version(i));
  }

  private boolean isReplaced(Operations ops, int i) {
    return ops.replaces(i)
        && ops.namesWriters(i)
        && rows.mayBeOfPart(ops.statement(i).table(), ops.key(i), ops.replaced(i));
  }

  /** The operations, of which nothing says who wrote these versions. */
  Operations known(Operations ops) {
    Operations all = withoutReplaced(ops);
    boolean any = false;
    for (int i = 0; i < all.size() && !any; i++) {
      any = isRead(all, i);
    }
    if (!any) {
      return all;
    }
    Operations.Builder builder = new Operations.Builder();
    for (int i = 0; i < all.size(); i++) {
      if (isRead(all, i)) {
        addUnknown(builder, all, i);
      } else {
        builder.addOne(all, i);
      }
    }
    return builder.build();
  }

  /** The operations, but for what they replaced where that may be such a version. */
  Operations withoutReplaced(Operations ops) {
    LongOpenHashSet keys = new LongOpenHashSet();
    for (int i = 0; i < ops.size(); i++) {
      if (isReplaced(ops, i)) {
        keys.add(ops.key(i));
      }
    }
    return keys.isEmpty() ? ops : ops.withReplacedOf(key -> !keys.contains(key));
  }

  /**
   * Adds a read of such a version: of the only transaction that can have written it, if the log has
   * only one.
   */
  void add(Operations.Builder all, Operations ops, int i, Reader reader) {
    long writer = rows.writerOfPart(ops.statement(i).table(), ops.key(i), ops.version(i), reader);
    if (writer == LoggedRows.UNCLEAR) {
      addUnknown(all, ops, i);
      return;
    }
    all.statement(ops.statement(i));
    all.read(ops.key(i), CapturedByLog.version(writer));
    if (ops.undone(i)) {
      all.undoFrom(all.size() - 1);
    }
    all.names(ops.keyName(i), null);
  }

  /** Adds a read of which it is not known what it returned. */
  static void addUnknown(Operations.Builder all, Operations ops, int i) {
    all.statement(ops.statement(i).resolved());
    all.add(OperationKind.READ, ops.key(i), VersionKind.UNKNOWN, 0);
    if (ops.undone(i)) {
      all.undoFrom(all.size() - 1);
    }
    all.names(ops.keyName(i), null);
  }
}

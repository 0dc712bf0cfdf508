package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Times;
import io.isotail.incremental.record.VersionKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What one or two transactions show without the others. */
final class OperationRules {
  private OperationRules() {}

  /** Whether a read returned what its transaction had written itself. */
  static boolean returnsOwn(Operations ops, int read, int own) {
    return ops.kind(own) == OperationKind.DELETE
        ? ops.versionKind(read) == VersionKind.INITIAL
        : ops.versionKind(own) == VersionKind.KNOWN
            && ops.versionKind(read) == VersionKind.KNOWN
            && ops.version(own) == ops.version(read);
  }

  /** Whether operation {@code i} may have written any key of a table. */
  static boolean mayWrite(Operations ops, int i, @Nullable String table) {
    if (ops.kind(i) != OperationKind.OPAQUE || ops.undone(i)) {
      return false;
    }
    String written = ops.statement(i).table();
    return table == null || written == null || written.equals(table);
  }

  /** The last write of the key by the reading transaction before its read, or none. */
  static int lastOwnWrite(Operations ops, int read) {
    return lastWrite(ops, read, ops.key(read));
  }

  /** Whether the transaction had written before what an element of a list shows. */
  static boolean hadWritten(Operations ops, int element) {
    for (int i = 0; i < element; i++) {
      if (isWrite(ops, i) && ops.key(i) == ops.key(element) && returnsOwn(ops, element, i)) {
        return true;
      }
    }
    return false;
  }

  /** The last write of a key before an operation, or none; what was undone is none. */
  static int lastWrite(Operations ops, int before, long key) {
    for (int i = before - 1; i >= 0; i--) {
      if (isWrite(ops, i) && ops.key(i) == key) {
        return i;
      }
    }
    return Proof.NONE;
  }

  /** The first write of a key, if it is known which version it replaced; else none. */
  static int firstReplacing(Operations ops, long key) {
    for (int i = 0; i < ops.size(); i++) {
      if (isWrite(ops, i) && ops.key(i) == key) {
        return ops.replaces(i) ? i : Proof.NONE;
      }
    }
    return Proof.NONE;
  }

  /** Whether operation {@code i} shows what somebody wrote: a read, or an element of a list. */
  static boolean shows(Operations ops, int i) {
    return isRead(ops, i) || (ops.kind(i) == OperationKind.LISTED && !ops.undone(i));
  }

  /** Whether operation {@code i} is a read that returned something known. */
  static boolean isRead(Operations ops, int i) {
    return ops.kind(i) == OperationKind.READ
        && !ops.undone(i)
        && ops.versionKind(i) != VersionKind.UNKNOWN;
  }

  /** Whether operation {@code i} wrote or deleted its key for good. */
  static boolean isWrite(Operations ops, int i) {
    return (ops.kind(i) == OperationKind.WRITE || ops.kind(i) == OperationKind.DELETE)
        && !ops.undone(i);
  }

  /** Whether the first is believed to have ended before the later one began. */
  static boolean ended(Times first, Times later, long uncertaintyNs) {
    if (!first.orderable() || !later.orderable() || !first.hasEnd()) {
      return false;
    }
    if (first.endNs() >= later.beginNs()) {
      return false;
    }
    if (Objects.equals(first.clock(), later.clock())) {
      return true;
    }
    // Clocks are never compared at the largest uncertainty. Unsigned, the difference cannot
    // overflow.
    long apartNs = later.beginNs() - first.endNs();
    return uncertaintyNs >= 0
        && uncertaintyNs != Long.MAX_VALUE
        && Long.compareUnsigned(apartNs, uncertaintyNs) > 0;
  }
}

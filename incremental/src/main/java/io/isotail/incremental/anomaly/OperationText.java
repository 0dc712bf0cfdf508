package io.isotail.incremental.anomaly;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;

/**
 * Keys and versions as people read them, in sentences and in graphs: in clear where the proxy gave
 * names, else as hashes. A version that names its writer is the writer's id.
 */
public final class OperationText {
  private OperationText() {}

  /** The key of operation {@code i}. */
  public static String key(Operations ops, int i) {
    String table = ops.statement(i).table();
    String name = ops.keyName(i);
    if (name != null) {
      return table == null ? name : table + "[" + name + "]";
    }
    return table == null
        ? Long.toUnsignedString(ops.plainKey(i))
        : table + "#" + String.format("%016x", ops.plainKey(i));
  }

  /** The version of operation {@code i}. */
  public static String version(Operations ops, int i) {
    if (ops.kind(i) == OperationKind.DELETE) {
      return "deleted";
    }
    if (ops.versionKind(i) == VersionKind.INITIAL && !ops.beforeCapture(i)) {
      return ops.statement(i).table() == null ? "initial" : "absent";
    }
    if (ops.versionKind(i) == VersionKind.UNKNOWN) {
      return "?";
    }
    String name = ops.versionName(i);
    if (name != null) {
      return name;
    }
    if (ops.namesWriters(i)) {
      return "xmin " + Long.toUnsignedString(ops.plainVersion(i));
    }
    return isHashed(ops, i)
        ? String.format("%016x", ops.version(i))
        : Long.toUnsignedString(ops.version(i));
  }

  /** Whether the proxy hashed key and version, and gave no names. */
  public static boolean isHashed(Operations ops, int i) {
    return ops.statement(i).table() != null && ops.keyName(i) == null;
  }

  /** {@code key=version} of operation {@code i}. */
  public static String assignment(Operations ops, int i) {
    return key(ops, i) + "=" + version(ops, i);
  }

  /** The name of {@code key} as these operations have it, or its number. */
  public static String nameOf(Operations ops, long key) {
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.OPAQUE && ops.key(i) == key) {
        return key(ops, i);
      }
    }
    return Long.toUnsignedString(key);
  }
}

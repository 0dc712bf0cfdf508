package io.isotail.incremental.witness;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;

/** Names of keys and versions for people: in clear where the proxy gave them, else as hashes. */
final class Names {
  private Names() {}

  /** The key of operation {@code i}. */
  static String key(Operations ops, int i) {
    String table = ops.statement(i).table();
    String name = ops.keyName(i);
    if (name != null) {
      return table == null ? name : table + "[" + name + "]";
    }
    return table == null
        ? Long.toUnsignedString(ops.key(i))
        : table + "#" + String.format("%016x", ops.key(i));
  }

  /** The version of operation {@code i}. */
  static String version(Operations ops, int i) {
    if (ops.kind(i) == OperationKind.DELETE) {
      return "deleted";
    }
    if (ops.versionKind(i) == VersionKind.INITIAL) {
      return ops.statement(i).table() == null ? "initial" : "absent";
    }
    if (ops.versionKind(i) == VersionKind.UNKNOWN) {
      return "?";
    }
    String name = ops.versionName(i);
    if (name != null) {
      return name;
    }
    return ops.statement(i).table() == null
        ? Long.toUnsignedString(ops.version(i))
        : String.format("%016x", ops.version(i));
  }

  /** {@code key=version} of operation {@code i}. */
  static String assignment(Operations ops, int i) {
    return key(ops, i) + "=" + version(ops, i);
  }

  /** The name of {@code key} as {@code t} has it, or its number. */
  static String key(Transaction t, long key) {
    Operations ops = t.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (ops.kind(i) != OperationKind.OPAQUE && ops.key(i) == key) {
        return key(ops, i);
      }
    }
    return Long.toUnsignedString(key);
  }
}

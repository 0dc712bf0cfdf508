package io.isotail.monitor.render;

import io.isotail.incremental.anomaly.OperationText;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;

/** How operations, keys and versions are written in JSON, and in the boxes of a graph. */
final class Names {

  private Names() {}

  /** The key's name in clear, or else its number. */
  static String key(Operations operations, int i) {
    String name = operations.keyName(i);
    return name != null ? name : Long.toUnsignedString(operations.key(i));
  }

  /**
   * The version in JSON: its name in clear, its number, {@code initial}, {@code absent}, or {@code
   * ?}.
   */
  static String version(Operations operations, int i) {
    if (operations.kind(i) == OperationKind.DELETE) {
      return "absent";
    }
    if (operations.versionKind(i) == VersionKind.INITIAL) {
      return "initial";
    }
    if (operations.versionKind(i) == VersionKind.UNKNOWN) {
      return "?";
    }
    String name = operations.versionName(i);
    return name != null ? name : Long.toUnsignedString(operations.version(i));
  }

  /** One letter for what the operation did: r, w, d, or o for an opaque write. */
  static String letter(OperationKind kind) {
    return switch (kind) {
      case READ -> "r";
      case WRITE -> "w";
      case DELETE -> "d";
      case OPAQUE -> "o";
      case LISTED -> "l";
    };
  }

  /** The key as a sentence names it: a row without a name in clear by its hash, in hex. */
  static String shownKey(Operations operations, int i) {
    return OperationText.isHashed(operations, i)
        ? String.format("%016x", operations.key(i))
        : key(operations, i);
  }

  /** The operation as in a witness: {@code r x=4}. */
  static String operation(OperationText words, Operations operations, int i) {
    OperationKind kind = operations.kind(i);
    if (kind == OperationKind.OPAQUE) {
      return "w " + OperationText.unseen(operations, i);
    }
    String text = letter(kind) + " " + shownKey(operations, i) + "=" + words.version(operations, i);
    return operations.undone(i) ? text + " (undone)" : text;
  }
}

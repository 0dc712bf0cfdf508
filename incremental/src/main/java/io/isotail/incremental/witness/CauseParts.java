package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.cause.CausePart;
import io.isotail.incremental.cause.HurtRow;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.window.Transaction;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects the statements behind operations, and the rows that these are about. Of a transaction
 * that has left the window nothing is known any more, and nothing is collected.
 */
final class CauseParts {
  private final Set<CausePart> parts = new HashSet<>();

  /** By key the rows. */
  private final Map<Long, HurtRow> rows = new LinkedHashMap<>();

  /** Those collected. */
  Collection<CausePart> all() {
    return parts;
  }

  /** Their rows. */
  List<HurtRow> rows() {
    return List.copyOf(rows.values());
  }

  /** The statement of an operation, and its row; none if it is negative. */
  void operation(Transaction t, int operation) {
    statement(t, operation);
    if (operation >= 0 && operation < t.operations.size()) {
      Operations of = t.operations;
      long key = of.key(operation);
      rows.putIfAbsent(
          key,
          new HurtRow(
              of.plainKey(operation), of.statement(operation).table(), of.keyName(operation)));
    }
  }

  /** The statement of an operation; none if it is negative. */
  void statement(Transaction t, int operation) {
    if (operation >= 0 && operation < t.operations.size()) {
      CausePart part = CausePart.of(t, operation);
      if (part != null) {
        parts.add(part);
      }
    }
  }

  /** The statements of all operations of a capsule's transaction. */
  void all(CapsuleTransaction t) {
    for (int i = 0; i < t.operations().size(); i++) {
      CausePart part = CausePart.of(t.operations(), i, t.session(), t.origin());
      if (part != null) {
        parts.add(part);
      }
    }
  }

  /** The read of a key from a writer; where there is none of that one, the first of the key. */
  void read(Transaction t, long key, @Nullable Transaction writer) {
    operation(t, readOf(t, key, writer));
  }

  /** Whether a transaction locks what it reads of a key, as far as its statement tells. */
  static boolean locks(Transaction t, long key) {
    int read = readOf(t, key, null);
    return read >= 0 && CausePart.locks(t.operations.statement(read).fingerprint());
  }

  private static int readOf(Transaction t, long key, @Nullable Transaction writer) {
    int read = writer == null ? -1 : TransactionReads.readOf(t, key, writer, 0);
    for (int i = 0; i < t.readOperations.length && read < 0; i++) {
      read = t.operations.key(t.readOperations[i]) == key ? t.readOperations[i] : -1;
    }
    return read;
  }

  /** The last write of a key. */
  void write(Transaction t, long key) {
    int i = t.writeIndex(key);
    operation(t, i < 0 ? lastWrite(t.operations, key) : t.finalWrite(i));
  }

  /** That of a transaction which has not committed. */
  private static int lastWrite(Operations operations, long key) {
    for (int i = operations.size() - 1; i >= 0; i--) {
      OperationKind kind = operations.kind(i);
      boolean writes = kind == OperationKind.WRITE || kind == OperationKind.DELETE;
      if (writes && operations.key(i) == key) {
        return i;
      }
    }
    return -1;
  }
}

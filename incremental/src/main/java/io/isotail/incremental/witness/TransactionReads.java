package io.isotail.incremental.witness;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.VersionKind;
import io.isotail.incremental.window.Transaction;

/** Finds the reads by which a transaction of the kernel depends on others. */
final class TransactionReads {
  private TransactionReads() {}

  /**
   * The first read of {@code reader} from operation {@code after} on that {@code writer} wrote, or
   * -1.
   */
  static int readFrom(Transaction reader, Transaction writer, int after) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      if (reader.readWriters[i] == writer && reader.readOperations[i] >= after) {
        return reader.readOperations[i];
      }
    }
    return reader.state == Transaction.State.PENDING ? unresolvedReadFrom(reader, writer) : -1;
  }

  /**
   * The first such read of a transaction whose reads were never resolved, since it waits in a
   * cycle.
   */
  private static int unresolvedReadFrom(Transaction reader, Transaction writer) {
    Operations ops = reader.operations;
    Operations written = writer.operations;
    for (int i = 0; i < ops.size(); i++) {
      if (!ops.shows(i)) {
        continue;
      }
      for (int j = 0; j < written.size(); j++) {
        if (isWriteOf(written, j, ops.key(i), ops.version(i))) {
          return i;
        }
      }
    }
    return -1;
  }

  /**
   * The first read of {@code key} by {@code reader} from operation {@code after} on that {@code
   * writer} wrote, or -1.
   */
  static int readOf(Transaction reader, long key, Transaction writer, int after) {
    for (int i = 0; i < reader.readOperations.length; i++) {
      int op = reader.readOperations[i];
      if (op >= after
          && reader.readWriters[i] == writer
          && reader.operations.key(op) == key
          && reader.readsVersion(i)) {
        return op;
      }
    }
    return -1;
  }

  /** An element of {@code later} right behind one of {@code earlier} in a list of a key, or -1. */
  static int listedBehind(Transaction reader, long key, Transaction earlier, Transaction later) {
    int[] reads = reader.readOperations;
    for (int i = 1; i < reads.length; i++) {
      if (reader.readWriters[i - 1] == earlier
          && reader.readWriters[i] == later
          && reads[i] == reads[i - 1] + 1
          && reader.operations.key(reads[i]) == key
          && reader.operations.listedBefore(reads[i - 1])) {
        return reads[i];
      }
    }
    return -1;
  }

  /** Whether a transaction read another one's version of {@code key}. */
  static boolean reads(Transaction reader, long key) {
    for (int read : reader.readOperations) {
      if (reader.operations.key(read) == key) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a transaction read {@code key} before it wrote it, be it decided which version or not.
   */
  static boolean readsBeforeWriting(Transaction reader, long key) {
    Operations ops = reader.operations;
    for (int i = 0; i < ops.size() && !(ops.isWrite(i) && ops.key(i) == key); i++) {
      if (ops.kind(i) == OperationKind.READ && ops.key(i) == key) {
        return true;
      }
    }
    return false;
  }

  /** Whether operation {@code i} wrote that version of the key, and was not undone. */
  static boolean isWriteOf(Operations ops, int i, long key, long version) {
    return ops.kind(i) == OperationKind.WRITE
        && ops.versionKind(i) == VersionKind.KNOWN
        && ops.key(i) == key
        && ops.version(i) == version
        && !ops.undone(i);
  }
}

package io.isotail.ingest.format;

import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.incremental.record.VersionKind;

/** Refuses what a format has no place for, in the same words for every writer. */
final class FormatLimits {
  private final String format;
  private final boolean lossy;

  FormatLimits(String format, Fidelity fidelity) {
    this.format = format;
    this.lossy = fidelity == Fidelity.LOSSY;
  }

  /** What must not be lost, because verdicts may depend on it. */
  IllegalArgumentException refused(TransactionRecord transaction, String what) {
    return new IllegalArgumentException(
        "transaction %s of session %s has %s, which %s cannot hold"
            .formatted(
                Long.toUnsignedString(transaction.transaction()),
                transaction.session().name(),
                what,
                format));
  }

  /** What may be lost if the caller said so. */
  void drop(boolean there, TransactionRecord transaction, String what) {
    if (there && !lossy) {
      throw new IllegalArgumentException(
          refused(transaction, what).getMessage()
              + "; only a lossy conversion drops it, without a change of any verdict");
    }
  }

  /** Chunks belong to live streams. */
  void requireWhole(TransactionRecord transaction) {
    if (transaction.outcome() == Outcome.OPEN || transaction.chunk() != 0) {
      throw new IllegalArgumentException(
          "a chunk of transaction %s of session %s; expected whole transactions"
              .formatted(
                  Long.toUnsignedString(transaction.transaction()), transaction.session().name()));
    }
  }

  /** For formats in which every transaction has committed or not. */
  void requireKnownOutcome(TransactionRecord transaction) {
    if (transaction.outcome() == Outcome.UNKNOWN) {
      throw refused(transaction, "an unknown outcome");
    }
  }

  /** For formats that know nothing but reads and writes of known versions. */
  void requireReadsAndWrites(TransactionRecord transaction) {
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      OperationKind kind = operations.kind(i);
      boolean known =
          operations.versionKind(i) == VersionKind.KNOWN
              || (kind == OperationKind.READ && operations.versionKind(i) == VersionKind.INITIAL);
      if (operations.undone(i)) {
        throw refused(transaction, "an operation that was undone");
      }
      if (operations.replaces(i)) {
        throw refused(transaction, "a write that knows which version it replaced");
      }
      switch (kind) {
        case READ -> {
          if (!known) {
            throw refused(transaction, "a read of an unknown version");
          }
        }
        case WRITE -> {
          if (!known) {
            throw refused(transaction, "a write of an unknown version");
          }
        }
        case DELETE -> throw refused(transaction, "a delete");
        case OPAQUE -> throw refused(transaction, "an opaque write");
        case LISTED -> throw refused(transaction, "a list read");
      }
    }
  }

  /** For formats without names of keys and versions, statements and levels. */
  void dropAnnotations(TransactionRecord transaction) {
    Operations operations = transaction.operations();
    for (int i = 0; i < operations.size(); i++) {
      dropNames(transaction, operations.keyName(i) != null || operations.versionName(i) != null);
    }
    dropStatementsAndLevel(transaction);
  }

  void dropNames(TransactionRecord transaction, boolean there) {
    drop(there, transaction, "names of keys or versions");
  }

  void dropStatementsAndLevel(TransactionRecord transaction) {
    drop(!transaction.operations().statements().isEmpty(), transaction, "statements");
    drop(transaction.ranAt() != null, transaction, "an isolation level");
  }

  void dropTimes(TransactionRecord transaction) {
    drop(
        transaction.beginNs() != TransactionRecord.NO_TIME
            || transaction.endNs() != TransactionRecord.NO_TIME
            || transaction.clock() != null,
        transaction,
        "times or a clock");
  }

  /** For formats that name sessions by numbers. */
  void dropSessionName(TransactionRecord transaction) {
    drop(!isNumbered(transaction), transaction, "a session name that is not its number");
  }

  static boolean isNumbered(TransactionRecord transaction) {
    return transaction.session().name().equals(Long.toUnsignedString(transaction.session().id()));
  }
}

package io.isotail.incremental.judge;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.anomaly.Proof;
import io.isotail.incremental.record.OperationKind;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a capsule says without any search, as the judge reads it: who committed, and what each read
 * read from. Transactions have the numbers of their places in the capsule, operations those of
 * their places in the transaction.
 */
public final class CapsuleReading {
  /** As a writer: the initial version, which no transaction wrote. */
  public static final int INITIAL = Proof.INITIAL;

  private final Facts facts;
  private final boolean anyList;

  private CapsuleReading(Facts facts, boolean anyList) {
    this.anyList = anyList;
    this.facts = facts;
  }

  /** Reads a capsule, as an open history: a read whose writer is not in it is ignored. */
  public static CapsuleReading of(List<CapsuleTransaction> capsule) {
    Facts facts = new Facts(capsule, Long.MAX_VALUE, Promises.ALL, Outsiders.NONE);
    return new CapsuleReading(facts, capsule.stream().anyMatch(CapsuleReading::readsLists));
  }

  /** Whether a transaction committed, by its outcome or because what it wrote was read. */
  public boolean committed(int transaction) {
    return facts.isCommitted(transaction);
  }

  /**
   * The transaction that a read read from, or {@link #INITIAL}.
   *
   * @return empty if that is open or not in the capsule, if the read is bad in itself, or if it
   *     returned what its own transaction wrote
   */
  public OptionalInt writer(int transaction, int operation) {
    Facts.Read read = facts.readAt(transaction, operation);
    return read == null ? OptionalInt.empty() : OptionalInt.of(read.writer());
  }

  /** Whether a read is bad in itself: no level allows it, whatever else happened. */
  public boolean bad(int transaction, int operation) {
    return facts.isBad(transaction, operation);
  }

  private static boolean readsLists(CapsuleTransaction t) {
    for (int i = 0; i < t.operations().size(); i++) {
      if (t.operations().kind(i) == OperationKind.LISTED) {
        return true;
      }
    }
    return false;
  }

  /** Whether lists were read, which show what no other read tells. */
  public boolean showsOrder() {
    return anyList;
  }
}

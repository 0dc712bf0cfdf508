package io.isotail.incremental.witness;

import io.isotail.incremental.anomaly.CapsuleTransaction;
import io.isotail.incremental.window.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that completed an anomaly, and the table that this is about.
 *
 * @param table null when unknown
 * @param service application that ran the transaction, null when unknown
 * @param offset its log offset
 * @param commitTimeNs its end, in ns of its own clock
 */
record Subject(@Nullable String table, @Nullable String service, long offset, long commitTimeNs) {

  /** A transaction, of no table. */
  static Subject of(Transaction transaction) {
    return of(transaction, null);
  }

  /** A transaction, about the table of one of its operations. */
  static Subject of(Transaction transaction, int operation) {
    return of(transaction, transaction.operations.statement(operation).table());
  }

  private static Subject of(Transaction transaction, @Nullable String table) {
    return new Subject(
        table, transaction.session.info.service(), transaction.offset, transaction.times.endNs());
  }

  /** A transaction of a capsule, about the table of one of its operations. */
  static Subject of(CapsuleTransaction transaction, int operation) {
    return new Subject(
        transaction.operations().statement(operation).table(),
        transaction.session().service(),
        transaction.offset(),
        transaction.times().endNs());
  }
}

package io.isotail.incremental.explore.code;

/** The code of a transaction: the same reads must make it do the same. */
@FunctionalInterface
public interface TransactionCode {
  /** Runs it; called many times. */
  void run(Transaction transaction);
}

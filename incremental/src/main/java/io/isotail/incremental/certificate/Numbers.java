package io.isotail.incremental.certificate;

import io.isotail.incremental.window.Transaction;

/**
 * The numbers of a transaction.
 *
 * @param kept whether it has left the window
 * @param readsAll whether reads count too that are left out since: they violate a weaker level
 */
public record Numbers(
    Transaction transaction, boolean kept, boolean readsAll, long begin, long commit) {
  static Numbers of(Placed placed) {
    return new Numbers(
        placed.transaction, placed.retired, placed.readsAll(), placed.begin, placed.commit);
  }
}

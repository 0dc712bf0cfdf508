package io.isotail.ingest.store;

import java.util.Set;

/**
 * What a transaction is about to do. Most stores need not know; one that locks or watches what is
 * read may.
 *
 * @param reads registers that it reads
 * @param writes registers that it writes
 */
public record TransactionScope(Set<Long> reads, Set<Long> writes) {
  /** Copies the sets. */
  public TransactionScope {
    reads = Set.copyOf(reads);
    writes = Set.copyOf(writes);
  }
}

package io.isotail.incremental.changes;

import io.isotail.incremental.record.LoggedTable;
import it.unimi.dsi.fastutil.longs.Long2ObjectLinkedOpenHashMap;

/** A committed transaction, as the log shows it. */
final class LoggedTransaction {
  final long writer;

  /** The rows that it changed, by their keys, with their tables. */
  final Long2ObjectLinkedOpenHashMap<LoggedTable> rows = new Long2ObjectLinkedOpenHashMap<>();

  /** Whether a captured transaction is this one. */
  boolean captured;

  LoggedTransaction(long writer) {
    this.writer = writer;
  }
}

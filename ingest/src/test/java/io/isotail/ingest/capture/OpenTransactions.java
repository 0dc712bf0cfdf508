package io.isotail.ingest.capture;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.emit.TransactionSink;
import java.util.HashSet;
import java.util.Set;

/** Counts transactions, and keeps which were announced and have no end. */
public final class OpenTransactions implements TransactionSink {
  private final Set<String> open = new HashSet<>();
  private long ended;

  @Override
  public synchronized void writeStarted(long session, long transaction) {
    open.add(session + "/" + transaction);
  }

  @Override
  public synchronized void transaction(TransactionRecord record) {
    open.remove(record.session().id() + "/" + record.transaction());
    ended++;
  }

  @Override
  public synchronized void writeEnded(long session, long transaction) {
    open.remove(session + "/" + transaction);
  }

  /** Those that were announced and have no end. */
  public synchronized Set<String> open() {
    return Set.copyOf(open);
  }

  /** How many were recorded. */
  public synchronized long ended() {
    return ended;
  }
}

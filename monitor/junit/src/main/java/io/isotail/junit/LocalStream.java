package io.isotail.junit;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.emit.CountsSource;
import io.isotail.ingest.emit.TransactionSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Hands transactions to a history in this process, with what a reader of a stream needs beside
 * them, as {@code KafkaEmitter} describes it. Nothing is ever lost.
 *
 * <p>Invariant: a transaction that has sent a write is announced until its record is in the queue.
 * So who copies the announced ones first and empties the queue second misses none. Safe for many
 * threads.
 */
final class LocalStream implements SinkFactory.OpenSink, TransactionSink {
  private static final int MOST_KINDS = 50;

  private final CheckedHistory history;
  private final String proxy = UUID.randomUUID().toString();
  private final Set<OpenTransaction> announced = ConcurrentHashMap.newKeySet();
  private final List<CountsSource> sources = new CopyOnWriteArrayList<>();
  private long heartbeats;
  private int turn;

  LocalStream(CheckedHistory history) {
    this.history = history;
  }

  /** The transactions that have sent a write and not ended. */
  List<OpenTransaction> open() {
    return new ArrayList<>(announced);
  }

  /** The next heartbeat; called by one thread at a time. */
  Heartbeat heartbeat(List<OpenTransaction> open) {
    CaptureCounts counts = null;
    for (int tried = 0; tried < sources.size() && counts == null; tried++) {
      CountsSource source = sources.get(Math.floorMod(turn++, sources.size()));
      counts = source.untold(MOST_KINDS);
      if (counts != null) {
        source.told(); // the history has it before anybody asks again
      }
    }
    return new Heartbeat(proxy, heartbeats++, open, counts);
  }

  Goodbye goodbye() {
    return new Goodbye(proxy);
  }

  @Override
  public void writeStarted(long session, long transaction) {
    announced.add(new OpenTransaction(session, transaction));
  }

  @Override
  public void writeEnded(long session, long transaction) {
    announced.remove(new OpenTransaction(session, transaction));
  }

  @Override
  public void transaction(TransactionRecord record) {
    history.add(record);
    if (record.outcome() != Outcome.OPEN) {
      writeEnded(record.session().id(), record.transaction());
    }
  }

  @Override
  public void counts(CountsSource source) {
    sources.add(source);
  }

  @Override
  public TransactionSink sink() {
    return this;
  }

  @Override
  public String proxyId() {
    return proxy;
  }

  @Override
  public boolean hasBegun() {
    return true;
  }

  @Override
  public void awaitStart(long timeoutNs) {
    // The hello was there before the first connection.
  }

  @Override
  public boolean asksAtWill() {
    return true; // tests make their tables anew all the time
  }

  @Override
  public @Nullable String place() {
    return CodePlace.ofCaller();
  }

  @Override
  public void close() {
    history.ended(this);
  }
}

package io.isotail.monitor.serial;

import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.emit.TransactionSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The stream of a history with its proxies, without a broker. Each proxy keeps the contract of
 * {@link io.isotail.ingest.emit.KafkaEmitter}: its records in order, a hello first, heartbeats
 * after what was handed over before them, with the transactions that are open. Between two proxies
 * records come late by chance.
 */
final class SerialStream {
  /** Less than a proxy that falls silent. */
  private static final int MAX_PAUSE_MS = 20;

  private final Random random;
  private final List<Entry> log = new ArrayList<>();
  private final List<Proxy> proxies = new ArrayList<>();
  private final List<Entry> turn = new ArrayList<>();
  private long nowMs = 1_000;

  SerialStream(Random random) {
    this.random = random;
  }

  /** A record, and what is known of its reads. */
  static final class Entry {
    /** Reads of what another captured transaction wrote. */
    final BitSet readsOfCaptured = new BitSet();

    /** Those of them whose version is in that transaction's record. */
    final BitSet readsOfRecorded = new BitSet();

    private StreamRecord record;
    private long timeMs;

    private Entry(StreamRecord record) {
      this.record = record;
    }

    StreamRecord record() {
      return record;
    }

    /** The transaction; only of entries of a turn. */
    TransactionRecord transaction() {
      return (TransactionRecord) record;
    }

    /** Time of its append, in ms. */
    long timeMs() {
      return timeMs;
    }

    /** This place in the log, with another record. */
    Entry with(StreamRecord other) {
      Entry entry = new Entry(other);
      entry.timeMs = timeMs;
      return entry;
    }

    /** Makes it another record: the database did something else, as far as can be seen. */
    void replace(TransactionRecord other) {
      record = other;
    }
  }

  /** An application's emitter. */
  final class Proxy implements TransactionSink {
    private final String id;
    private final ArrayDeque<Entry> queue = new ArrayDeque<>();
    private final Set<OpenTransaction> announced = new LinkedHashSet<>();
    private long heartbeats;

    private Proxy(String id) {
      this.id = id;
    }

    String id() {
      return id;
    }

    @Override
    public void writeStarted(long session, long transaction) {
      announced.add(new OpenTransaction(session, transaction));
    }

    @Override
    public void transaction(TransactionRecord record) {
      Entry entry = new Entry(record);
      queue.add(entry);
      turn.add(entry);
    }

    private void handOver(int records) {
      for (int i = 0; i < records && !queue.isEmpty(); i++) {
        Entry entry = queue.remove();
        append(entry);
        if (entry.transaction().outcome() != Outcome.OPEN) {
          announced.remove(
              new OpenTransaction(
                  entry.transaction().session().id(), entry.transaction().transaction()));
        }
      }
    }

    private void beat() {
      handOver(queue.size());
      append(new Entry(new Heartbeat(id, heartbeats++, List.copyOf(announced))));
    }
  }

  /** A proxy starts. */
  Proxy open(String id) {
    Proxy proxy = new Proxy(id);
    proxies.add(proxy);
    append(new Entry(new Hello(id, id, "1", 100)));
    return proxy;
  }

  /** What was recorded since the last {@link #endTurn}. */
  List<Entry> turn() {
    return turn;
  }

  /** A transaction is over; some of what waits goes to the log. */
  void endTurn() {
    turn.clear();
    for (Proxy proxy : proxies) {
      if (random.nextInt(3) == 0) {
        proxy.handOver(1 + random.nextInt(4));
      }
      if (random.nextInt(4) == 0) {
        proxy.beat();
      }
    }
  }

  /** Hands over everything, and lets the horizon pass it. */
  void catchUp() {
    for (int i = 0; i < 3; i++) {
      proxies.forEach(Proxy::beat);
    }
  }

  /** Hands over everything, and says goodbye. */
  void end() {
    catchUp();
    proxies.forEach(proxy -> append(new Entry(new Goodbye(proxy.id))));
  }

  /** The log. */
  List<Entry> log() {
    return log;
  }

  private void append(Entry entry) {
    nowMs += random.nextInt(MAX_PAUSE_MS);
    entry.timeMs = nowMs;
    log.add(entry);
  }
}

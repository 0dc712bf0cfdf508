package io.isotail.monitor.steady;

import io.isotail.incremental.anomaly.AnomalyKind;
import io.isotail.incremental.record.OperationKind;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.emit.EmitterStats;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.generate.EndlessHistory;
import io.isotail.ingest.generate.EndlessTraffic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A simulated database that never breaks its promise but where an anomaly is put in, whose
 * transactions end now and go through a proxy's emitter.
 */
final class EmitterTraffic implements SteadyTraffic {
  private static final int WINDOW = 100_000;
  private static final int SPAN = 20;
  private static final Duration READY = Duration.ofSeconds(30);

  private static final List<AnomalyKind> KINDS =
      List.of(
          AnomalyKind.LOST_UPDATE,
          AnomalyKind.WRITE_SKEW,
          AnomalyKind.CAUSALITY_VIOLATION,
          AnomalyKind.LONG_FORK,
          AnomalyKind.FRACTURED_READ);

  private final KafkaEmitter emitter;
  private final EndlessHistory history;
  private final AtomicLong injected = new AtomicLong();
  private final int perSecond;
  private final Thread thread = new Thread(this::run, "steady-traffic");
  private volatile boolean over;

  /**
   * Starts it.
   *
   * @param perSecond transactions a second
   * @param between transactions between two anomalies
   * @param mini whether a transaction has one or two keys, rather than eight operations
   */
  EmitterTraffic(
      String bootstrap, String historyId, int perSecond, int between, boolean mini, int seed)
      throws InterruptedException {
    this.perSecond = perSecond;
    this.emitter = new KafkaEmitter(EmitterConfig.of(bootstrap, historyId, "steady", "1"));
    if (!emitter.awaitReady(READY)) {
      throw new IllegalStateException("the broker did not take the first record");
    }
    var placements =
        LongStream.iterate(between, at -> at + between)
            .mapToObj(
                at ->
                    new EndlessHistory.Placement(
                        at, KINDS.get((int) (at / between % KINDS.size())), SPAN))
            .iterator();
    this.history =
        new EndlessHistory(
            mini
                ? EndlessTraffic.aroundWindow(WINDOW).ofMiniTransactions()
                : EndlessTraffic.aroundWindow(WINDOW),
            seed,
            placements,
            injection -> injected.incrementAndGet());
    thread.start();
  }

  private void run() {
    long beginNs = System.nanoTime();
    for (long sent = 0; !over; sent++) {
      long dueNs = beginNs + sent * TimeUnit.SECONDS.toNanos(1) / perSecond;
      for (long nowNs = System.nanoTime(); nowNs < dueNs && !over; nowNs = System.nanoTime()) {
        LockSupport.parkNanos(dueNs - nowNs);
      }
      TransactionRecord record = now(history.next());
      if (writes(record)) {
        emitter.writeStarted(record.session().id(), record.transaction());
      }
      emitter.transaction(record);
    }
  }

  private static boolean writes(TransactionRecord record) {
    for (int i = 0; i < record.operations().size(); i++) {
      if (record.operations().kind(i) == OperationKind.WRITE) {
        return true;
      }
    }
    return false;
  }

  private TransactionRecord now(TransactionRecord of) {
    long endNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    SessionInfo session = of.session();
    return new TransactionRecord(
        new SessionInfo(
            session.id(), session.name(), emitter.proxyId(), "steady", "1", "simulated", 0),
        of.sequence(),
        of.transaction(),
        of.chunk(),
        of.outcome(),
        of.ranAt(),
        endNs - TimeUnit.MILLISECONDS.toNanos(2),
        endNs,
        "steady",
        of.operations());
  }

  @Override
  public long errors() {
    EmitterStats stats = emitter.stats();
    return stats.dropped() + stats.failed();
  }

  @Override
  public long injected() {
    return injected.get();
  }

  @Override
  public void close() {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    emitter.close();
  }
}

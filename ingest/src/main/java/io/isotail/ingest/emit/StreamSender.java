package io.isotail.ingest.emit;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The emitter's thread: takes records from the queue and puts them, in order, on the stream with
 * what a reader needs beside them. The contract is in {@link KafkaEmitter}.
 *
 * <p>Before each heartbeat it waits until all that was handed over is acknowledged or given up.
 * That is what keeps a heartbeat from overtaking the news of a loss: a record that fails in the
 * producer behind which a heartbeat already stands would otherwise be missing from both.
 */
final class StreamSender implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamSender.class);

  /**
   * With more open transactions than that the heartbeat waits for the queue to drain, so that it
   * fits into a message of Kafka's default size.
   */
  private static final int MAX_OPEN_PER_HEARTBEAT = 40_000;

  /** So many records at most delay a heartbeat that is due. */
  private static final int MAX_BEFORE_HEARTBEAT = 4_096;

  private static final long RETRY_PAUSE_MS = 100;

  /** A sender that waits for its queue looks that often for the wish to close. */
  private static final long MAX_PAUSE_NS = 20_000_000;

  private final Density density;
  private final EmitterConfig config;
  private final String proxy;
  private final BlockingQueue<TransactionRecord> queue;
  private final Ledger ledger;
  private final ProducerLink link;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AtomicLong gaps = new AtomicLong();
  private final AtomicLong heartbeats = new AtomicLong();
  private final HeartbeatPace pace;
  private final CountsTelling counts = new CountsTelling();
  private volatile boolean abandoned;
  private long heartbeatNumber;
  private long nextHeartbeatNs;

  StreamSender(
      EmitterConfig config, String proxy, BlockingQueue<TransactionRecord> queue, Ledger ledger) {
    this.config = config;
    this.density = new Density(config.queueCapacityRecords());
    this.proxy = proxy;
    this.queue = queue;
    this.ledger = ledger;
    this.pace = new HeartbeatPace(TimeUnit.MILLISECONDS.toNanos(config.heartbeatIntervalMs()));
    this.link = new ProducerLink(config, ledger);
  }

  /** Opens when the hello was acknowledged. */
  CountDownLatch ready() {
    return ready;
  }

  long emitted() {
    return link.acknowledged();
  }

  long gaps() {
    return gaps.get();
  }

  long heartbeats() {
    return heartbeats.get();
  }

  long errors() {
    return link.errors();
  }

  /** For how long the broker has acknowledged nothing. */
  long silentNs(long nowNs) {
    return Math.max(0, nowNs - link.acknowledgedNs());
  }

  void counts(CountsSource source) {
    counts.add(source);
  }

  /** Asks for the rest of the queue and a goodbye. */
  void requestClose() {
    closing.countDown();
  }

  /** Asks to stop at once, without a goodbye. The caller interrupts the thread. */
  void abandon() {
    abandoned = true;
  }

  @Override
  public void run() {
    try {
      sayHello();
      stream();
      sayGoodbye();
    } catch (InterruptedException | InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | LinkageError e) {
      LOG.error(
          "emitter of history {} stopped: its records are dropped from here on",
          config.history(),
          e);
    } finally {
      link.close();
    }
  }

  private void sayHello() throws InterruptedException {
    Hello hello =
        new Hello(
            proxy,
            config.service(),
            config.instance(),
            config.heartbeatIntervalMs(),
            config.oldestRunning(),
            config.database(),
            config.nextId());
    long startedNs = System.nanoTime();
    while (!link.sendAndAwait(hello)) {
      pauseBeforeRetry();
    }
    LOG.info(
        "history {} is recorded to Kafka at {}, which answered after {} ms",
        config.history(),
        config.bootstrapServers(),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNs));
    ready.countDown();
    nextHeartbeatNs = System.nanoTime();
  }

  private void stream() throws InterruptedException {
    while (true) {
      long waitNs = nextHeartbeatNs - System.nanoTime();
      if (waitNs <= 0) {
        handWaiting();
        beat();
        continue;
      }
      // Closing is looked at before the queue: what was offered before it is then in the queue.
      boolean last = closing.getCount() == 0;
      TransactionRecord record = last ? queue.poll() : next(waitNs);
      if (record != null) {
        hand(record);
      } else if (last) {
        return; // the goodbye follows, and before it what was taken
      }
    }
  }

  /** Takes what waits, so that the heartbeat that follows does not name it as open. */
  private void handWaiting() throws InterruptedException {
    for (int left = MAX_BEFORE_HEARTBEAT; left > 0; left--) {
      TransactionRecord record = queue.poll();
      if (record == null) {
        return;
      }
      hand(record);
    }
  }

  /** The next record; null if none comes in time. Where they are dense, none wakes this thread. */
  private @Nullable TransactionRecord next(long mostNs) throws InterruptedException {
    long waitNs = mostNs;
    TransactionRecord record = queue.poll();
    if (record == null) {
      long nowNs = System.nanoTime();
      waitNs = Math.min(waitNs, link.sendDueBatch(nowNs));
      long pauseNs = density.pauseNs(nowNs);
      if (pauseNs > 0) {
        LockSupport.parkNanos(Math.min(waitNs, pauseNs));
        record = queue.poll();
      }
    }
    return record == null
        ? queue.poll(Math.min(waitNs, MAX_PAUSE_NS), TimeUnit.NANOSECONDS)
        : record;
  }

  private void hand(TransactionRecord record) throws InterruptedException {
    density.came();
    link.send(record);
    if (record.outcome() != Outcome.OPEN) {
      ledger.handedOver(record.session().id(), record.transaction());
    }
    if (abandoned) {
      throw new InterruptedException("closed");
    }
  }

  /** Sends a heartbeat, and sets when the next one is due. */
  private void beat() throws InterruptedException {
    long startedNs = System.nanoTime();
    link.awaitAll();
    long madeNs = CaptureClock.PROCESS.nowNs(); // The heartbeat before has come.
    // The order matters: first the open transactions, then the losses; see Ledger.
    List<OpenTransaction> open = ledger.open();
    if (ledger.owesGap()) {
      announceLosses();
    }
    if (open.size() <= MAX_OPEN_PER_HEARTBEAT) {
      CaptureCounts told = counts.next(startedNs, false);
      link.sendOwn(
          new Heartbeat(proxy, heartbeatNumber++, open, told, madeNs),
          () -> {
            heartbeats.incrementAndGet();
            counts.acknowledged();
          });
    }
    nextHeartbeatNs = pace.next(startedNs, System.nanoTime());
  }

  /**
   * Returns when a gap record with all losses known at the call was acknowledged. Those that come
   * while it waits are left to the next heartbeat: under a full queue there is always another one,
   * and only a sender that goes on empties the queue.
   */
  private void announceLosses() throws InterruptedException {
    while (true) {
      link.awaitAll();
      long lost = ledger.takeLosses();
      if (link.sendAndAwait(new Gap(proxy, lost))) {
        gaps.incrementAndGet();
        return;
      }
      ledger.giveBackLosses(lost);
      pauseBeforeRetry();
    }
  }

  private void sayGoodbye() throws InterruptedException {
    link.awaitAll();
    int open = ledger.abandonOpen();
    if (open > 0) {
      ledger.giveBackLosses(open);
    }
    if (ledger.owesGap()) {
      announceLosses();
    }
    CaptureCounts told = counts.next(System.nanoTime(), true);
    if (told != null) {
      // Given up, it is missing at the end of a stream that is complete.
      link.sendAndAwait(new Heartbeat(proxy, heartbeatNumber++, List.of(), told));
    }
    StreamRecord goodbye = new Goodbye(proxy);
    while (!link.sendAndAwait(goodbye)) {
      pauseBeforeRetry();
    }
  }

  private void pauseBeforeRetry() throws InterruptedException {
    if (abandoned) {
      throw new InterruptedException("closed");
    }
    TimeUnit.MILLISECONDS.sleep(RETRY_PAUSE_MS);
  }
}

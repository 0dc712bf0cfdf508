package io.isotail.ingest.emit;

import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.TransactionRecord;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a proxy's records on Kafka without ever disturbing the application.
 *
 * <p>Application threads only offer a record to a bounded queue; when it is full the record is
 * dropped and counted. One daemon thread owns the producer and may block on it. Memory is bounded
 * by the queue and the producer's buffer, whatever the broker does.
 *
 * <p>What a reader of the stream may rely on, for one incarnation of a proxy:
 *
 * <ul>
 *   <li>The stream starts with a hello. The records of a session are in its own order, none twice;
 *       a lost one leaves a hole in the session's sequence numbers.
 *   <li>Every loss is announced by a gap record before the next heartbeat. Other records may stand
 *       between the hole and the gap, or between the gap and the hole.
 *   <li>Gaps count high, never low: a record given up after a timeout may have reached the log all
 *       the same, and a gap record may itself be repeated. When only an own record (a heartbeat)
 *       was given up, a gap of 1 marks the place.
 *   <li>A heartbeat is sent after everything handed over before it, the previous heartbeat
 *       included, was acknowledged or announced as lost. It names every transaction whose first
 *       write was announced before the previous heartbeat was acknowledged and whose last record
 *       neither stands before it nor is lost and announced. Heartbeat numbers grow and may have
 *       holes.
 *   <li>A heartbeat may carry counts of statements. They add up; those of a heartbeat that was
 *       given up are told again, so that they count twice if it reached the log all the same. The
 *       last ones stand before the goodbye.
 *   <li>A goodbye says that everything observed stands before it. Transactions still open then are
 *       announced by a last gap. Without a goodbye (killed, or the broker was away for longer than
 *       the deadline of closing) the proxy falls silent.
 * </ul>
 *
 * <p>Close it when the application has stopped using its connections: what comes after the goodbye
 * is only counted.
 */
public final class KafkaEmitter implements TransactionSink, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaEmitter.class);

  private final EmitterConfig config;
  private final String proxy = UUID.randomUUID().toString();
  private final ArrayBlockingQueue<TransactionRecord> queue;
  private final Ledger ledger = new Ledger();
  private final StreamSender sender;
  private final Thread thread;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Starts the sender; returns at once, whether or not there is a broker.
   *
   * @throws org.apache.kafka.common.KafkaException if the producer's settings make no sense
   */
  public KafkaEmitter(EmitterConfig config) {
    this.config = config;
    this.queue = new ArrayBlockingQueue<>(config.queueCapacityRecords());
    this.sender = new StreamSender(config, proxy, queue, ledger);
    this.thread = new Thread(sender, "isotail-emitter");
    thread.setDaemon(true);
    thread.start();
  }

  /** Id of this incarnation of the proxy: the {@code proxy} of the sessions that it observes. */
  public String proxyId() {
    return proxy;
  }

  /** Whether the broker has acknowledged the hello. */
  public boolean isReady() {
    return sender.ready().getCount() == 0;
  }

  /** Waits until the broker has acknowledged the hello; false if it has not in that time. */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    return sender.ready().await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void writeStarted(long session, long transaction) {
    ledger.announce(session, transaction);
  }

  @Override
  public void writeEnded(long session, long transaction) {
    ledger.handedOver(session, transaction);
  }

  @Override
  public void transaction(TransactionRecord record) {
    boolean accepted = !closed.get() && queue.offer(record);
    if (accepted && closed.get() && queue.remove(record)) {
      accepted = false;
    }
    if (!accepted) {
      ledger.drop();
      if (record.outcome() != Outcome.OPEN) {
        ledger.handedOver(record.session().id(), record.transaction());
      }
    }
  }

  @Override
  public void counts(CountsSource source) {
    sender.counts(source);
  }

  @Override
  public EmitterStats stats() {
    return new EmitterStats(
        sender.emitted(),
        ledger.dropped(),
        ledger.failed(),
        queue.size(),
        config.queueCapacityRecords(),
        sender.gaps(),
        sender.heartbeats(),
        sender.errors(),
        TimeUnit.NANOSECONDS.toMillis(sender.silentNs(System.nanoTime())));
  }

  /**
   * Sends what waits and a goodbye, for at most the configured deadline. Further calls do nothing.
   */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    sender.requestClose();
    boolean interrupted = false;
    try {
      thread.join(Math.max(1, config.closeDeadlineMs()));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (thread.isAlive()) {
      LOG.warn(
          "emitter of history {} closed without a goodbye: the broker did not answer within {} ms",
          config.history(),
          config.closeDeadlineMs());
      sender.abandon();
      thread.interrupt();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.isotail.monitor.partition;

import io.isotail.monitor.kafka.BrokerProbe;
import io.isotail.monitor.status.Lag;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how far checking is behind the log, on a thread of its own: what is stuck in checking is
 * told all the same.
 *
 * <p>The broker says where each partition ends, and that is compared with what the pipeline's
 * thread has checked just then: what was checked later would hide that it was late. The oldest
 * unchecked record is one that was fetched, whose time is known, or was appended after the last
 * checked one and after the last moment at which none was unchecked. Without an answer of the
 * broker, or without any of these times, the lag is unknown. Safe for use by many threads.
 */
public final class LagMeter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LagMeter.class);
  private static final long INTERVAL_MS = 50;

  /** Answers that are older say nothing. */
  private static final long STALE_NS = TimeUnit.SECONDS.toNanos(5);

  /** Weight of the latest records in the mean number of transactions of a record. */
  private static final double LATEST = 0.05;

  private final Consumer<@Nullable Lag> told;
  private final Map<Integer, OfPartition> partitions = new HashMap<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "isotail-lag");
  private @Nullable BrokerProbe probe;
  private @Nullable Lag measured;

  /** When the answer came that was compared last, in ns of {@link System#nanoTime}. */
  private long comparedNs;

  /** Whether there was one. */
  private boolean isCompared;

  /** Whether it is known which partitions are read. */
  private boolean assigned;

  private double inRecord = 1;

  /** Where one partition stands; times in ms since 1970, 0 for unknown. */
  private static final class OfPartition {
    private long position;

    /** Where it ends; -1 for unknown. */
    private long end = -1;

    /** Append time of the record that is checked now. */
    private long checkingMs;

    /** Append time of the last one that was checked. */
    private long checkedMs;

    /** When none was unchecked. */
    private long caughtUpMs;

    long records() {
      return Math.max(0, end - position);
    }

    /** Since when the oldest unchecked record may be in the log; 0 for unknown. */
    long sinceMs() {
      return checkingMs > 0 ? checkingMs : Math.max(checkedMs, caughtUpMs);
    }
  }

  /**
   * Measures nothing before it is started.
   *
   * @param told what was measured, null for unknown; on this meter's thread
   */
  public LagMeter(Consumer<@Nullable Lag> told) {
    this.told = told;
    thread.setDaemon(true);
  }

  /** Measures with each answer of the broker from now on. */
  public void start() {
    thread.start();
  }

  /** The broker is asked by this probe; by none if it is null. */
  public synchronized void ask(@Nullable BrokerProbe other) {
    probe = other;
    assigned = false;
    partitions.values().forEach(lag -> lag.end = -1);
  }

  /** Which partitions are to be read is not known now. */
  public synchronized void unassigned() {
    assigned = false;
  }

  /**
   * These partitions are read from these offsets on; the others are forgotten.
   *
   * @param positions next offset to check, by partition
   */
  public synchronized void positions(Map<Integer, Long> positions) {
    assigned = true;
    partitions.keySet().retainAll(positions.keySet());
    positions.forEach((partition, position) -> of(partition).position = position);
  }

  /** These records were fetched, and are about to be checked. */
  public synchronized void checking(ConsumerRecords<byte[], byte[]> fetched) {
    for (TopicPartition partition : fetched.partitions()) {
      ConsumerRecord<byte[], byte[]> first = fetched.records(partition).get(0);
      of(partition.partition()).checkingMs = first.timestamp();
    }
  }

  /**
   * They are checked.
   *
   * @param transactions in them
   */
  public synchronized void checked(ConsumerRecords<byte[], byte[]> fetched, long transactions) {
    inRecord += LATEST * ((double) transactions / fetched.count() - inRecord);
    for (TopicPartition partition : fetched.partitions()) {
      var records = fetched.records(partition);
      ConsumerRecord<byte[], byte[]> last = records.get(records.size() - 1);
      OfPartition lag = of(partition.partition());
      lag.checkingMs = 0;
      lag.checkedMs = Math.max(lag.checkedMs, last.timestamp());
      lag.position = Math.max(lag.position, last.offset() + 1);
    }
  }

  private OfPartition of(int partition) {
    return partitions.computeIfAbsent(partition, p -> new OfPartition());
  }

  private void run() {
    try {
      do {
        look();
      } while (!stop.await(INTERVAL_MS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A failure leaves the lag unknown, and is no end of measuring. */
  private void look() {
    Lag now = null;
    try {
      now = measure();
    } catch (RuntimeException e) {
      LOG.warn("the lag could not be measured", e);
    }
    told.accept(now);
  }

  /** Asks again where the log ends when it is time to, and compares with a new answer. */
  private synchronized @Nullable Lag measure() {
    BrokerProbe asked = probe;
    if (asked == null) {
      return null;
    }
    long nowNs = System.nanoTime();
    asked.tick(nowNs);
    BrokerProbe.Ends ends = asked.ends();
    if (!assigned || nowNs - ends.atNs() >= STALE_NS) {
      isCompared = false;
      return null;
    }
    if (!isCompared || ends.atNs() != comparedNs) {
      isCompared = true;
      comparedNs = ends.atNs();
      measured = compare(ends, System.currentTimeMillis());
    }
    return measured;
  }

  /**
   * Compares what is checked with where the broker said that the log ends.
   *
   * @return null for unknown
   */
  synchronized @Nullable Lag compare(BrokerProbe.Ends ends, long nowMs) {
    long askedMs = nowMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ends.atNs());
    ends.offsets()
        .forEach(
            (partition, end) -> {
              OfPartition lag = partitions.get(partition.partition());
              if (lag != null) {
                lag.end = end;
                lag.caughtUpMs = lag.records() == 0 ? askedMs : lag.caughtUpMs;
              }
            });
    long records = 0;
    double seconds = 0;
    if (!assigned) {
      return null;
    }
    for (OfPartition lag : partitions.values()) {
      if (lag.end < 0 || (lag.records() > 0 && lag.sinceMs() == 0)) {
        return null;
      }
      records += lag.records();
      seconds = Math.max(seconds, seconds(lag, nowMs));
    }
    return new Lag(records, Math.round(records * inRecord), seconds);
  }

  /** Age of the oldest unchecked record of one partition, in s; 0 if there is none, or unknown. */
  public synchronized double seconds(int partition, long nowMs) {
    OfPartition lag = partitions.get(partition);
    return lag == null ? 0 : seconds(lag, nowMs);
  }

  private static double seconds(OfPartition lag, long nowMs) {
    return lag.records() == 0 || lag.sinceMs() == 0 ? 0 : Math.max(0, nowMs - lag.sinceMs()) / 1e3;
  }

  /** Measures no more. */
  @Override
  public void close() {
    stop.countDown();
  }
}

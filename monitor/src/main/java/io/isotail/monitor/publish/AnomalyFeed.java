package io.isotail.monitor.publish;

import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.StoredAnomaly;
import io.isotail.monitor.store.StoredCause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the store with what any instance has published, the latest first as many as it keeps. So
 * every instance shows all anomalies, and none that was not committed.
 */
public final class AnomalyFeed {
  private static final Logger log = LoggerFactory.getLogger(AnomalyFeed.class);

  /**
   * Anomalies that were published so recently count after a start too: the instance that published
   * them may have died before its counters were scraped. Less than the alert looks back, so that
   * one that pages already does not page again.
   */
  private static final Duration RECENT = Duration.ofMinutes(2);

  /**
   * Offsets that are read at the start for each anomaly that may be kept: each commit has a marker
   * of its own, and causes that go on striking have records of their own too.
   */
  private static final long OFFSETS_EACH = 8;

  private static final long LOG_INTERVAL_NS = TimeUnit.HOURS.toNanos(1);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final AnomalyStore store;
  private final MonitorMetrics metrics;
  private final Map<TopicPartition, Long> ends;
  private final FeedProgress progress;

  /**
   * Reads on from where an earlier feed of the store ended, or from the latest anomalies, with a
   * consumer of its own, which the caller closes.
   *
   * @param progress how far the store was filled, which this keeps
   */
  public AnomalyFeed(
      Consumer<byte[], byte[]> consumer,
      List<TopicPartition> partitions,
      AnomalyStore store,
      MonitorMetrics metrics,
      FeedProgress progress) {
    this.consumer = consumer;
    this.store = store;
    this.metrics = metrics;
    this.progress = progress;
    consumer.assign(partitions);
    this.ends = consumer.endOffsets(partitions);
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
    for (TopicPartition partition : partitions) {
      long begin = begins.getOrDefault(partition, 0L);
      long end = ends.getOrDefault(partition, 0L);
      long latest = Math.max(begin, end - OFFSETS_EACH * store.capacity());
      long known = progress.next.getOrDefault(partition, -1L);
      consumer.seek(partition, known < begin || known > end ? latest : known);
    }
  }

  /** Whether all is read that was there at the beginning. */
  public boolean isLoaded() {
    return ends.entrySet().stream().allMatch(e -> consumer.position(e.getKey()) >= e.getValue());
  }

  /**
   * Takes what has come; waits a moment while it is not loaded.
   *
   * @param nowNs the time, as {@link System#nanoTime} tells it
   */
  public void poll(long nowNs) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(isLoaded() ? Duration.ZERO : POLL)) {
      progress.next.put(
          new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
      TopicArchive.note(progress.places, record);
      AnomalyRecord.Content content = AnomalyRecord.read(record);
      if (content instanceof AnomalyRecord.Known known) {
        add(known.anomaly(), record.timestamp());
      } else if (content instanceof AnomalyRecord.KnownCause known) {
        add(known.cause(), record.timestamp());
      } else if (content instanceof AnomalyRecord.KnownIncident known) {
        store.incidents().put(known.incident());
        metrics.knows(known.incident());
      } else if (content instanceof AnomalyRecord.KnownCount known) {
        count(known.count(), record.timestamp());
      } else if (content instanceof AnomalyRecord.Unusable unusable) {
        skip(record, unusable, nowNs);
      }
    }
  }

  private void add(StoredAnomaly anomaly, long timestampMs) {
    boolean own = progress.awaited.remove(anomaly.id());
    if (store.add(anomaly)) {
      if (own || System.currentTimeMillis() - timestampMs < RECENT.toMillis()) {
        metrics.found(anomaly);
      } else {
        noteUncounted(anomaly.id());
      }
    }
  }

  private void add(StoredCause cause, long timestampMs) {
    store.causes().put(cause);
    count(
        new CauseCount(
            cause.id(), cause.history(), cause.slot(), cause.violations(), cause.fresh()),
        timestampMs);
  }

  /** Counts what is fresh in it, if that has just come about or this instance has published it. */
  private void count(CauseCount count, long timestampMs) {
    Long own = progress.awaitedCauses.get(count.cause());
    boolean isOwn = own != null && count.violations() <= own;
    if (own != null && count.violations() >= own) {
      progress.awaitedCauses.remove(count.cause());
    }
    if (isOwn || System.currentTimeMillis() - timestampMs < RECENT.toMillis()) {
      if (progress.decisions.isMuted(count.cause())) {
        metrics.causedMuted(count.history(), count.fresh());
      } else {
        metrics.caused(count.history(), count.slot(), count.fresh());
      }
    }
  }

  /** A cause is published that is to be seen here, and counts however long that has taken. */
  public void await(News news) {
    if (news instanceof PublishedCause published) {
      progress.awaitedCauses.put(published.cause().id(), published.cause().violations());
    }
  }

  /** One that cannot be read must not keep the others from being read. */
  private void skip(
      ConsumerRecord<byte[], byte[]> record, AnomalyRecord.Unusable unusable, long nowNs) {
    metrics.anomalySkipped();
    if (unusable.id() != null && !progress.awaited.remove(unusable.id())) {
      noteUncounted(unusable.id());
    }
    Long loggedNs = progress.loggedNs.get(unusable.cause());
    if (loggedNs == null || nowNs - loggedNs >= LOG_INTERVAL_NS) {
      progress.loggedNs.put(unusable.cause(), nowNs);
      log.warn(
          "{}-{} offset {}: {} ({}); skipped, and further ones like it are only counted for an hour",
          record.topic(),
          record.partition(),
          record.offset(),
          unusable.cause().label(),
          unusable.detail());
    }
  }

  private void noteUncounted(String id) {
    progress.uncounted.add(id);
    if (progress.uncounted.size() > store.capacity()) {
      progress.uncounted.remove(progress.uncounted.iterator().next());
    }
  }

  /**
   * An anomaly is published that is to be seen here, and counts however long that has taken; one
   * that was of no use when it was read is not waited for.
   */
  public void await(String id) {
    if (progress.uncounted.remove(id)) {
      store.find(id).ifPresent(metrics::found);
    } else if (!store.contains(id)) {
      progress.awaited.add(id);
    }
  }

  /** Anomalies that are published and not yet in the store. */
  public int awaited() {
    return progress.awaited.size();
  }
}

package io.isotail.monitor.pipeline;

import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.status.HistoryStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes records and hands each to its history's worker. A record that makes no sense is counted
 * and skipped; the first of each cause is logged.
 */
final class Histories {
  private static final Logger log = LoggerFactory.getLogger(Histories.class);

  private final MonitorConfig config;
  private final MonitorMetrics metrics;
  private final HistoryWorker.Findings findings;
  private final Map<String, HistoryWorker> workers = new HashMap<>();
  private final Map<String, Long> badByCause = new HashMap<>();
  private long badRecords;

  Histories(MonitorConfig config, MonitorMetrics metrics, HistoryWorker.Findings findings) {
    this.config = config;
    this.metrics = metrics;
    this.findings = findings;
    config.histories().keySet().forEach(this::add);
  }

  void accept(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    if (key == null || key.length == 0) {
      bad(record, "no key", "the key must be the id of the history");
      return;
    }
    if (record.value() == null) {
      bad(record, "no value", "a record without a value says nothing");
      return;
    }
    StreamRecord decoded;
    try {
      decoded = EventCodec.decode(record.value());
    } catch (BadRecordException e) {
      bad(record, "undecodable", String.valueOf(e.getMessage()));
      // Whatever it said is lost to the checker, a write or a proxy's hello among others.
      decoded = new Gap("", 1);
    }
    HistoryWorker worker = worker(EventCodec.history(key));
    if (worker == null) {
      bad(record, "too many histories", "max-histories=" + config.maxHistories());
    } else if (!worker.accept(record.partition(), record.offset(), record.timestamp(), decoded)) {
      bad(record, "history on two partitions", "the key must decide the partition");
    }
  }

  /** Records that were skipped. */
  long badRecords() {
    return badRecords;
  }

  /** Where each history stands. */
  SortedMap<String, HistoryStatus> status(long nowNs) {
    SortedMap<String, HistoryStatus> status = new TreeMap<>();
    workers.forEach((history, worker) -> status.put(history, worker.status(nowNs)));
    return status;
  }

  private @Nullable HistoryWorker worker(String history) {
    HistoryWorker worker = workers.get(history);
    if (worker != null || workers.size() >= config.maxHistories()) {
      return worker;
    }
    return add(history);
  }

  private HistoryWorker add(String history) {
    metrics.expect(history, config.history(history).strongest());
    HistoryWorker worker = new HistoryWorker(history, config.history(history), findings);
    workers.put(history, worker);
    return worker;
  }

  private void bad(ConsumerRecord<byte[], byte[]> record, String cause, String detail) {
    badRecords++;
    if (badByCause.merge(cause, 1L, Long::sum) == 1) {
      log.warn(
          "{}-{} offset {}: {} ({}); skipped, and further ones like it are only counted",
          record.topic(),
          record.partition(),
          record.offset(),
          cause,
          detail);
    }
  }
}

package io.isotail.monitor.partition;

import io.isotail.monitor.kafka.BrokerProbe;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * How far checking is behind the log, partition by partition: one may be far behind while others
 * are read as they grow. The oldest unchecked record of a partition was appended after the last
 * checked one, and after the last moment at which none was unchecked: its age is at most the time
 * since the later of the two.
 */
public final class Lag {
  private final Map<Integer, OfPartition> partitions = new HashMap<>();

  /** Where one partition stands; 0 ms while nothing is known. */
  private static final class OfPartition {
    private long records;
    private long lastAppendMs;
    private long caughtUpMs;

    private double seconds(long nowMs) {
      long latestMs = Math.max(lastAppendMs, caughtUpMs);
      return records == 0 || latestMs == 0 ? 0 : Math.max(0, nowMs - latestMs) / 1e3;
    }
  }

  /** These records are checked. */
  public void processedUpTo(ConsumerRecords<byte[], byte[]> checked) {
    for (TopicPartition partition : checked.partitions()) {
      var ofPartition = checked.records(partition);
      ConsumerRecord<byte[], byte[]> last = ofPartition.get(ofPartition.size() - 1);
      OfPartition lag = of(partition.partition());
      lag.lastAppendMs = Math.max(lag.lastAppendMs, last.timestamp());
    }
  }

  /**
   * Compares positions with where the broker said that the log ended.
   *
   * @param positions of the partitions that this instance has; the others are forgotten
   */
  public void update(BrokerProbe.Ends ends, Map<Integer, Long> positions) {
    partitions.keySet().retainAll(positions.keySet());
    for (Map.Entry<TopicPartition, Long> end : ends.offsets().entrySet()) {
      Long position = positions.get(end.getKey().partition());
      if (position != null) {
        OfPartition lag = of(end.getKey().partition());
        lag.records = Math.max(0, end.getValue() - position);
        if (lag.records == 0) {
          lag.caughtUpMs = Math.max(lag.caughtUpMs, System.currentTimeMillis() - ageMs(ends));
        }
      }
    }
  }

  private OfPartition of(int partition) {
    return partitions.computeIfAbsent(partition, p -> new OfPartition());
  }

  /** Unchecked records of all partitions. */
  public long records() {
    return partitions.values().stream().mapToLong(lag -> lag.records).sum();
  }

  /** Age of the oldest unchecked record of all partitions, in s; 0 if there is none. */
  public double seconds(long nowMs) {
    return partitions.values().stream().mapToDouble(lag -> lag.seconds(nowMs)).max().orElse(0);
  }

  /** Age of the oldest unchecked record of one partition, in s; 0 if there is none. */
  public double seconds(int partition, long nowMs) {
    OfPartition lag = partitions.get(partition);
    return lag == null ? 0 : lag.seconds(nowMs);
  }

  private static long ageMs(BrokerProbe.Ends ends) {
    return (System.nanoTime() - ends.atNs()) / 1_000_000;
  }
}

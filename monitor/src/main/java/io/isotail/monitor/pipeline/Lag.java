package io.isotail.monitor.pipeline;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * How far checking is behind the log. The oldest unchecked record was appended after the last
 * checked one, and after the last moment at which none was unchecked: its age is at most the time
 * since the later of the two.
 */
final class Lag {
  private long records;
  private long lastAppendMs;
  private long caughtUpMs;

  /** These records are checked. */
  void processedUpTo(ConsumerRecords<byte[], byte[]> checked) {
    for (TopicPartition partition : checked.partitions()) {
      var ofPartition = checked.records(partition);
      ConsumerRecord<byte[], byte[]> last = ofPartition.get(ofPartition.size() - 1);
      lastAppendMs = Math.max(lastAppendMs, last.timestamp());
    }
  }

  /** Compares positions with where the broker said that the log ended. */
  void update(BrokerProbe.Ends ends, Map<Integer, Long> positions) {
    long behind = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.offsets().entrySet()) {
      Long position = positions.get(end.getKey().partition());
      behind += position == null ? 0 : Math.max(0, end.getValue() - position);
    }
    records = behind;
    if (behind == 0) {
      caughtUpMs = Math.max(caughtUpMs, System.currentTimeMillis() - ageMs(ends));
    }
  }

  long records() {
    return records;
  }

  double seconds(long nowMs) {
    if (records == 0 || Math.max(lastAppendMs, caughtUpMs) == 0) {
      return 0;
    }
    return Math.max(0, nowMs - Math.max(lastAppendMs, caughtUpMs)) / 1e3;
  }

  private static long ageMs(BrokerProbe.Ends ends) {
    return (System.nanoTime() - ends.atNs()) / 1_000_000;
  }
}

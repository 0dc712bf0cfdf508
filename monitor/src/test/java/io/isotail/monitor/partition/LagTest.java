package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.isotail.monitor.kafka.BrokerProbe;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

final class LagTest {
  private static final long NOW_MS = System.currentTimeMillis();
  private static final String TOPIC = "isotail.events";
  private final Lag lag = new Lag();

  @Test
  void aPartitionThatIsFarBehindIsNotHiddenByOneThatIsRead() {
    checked(0, NOW_MS - 10);
    checked(1, NOW_MS - 40_000);
    lag.update(ends(5_000, 9_000), Map.of(0, 4_999L, 1, 1_000L));
    assertThat(lag.records()).isEqualTo(8_001);
    assertThat(lag.seconds(NOW_MS)).isEqualTo(40);
    assertThat(lag.seconds(0, NOW_MS)).isEqualTo(0.01);
    assertThat(lag.seconds(1, NOW_MS)).isEqualTo(40);
  }

  @Test
  void whatIsReadToItsEndHasNoLagHoweverOldItsLastRecordIs() {
    checked(0, NOW_MS - 3_600_000);
    lag.update(ends(100, 0), Map.of(0, 100L));
    assertThat(lag.records()).isZero();
    assertThat(lag.seconds(NOW_MS)).isZero();
    // One record came since: it came after the last look.
    lag.update(ends(101, 0), Map.of(0, 100L));
    assertThat(lag.records()).isEqualTo(1);
    assertThat(lag.seconds(System.currentTimeMillis())).isCloseTo(0, within(60.0));
  }

  @Test
  void aPartitionThatHasGoneIsForgotten() {
    checked(0, NOW_MS);
    checked(1, NOW_MS - 40_000);
    lag.update(ends(10, 10), Map.of(0, 9L, 1, 5L));
    lag.update(ends(10, 10), Map.of(0, 9L));
    assertThat(lag.records()).isEqualTo(1);
    assertThat(lag.seconds(NOW_MS)).isZero();
    assertThat(lag.seconds(1, NOW_MS)).isZero();
  }

  private static BrokerProbe.Ends ends(long first, long second) {
    return new BrokerProbe.Ends(
        Map.of(new TopicPartition(TOPIC, 0), first, new TopicPartition(TOPIC, 1), second),
        System.nanoTime());
  }

  private void checked(int partition, long appendMs) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>(
            TOPIC,
            partition,
            7,
            appendMs,
            TimestampType.LOG_APPEND_TIME,
            1,
            1,
            new byte[1],
            new byte[1],
            new RecordHeaders(),
            Optional.empty());
    lag.processedUpTo(
        new ConsumerRecords<>(
            Map.of(new TopicPartition(TOPIC, partition), List.of(record)), new HashMap<>()));
  }
}

package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.isotail.monitor.kafka.BrokerProbe;
import io.isotail.monitor.status.Lag;
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

final class LagMeterTest {
  private static final long NOW_MS = System.currentTimeMillis();
  private static final String TOPIC = "isotail.events";
  private final LagMeter meter = new LagMeter(lag -> {});

  @Test
  void aPartitionThatIsFarBehindIsNotHiddenByOneThatIsRead() {
    checked(0, NOW_MS - 10);
    checked(1, NOW_MS - 40_000);
    meter.positions(Map.of(0, 4_999L, 1, 1_000L));
    assertThat(meter.compare(ends(5_000, 9_000), NOW_MS)).isEqualTo(new Lag(8_001, 8_001, 40));
    assertThat(meter.seconds(0, NOW_MS)).isEqualTo(0.01);
    assertThat(meter.seconds(1, NOW_MS)).isEqualTo(40);
  }

  @Test
  void whatIsReadToItsEndHasNoLagHoweverOldItsLastRecordIs() {
    checked(0, NOW_MS - 3_600_000);
    meter.positions(Map.of(0, 100L));
    assertThat(meter.compare(ends(100, 0), NOW_MS)).isEqualTo(Lag.NONE);
    // One record came since: it came after the last look.
    Lag lag = meter.compare(ends(101, 0), NOW_MS + 60_000);
    assertThat(lag.records()).isEqualTo(1);
    assertThat(lag.seconds()).isCloseTo(60, within(5.0));
  }

  @Test
  void aPartitionThatHasGoneIsForgotten() {
    checked(0, NOW_MS);
    checked(1, NOW_MS - 40_000);
    meter.positions(Map.of(0, 9L, 1, 5L));
    assertThat(meter.compare(ends(10, 10), NOW_MS).seconds()).isEqualTo(40);
    meter.positions(Map.of(0, 9L));
    assertThat(meter.compare(ends(10, 10), NOW_MS)).isEqualTo(new Lag(1, 1, 0));
    assertThat(meter.seconds(1, NOW_MS)).isZero();
  }

  @Test
  void whatIsNotKnownIsNotTakenForNothing() {
    BrokerProbe.Ends ends = ends(100, 0);
    assertThat(meter.compare(ends, NOW_MS)).as("no partitions were given out").isNull();
    meter.positions(Map.of());
    assertThat(meter.compare(ends, NOW_MS)).as("none is this monitor's").isEqualTo(Lag.NONE);
    meter.positions(Map.of(2, 0L));
    assertThat(meter.compare(ends, NOW_MS)).as("the broker has not told its end").isNull();
    meter.positions(Map.of(0, 30L));
    assertThat(meter.compare(ends, NOW_MS)).as("nobody knows since when").isNull();
    meter.positions(Map.of(0, 100L));
    assertThat(meter.compare(ends, NOW_MS)).isEqualTo(Lag.NONE);
    meter.unassigned();
    assertThat(meter.compare(ends, NOW_MS)).isNull();
  }

  @Test
  void aRecordThatIsBeingCheckedIsAsOldAsItIs() {
    checked(0, NOW_MS - 90_000);
    meter.checking(fetched(0, NOW_MS - 7_000));
    meter.positions(Map.of(0, 8L));
    assertThat(meter.compare(ends(10, 0), NOW_MS).seconds()).isEqualTo(7);
  }

  @Test
  void transactionsAreToldByHowManyRecordsOfTheLogHad() {
    for (int i = 0; i < 200; i++) {
      meter.checked(fetched(0, NOW_MS), 40);
    }
    meter.positions(Map.of(0, 8L));
    assertThat(meter.compare(ends(108, 0), NOW_MS).transactions()).isBetween(3_990L, 4_000L);
  }

  private static BrokerProbe.Ends ends(long first, long second) {
    return new BrokerProbe.Ends(
        Map.of(new TopicPartition(TOPIC, 0), first, new TopicPartition(TOPIC, 1), second),
        System.nanoTime());
  }

  private void checked(int partition, long appendMs) {
    meter.checked(fetched(partition, appendMs), 1);
  }

  private static ConsumerRecords<byte[], byte[]> fetched(int partition, long appendMs) {
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
    return new ConsumerRecords<>(
        Map.of(new TopicPartition(TOPIC, partition), List.of(record)), new HashMap<>());
  }
}

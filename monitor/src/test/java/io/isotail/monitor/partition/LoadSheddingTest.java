package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Control;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.ControlLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongToDoubleFunction;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** When levels are shed and taken back; time is an argument. */
final class LoadSheddingTest {
  private static final long TICK_MS = 200;
  private static final MonitorConfig CONFIG =
      MonitorConfig.of(Map.of("defaults.shed.to", "causal", "defaults.promise", "serializable"));

  private final PartitionTask task =
      new PartitionTask(
          0, 0, CheckpointMetadata.none(1), CONFIG::history, id -> false, (id, times) -> {});

  /** On a partition that is never behind. */
  private final PartitionTask light =
      new PartitionTask(
          1, 0, CheckpointMetadata.none(2), CONFIG::history, id -> false, (id, times) -> {});

  private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
  private final ControlLog control = new ControlLog("isotail.events", this::producer);
  private final LoadShedding shedding = new LoadShedding(0);
  private boolean failing;
  private long nowMs;
  private long busyMs;

  LoadSheddingTest() {
    task.add("shop");
    light.add("light");
  }

  @Test
  void lagThatDoesNotShrinkShedsAfterATimeAndOnceOnly() {
    run(59, s -> 40);
    assertThat(asked()).containsExactly("causal");
    run(600, s -> 40);
    assertThat(asked()).as("before it is read").hasSize(1);
    read();
    run(600, s -> 40);
    assertThat(asked()).as("it is what was asked for").hasSize(1);
  }

  @Test
  void aBacklogThatShrinksShedsNothing() {
    run(280, s -> 300 - s);
    assertThat(asked()).isEmpty();
  }

  @Test
  void aShortLagShedsNothing() {
    run(29, s -> 100);
    run(5, s -> 0);
    run(29, s -> 100);
    assertThat(asked()).isEmpty();
  }

  @Test
  void allLevelsComeBackThoughASampleNowAndThenIsLate() {
    run(60, s -> 40);
    read();
    run(590, s -> s % 60 == 0 ? 5 : 0);
    assertThat(asked()).hasSize(1);
    run(20, s -> 0);
    assertThat(asked()).containsExactly("causal", "strict-serializable");
  }

  @Test
  void timeInWhichNobodyLookedIsNotTimeWithoutLag() {
    run(60, s -> 40);
    read();
    nowMs += 3_600_000;
    run(300, s -> 0);
    assertThat(asked()).hasSize(1);
    run(310, s -> 0);
    assertThat(asked()).hasSize(2);
  }

  @Test
  void whatIsAskedStaysAskedThoughNobodyLookedForATime() {
    run(60, s -> 40);
    nowMs += 3_600_000;
    run(60, s -> 40);
    assertThat(asked()).containsExactly("causal");
  }

  @Test
  void batchesThatTakeSecondsToCheckShedAsOthersDo() {
    for (int i = 0; i < 10; i++) {
      nowMs += 5_000;
      busyMs += 4_900;
      run(1, s -> 40);
    }
    assertThat(asked()).containsExactly("causal");
  }

  @Test
  void whatCouldNotBeWrittenIsAskedAgainMoreAndMoreSeldom() {
    failing = true;
    run(31, s -> 40);
    run(600, s -> 40);
    failing = false;
    assertThat(asked()).isEmpty();
    assertThat(producers).hasSizeBetween(5, 10);
    run(310, s -> 40);
    assertThat(asked()).containsExactly("causal");
  }

  @Test
  void aHistoryThatMayNotBeShedIsNot() {
    PartitionTask other =
        new PartitionTask(
            0,
            0,
            CheckpointMetadata.none(1),
            MonitorConfig.of(Map.of())::history,
            id -> false,
            (id, times) -> {});
    other.add("shop");
    for (int i = 0; i < 1_000; i++) {
      nowMs += TICK_MS;
      shedding.tick(nowMs * 1_000_000, 0, partition -> 100, List.of(other), control);
    }
    assertThat(asked()).isEmpty();
  }

  private MockProducer<byte[], byte[]> producer() {
    MockProducer<byte[], byte[]> made =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    made.sendException = failing ? new KafkaException("no") : null;
    producers.add(made);
    return made;
  }

  private void run(int seconds, LongToDoubleFunction lagAt) {
    for (long ms = 0; ms < seconds * 1_000L; ms += TICK_MS) {
      nowMs += TICK_MS;
      double lag = lagAt.applyAsDouble(ms / 1_000);
      shedding.tick(
          nowMs * 1_000_000,
          busyMs * 1_000_000,
          partition -> partition == task.partition() ? lag : 0,
          List.of(task, light),
          control);
    }
  }

  /** The checker reads what was asked. */
  private void read() {
    List<Control> records = records();
    task.accept("shop", records.size() - 1, 1, records.get(records.size() - 1));
    task.advance(records.size());
  }

  private List<String> asked() {
    return records().stream().map(c -> c.settings().get(Control.LEVEL)).toList();
  }

  private List<Control> records() {
    List<Control> records = new ArrayList<>();
    for (MockProducer<byte[], byte[]> producer : producers) {
      for (ProducerRecord<byte[], byte[]> record : producer.history()) {
        try {
          records.add((Control) EventCodec.decode(record.value()).get(0));
        } catch (BadRecordException e) {
          throw new AssertionError(e);
        }
      }
    }
    return records;
  }
}

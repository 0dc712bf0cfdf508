package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.UndecidedReason;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.event.TransactionBatch;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.status.StatusBoard;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

final class AssignedPartitionsTest {
  private long offset;

  @Test
  void aHistoryThatWasSkippedBeginsAsOneOfWhichRecordsWereLost() {
    try (MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      AssignedPartitions assigned =
          new AssignedPartitions(config(1), metrics, id -> false, (id, times) -> {});
      assigned.add(assigned.create(0, 0, CheckpointMetadata.none(1)));
      assigned.accept(record("a", 1, new Operations.Builder().write(1, 10).build()));
      assigned.accept(record("b", 1, new Operations.Builder().write(1, 10).build()));
      assertThat(assigned.status(0)).containsOnlyKeys("a");
      assertThat(assigned.badRecords()).isEqualTo(1);

      assigned.reload(config(2), 1);
      assigned.accept(record("b", new Hello("p", "shop", "1", 100)));
      assigned.accept(record("b", 2, new Operations.Builder().read(1, 10).build()));
      for (int i = 0; i < 3; i++) {
        assigned.accept(record("b", new Heartbeat("p", i, List.of())));
      }
      CheckerReport report = assigned.status(0).get("b").report();
      assertThat(report.anomalies()).isEmpty();
      assertThat(report.undecided()).containsEntry(UndecidedReason.LOST_RECORDS, 1L);
    }
  }

  @Test
  void aBatchIsCheckedAsItsRecordsWouldBe() {
    try (MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      AssignedPartitions assigned =
          new AssignedPartitions(config(5), metrics, id -> false, (id, n) -> {});
      PartitionTask task = assigned.create(0, 0, CheckpointMetadata.none(1));
      assigned.add(task);
      assigned.accept(record("b", new Hello("p", "shop", "shop-1", 100)));
      // The third session knows x=2 and reads x=1: no causal order, all at one offset.
      TransactionBatch batch = new TransactionBatch();
      assertThat(batch.offer(transaction(1, 0, new Operations.Builder().write('x', 1).build())))
          .isTrue();
      assertThat(
              batch.offer(
                  transaction(2, 0, new Operations.Builder().read('x', 1).write('x', 2).build())))
          .isTrue();
      assertThat(batch.offer(transaction(3, 0, new Operations.Builder().read('x', 2).build())))
          .isTrue();
      assertThat(batch.offer(transaction(3, 1, new Operations.Builder().read('x', 1).build())))
          .isTrue();
      assigned.accept(
          new ConsumerRecord<>("isotail.events", 0, offset++, EventCodec.key("b"), batch.take()));
      assigned.accept(record("b", new Goodbye("p")));
      CheckerReport report = assigned.status(0).get("b").report();
      assertThat(report.transactions()).isEqualTo(4);
      assertThat(task.unpublished())
          .singleElement()
          .satisfies(found -> assertThat(found.anomaly().offset()).isEqualTo(1));
      assertThat(task.position()).isEqualTo(3);
    }
  }

  private static MonitorConfig config(int most) {
    return MonitorConfig.of(
        Map.of(
            "max-histories",
            Integer.toString(most),
            "defaults.closed",
            "true",
            "defaults.unique-versions",
            "true"));
  }

  private ConsumerRecord<byte[], byte[]> record(String history, long session, Operations ops) {
    return record(history, transaction(session, 0, ops));
  }

  private static TransactionRecord transaction(long session, long sequence, Operations ops) {
    return new TransactionRecord(
        new SessionInfo(session, "s" + session, "p", null, null, null, 0),
        sequence,
        sequence,
        0,
        Outcome.COMMITTED,
        "causal",
        TransactionRecord.NO_TIME,
        TransactionRecord.NO_TIME,
        null,
        ops);
  }

  private ConsumerRecord<byte[], byte[]> record(String history, StreamRecord record) {
    return new ConsumerRecord<>(
        "isotail.events", 0, offset++, EventCodec.key(history), EventCodec.encode(record));
  }
}

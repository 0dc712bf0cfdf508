package io.isotail.monitor.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.Seeds;
import io.isotail.incremental.level.IsolationLevel;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.event.TransactionBatch;
import io.isotail.ingest.generate.GenerateConfig;
import io.isotail.ingest.generate.HistoryGenerator;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.status.StatusBoard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** In how many records of the log transactions come must not matter for what is found. */
final class BatchedLogTest {
  private static final int HISTORIES = Math.max(20, Seeds.HISTORIES / 35);

  private final long seed = Seeds.FRESH;

  @Test
  void batchesChangeNothingOfWhatIsFound() {
    System.out.println("BatchedLogTest: -Disotail.random.seed=" + seed);
    Random random = new Random(seed);
    int found = 0;
    for (int i = 0; i < HISTORIES; i++) {
      List<TransactionRecord> history = history(random);
      Found alone = check(history, new Random(0), 1);
      Found batched = check(history, random, 1 + random.nextInt(TransactionBatch.MOST_RECORDS));
      assertThat(batched).as("seed %d, history %d", seed, i).isEqualTo(alone);
      found += alone.anomalies().size();
    }
    assertThat(found).as("seed %d", seed).isGreaterThan(HISTORIES);
  }

  /** With anomalies, with or without times, and of some writers no record. */
  private static List<TransactionRecord> history(Random random) {
    GenerateConfig defaults =
        GenerateConfig.defaults(
            random.nextBoolean() ? IsolationLevel.CAUSAL : IsolationLevel.READ_COMMITTED,
            random.nextLong());
    HistoryGenerator generator =
        new HistoryGenerator(
            new GenerateConfig(
                defaults.level(),
                new GenerateConfig.Traffic(6, 150, 0, 0),
                new GenerateConfig.Shape(false, 4, 30, 0.5, "uniform"),
                defaults.lag(),
                defaults.replicas(),
                new GenerateConfig.Clocks(random.nextBoolean(), 0, 400_000),
                defaults.injections(),
                random.nextLong()));
    List<TransactionRecord> history = new ArrayList<>();
    for (TransactionRecord next = generator.next(); next != null; next = generator.next()) {
      if (random.nextInt(20) > 0) {
        history.add(next);
      }
    }
    return history;
  }

  /** What was found, without the places in the log. */
  private record Found(List<String> anomalies, String counts) {}

  private static Found check(List<TransactionRecord> history, Random random, int most) {
    try (MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      AssignedPartitions assigned =
          new AssignedPartitions(config(), metrics, id -> false, (id, n) -> {});
      PartitionTask task = assigned.create(0, 0, CheckpointMetadata.none(1));
      assigned.add(task);
      TransactionBatch batch = new TransactionBatch();
      long offset = 0;
      for (TransactionRecord next : history) {
        if (batch.size() > 0 && (batch.size() == most || random.nextInt(4) == 0)) {
          assigned.accept(record(offset++, batch));
        }
        assertThat(batch.offer(next)).isTrue();
      }
      assigned.accept(record(offset, batch));
      CheckerReport report = assigned.status(0).get("shop").report();
      return new Found(
          task.unpublished().stream()
              .map(finding -> finding.anomaly().id() + " " + finding.anomaly().explanation())
              .toList(),
          "%s %s, decided %d of %d"
              .formatted(
                  report.anomalies(), report.undecided(), report.readsDecided(), report.reads()));
    }
  }

  private static ConsumerRecord<byte[], byte[]> record(long offset, TransactionBatch batch) {
    return new ConsumerRecord<>("isotail.events", 0, offset, EventCodec.key("shop"), batch.take());
  }

  private static MonitorConfig config() {
    return MonitorConfig.of(
        Map.of(
            "defaults.promise", "strict-serializable",
            "defaults.level", "strict-serializable",
            "defaults.closed", "false",
            "defaults.deletes", "false",
            "defaults.unique-versions", "true"));
  }
}

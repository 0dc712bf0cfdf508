package io.isotail.monitor.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.partition.AssignedPartitions;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.StateTopic;
import io.isotail.monitor.status.StatusBoard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is committed while a state is on its way, with producers that a test can hold up. */
@Timeout(60)
final class CommitterTest {
  private static final MonitorConfig CONFIG = MonitorConfig.of(Map.of());
  private static final MonitorConfig.Kafka KAFKA = CONFIG.kafka();
  private static final MockConsumer<byte[], byte[]> MEMBER = new MockConsumer<>("earliest");

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final Recording findings = new Recording(new CountDownLatch(0));
  private final Recording states = new Recording(arrived);
  private final Committer committer = new Committer(KAFKA, new StateTopic(KAFKA), findings, states);
  private final MonitorMetrics metrics = new MonitorMetrics(new StatusBoard());
  private final PartitionTask task =
      new AssignedPartitions(CONFIG, metrics, id -> false, (id, times) -> {})
          .create(0, 0, CheckpointMetadata.none(1));

  /** A producer whose records arrive when a test says so. */
  private static final class Recording extends MockProducer<byte[], byte[]> {
    private final CountDownLatch arrived;

    Recording(CountDownLatch arrived) {
      super(true, null, new ByteArraySerializer(), new ByteArraySerializer());
      this.arrived = arrived;
    }

    @Override
    public void flush() {
      try {
        arrived.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      super.flush();
    }

    OffsetAndMetadata committed() {
      return consumerGroupOffsetsHistory()
          .get(consumerGroupOffsetsHistory().size() - 1)
          .get(MEMBER.groupMetadata().groupId())
          .get(new TopicPartition(KAFKA.eventsTopic(), 0));
    }
  }

  @AfterEach
  void close() {
    arrived.countDown();
    committer.close();
    metrics.close();
  }

  private boolean commit(@Nullable StateUpload withState) throws InterruptedException {
    boolean made = committer.commit(List.of(task), withState, MEMBER.groupMetadata());
    task.succeeded();
    return made;
  }

  private void find() {
    task.found(SampleAnomalies.causality("an-id"), 0, 0);
  }

  @Test
  void whatIsFoundWhileAStateIsSentIsPublishedBeforeItIsThere() throws InterruptedException {
    task.advance(10);
    StateUpload upload = committer.begin(task);
    task.advance(20);
    find();
    assertThat(commit(null)).isTrue();
    assertThat(upload.isDone()).isFalse();
    assertThat(findings.history()).as("the anomaly").hasSize(1);
    assertThat(findings.committed().offset()).as("where the saved state stands").isZero();

    task.advance(30);
    arrived.countDown();
    upload.await();
    assertThat(task.isSound(upload.state())).isTrue();
    assertThat(commit(upload)).isTrue();
    assertThat(committer.upload()).isNull();
    assertThat(states.committed().offset()).as("it was saved there").isEqualTo(10);
    CheckpointMetadata says = CheckpointMetadata.parse(states.committed().metadata()).orElseThrow();
    assertThat(says.published()).isEqualTo(30);
    assertThat(says.hasState()).isTrue();
    assertThat(states.history()).as("the state and its manifest alone").hasSize(says.records() + 1);
    assertThat(task.stateOffset()).isEqualTo(10);
    assertThat(task.committed()).isEqualTo(says);
  }

  @Test
  void theCommitThatEndsAStatePublishesToo() throws InterruptedException {
    arrived.countDown();
    task.advance(10);
    StateUpload upload = committer.begin(task);
    find();
    upload.await();
    assertThat(commit(upload)).isTrue();
    assertThat(states.history())
        .filteredOn(record -> record.topic().equals(KAFKA.anomaliesTopic()))
        .hasSize(1);
    assertThat(findings.history()).isEmpty();
  }

  @Test
  void aStateFromBeforeALossIsGivenUp() throws InterruptedException {
    arrived.countDown();
    task.advance(10);
    StateUpload upload = committer.begin(task);
    task.cutBack(5);
    upload.await();
    assertThat(task.isSound(upload.state())).isFalse();
    committer.abandon();
    assertThat(states.transactionAborted()).isTrue();
    assertThat(states.consumerGroupOffsetsHistory()).isEmpty();
    assertThat(commit(committer.begin(task))).as("the next one").isTrue();
    assertThat(states.committed().offset()).isEqualTo(5);
  }

  @Test
  void oneStateAtATime() throws InterruptedException {
    committer.begin(task);
    assertThatThrownBy(() -> committer.begin(task)).isInstanceOf(IllegalStateException.class);
  }
}

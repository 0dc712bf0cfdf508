package io.isotail.monitor.handover;

import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.partition.TaskState;
import io.isotail.monitor.publish.CheckpointMetadata;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A saved state on its way to the state topic, while the task goes on. It is sent within a
 * transaction that is ended by whoever has begun it, once all of it is there.
 *
 * @param task whose state it is
 * @param state as it was when this was begun
 * @param tookNs for how long checking stood still for it so far
 * @param writingNs for how long another thread was busy with it; 0 until it is written
 * @param written what the next commit is to say of the state; done once the broker has all of it
 */
record StateUpload(
    PartitionTask task,
    TaskState state,
    long tookNs,
    AtomicLong writingNs,
    FutureTask<CheckpointMetadata> written) {

  /** Whether nothing more is sent of it: the broker has it, or something went wrong. */
  boolean isDone() {
    return written.isDone();
  }

  /**
   * What the next commit is to say of the state; waits until the broker has all of it.
   *
   * @throws org.apache.kafka.common.KafkaException if it could not be sent
   */
  CheckpointMetadata await() throws InterruptedException {
    try {
      return written.get();
    } catch (ExecutionException e) {
      throw Topics.asKafkaException(e);
    }
  }
}

package io.isotail.monitor.pipeline;

import io.isotail.monitor.partition.DecodedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decodes records of the log on a second processor while the ones before them are checked. Whoever
 * comes first to a record decodes it, so that nothing ever waits for this thread to wake up, and
 * the order is that of the log.
 */
final class DecodeAhead implements AutoCloseable {
  private final ExecutorService decoder =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "isotail-decode");
            thread.setDaemon(true);
            return thread;
          });

  /** Records to be decoded, in order, each when {@link #take} comes to it or before. */
  static List<FutureTask<DecodedRecord>> begin(Iterable<ConsumerRecord<byte[], byte[]>> fetched) {
    List<FutureTask<DecodedRecord>> begun = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : fetched) {
      begun.add(new FutureTask<>(() -> DecodedRecord.of(record)));
    }
    return begun;
  }

  /** Decodes records while the caller does something else. */
  void share(List<FutureTask<DecodedRecord>> begun) {
    if (!begun.isEmpty()) {
      decoder.execute(() -> begun.forEach(FutureTask::run));
    }
  }

  /** The decoded record; decodes it unless that was begun. */
  static DecodedRecord take(FutureTask<DecodedRecord> begun) throws InterruptedException {
    begun.run();
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("decoding failed", e.getCause());
    }
  }

  @Override
  public void close() {
    decoder.shutdownNow();
  }
}

package io.isotail.ingest.generate;

import io.isotail.incremental.record.TransactionRecord;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/** The records of a soak run, made in a thread ahead of the one that takes them. */
final class SoakStream implements AutoCloseable {
  private static final int BATCH = 512;
  private static final int BATCHES_AHEAD = 8;

  private final BlockingQueue<TransactionRecord[]> batches =
      new ArrayBlockingQueue<>(BATCHES_AHEAD);
  private final Thread producer;
  private TransactionRecord[] batch = {};
  private int next;

  /** Starts to produce; {@code injected} is called by the producing thread. */
  SoakStream(SoakConfig config, Consumer<Injection> injected) {
    EndlessHistory history =
        new EndlessHistory(config.traffic(), config.seed(), config.placements(), injected);
    producer = new Thread(() -> produce(history), "soak-producer");
    producer.setDaemon(true);
    producer.start();
  }

  private void produce(EndlessHistory history) {
    try {
      while (true) {
        TransactionRecord[] records = new TransactionRecord[BATCH];
        for (int i = 0; i < BATCH; i++) {
          records[i] = history.next();
        }
        batches.put(records);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  TransactionRecord next() throws InterruptedException {
    if (next == batch.length) {
      batch = batches.take();
      next = 0;
    }
    return batch[next++];
  }

  @Override
  public void close() {
    producer.interrupt();
  }
}

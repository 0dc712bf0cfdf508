package io.isotail.monitor.offline;

import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.TransactionConsumer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a history on a thread of its own, so that parsing and checking overlap.
 *
 * <p>The consumer is called on the caller's thread, with the same calls in the same order as if it
 * read the file itself. Bound: a few batches of transactions between the two. Whatever ends the
 * reader ends the caller, with the same exception, and the other way round; no thread is left.
 */
final class BackgroundReader implements TransactionConsumer {
  private static final int BATCH_TRANSACTIONS = 512;

  /** A batch with more operations, as of long lists, is handed over before it is full. */
  private static final int BATCH_OPERATIONS = 1 << 15;

  private static final int QUEUE_BATCHES = 8;

  private final BlockingQueue<Batch> queue = new ArrayBlockingQueue<>(QUEUE_BATCHES);
  private Batch batch = new Batch();
  private long blockedNs;
  private long readBytes;

  private BackgroundReader() {}

  /**
   * How long both threads had work.
   *
   * @param parseNs of the thread that read
   * @param consumeNs of the caller's thread
   */
  record Times(long parseNs, long consumeNs) {}

  /** Transactions in order, and what comes before and after them. */
  private static final class Batch {
    final long[] lines = new long[BATCH_TRANSACTIONS];
    final @Nullable TransactionRecord[] transactions = new TransactionRecord[BATCH_TRANSACTIONS];
    int size;
    int operations;
    long readBytes;
    boolean restart;
    boolean last;
    @Nullable Throwable failure;
    long parseNs;
  }

  /** The caller has gone: nobody takes what is read. */
  private static final class AbandonedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Reads the whole history.
   *
   * @throws InterruptedIOException if the calling thread is interrupted, which stays so
   */
  static Times read(Path path, HistoryFormat format, TransactionConsumer consumer)
      throws IOException, HistoryFormatException {
    BackgroundReader reader = new BackgroundReader();
    Thread thread = new Thread(() -> reader.parse(path, format), "isotail-parse");
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    try {
      return reader.consume(consumer);
    } catch (InterruptedException e) {
      interrupted = true;
      throw (InterruptedIOException)
          new InterruptedIOException("interrupted while checking " + path).initCause(e);
    } finally {
      thread.interrupt();
      interrupted |= joinWasInterrupted(thread);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void accept(long line, TransactionRecord transaction) {
    Batch current = batch;
    current.lines[current.size] = line;
    current.transactions[current.size++] = transaction;
    current.operations += transaction.operations().size();
    if (current.size == BATCH_TRANSACTIONS || current.operations >= BATCH_OPERATIONS) {
      handOver();
    }
  }

  @Override
  public void readBytes(long bytes) {
    readBytes = bytes;
  }

  @Override
  public void restart() {
    batch = new Batch();
    batch.restart = true;
  }

  private void parse(Path path, HistoryFormat format) {
    long startNs = System.nanoTime();
    try {
      try {
        format.read(path, this);
      } catch (AbandonedException e) {
        throw e;
      } catch (Throwable e) {
        batch.failure = e; // Thrown where somebody waits for it.
      }
      batch.last = true;
      batch.parseNs = System.nanoTime() - startNs - blockedNs;
      handOver();
    } catch (AbandonedException e) {
      // Nobody is left to tell.
    }
  }

  private void handOver() {
    batch.readBytes = readBytes;
    try {
      if (!queue.offer(batch)) {
        long beforeNs = System.nanoTime();
        queue.put(batch);
        blockedNs += System.nanoTime() - beforeNs;
      }
    } catch (InterruptedException e) {
      throw new AbandonedException();
    }
    batch = new Batch();
  }

  private Times consume(TransactionConsumer consumer)
      throws InterruptedException, IOException, HistoryFormatException {
    long startNs = System.nanoTime();
    long waitedNs = 0;
    while (true) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      Batch next = queue.poll();
      if (next == null) {
        long beforeNs = System.nanoTime();
        next = queue.take();
        waitedNs += System.nanoTime() - beforeNs;
      }
      if (next.restart) {
        consumer.restart();
      }
      for (int i = 0; i < next.size; i++) {
        TransactionRecord transaction = next.transactions[i];
        if (transaction != null) {
          consumer.accept(next.lines[i], transaction);
        }
      }
      consumer.readBytes(next.readBytes);
      if (next.failure != null) {
        rethrow(next.failure);
      }
      if (next.last) {
        return new Times(next.parseNs, System.nanoTime() - startNs - waitedNs);
      }
    }
  }

  private static void rethrow(Throwable failure) throws IOException, HistoryFormatException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof HistoryFormatException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) failure;
  }

  /** Waits until the thread has ended, however often this one is interrupted meanwhile. */
  private static boolean joinWasInterrupted(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}

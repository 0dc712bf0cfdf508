package io.isotail.monitor.tail;

import io.isotail.incremental.record.Changes;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.LogMark;
import io.isotail.incremental.record.LogStart;
import io.isotail.incremental.record.RowChange;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.event.EventCodec;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Puts what a log tells into a history's stream, in its order. Once a record could not be sent,
 * nothing more is: the log must begin anew with another teller. Safe for use by two threads.
 */
final class LogTeller implements AutoCloseable {
  private static final Duration CLOSING = Duration.ofSeconds(5);
  private static final long ANSWER_SECONDS = 130;

  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final byte[] key;
  private String source = "";
  private long nextSequence;
  private boolean handedOver;
  private volatile @Nullable Exception failure;

  LogTeller(Producer<byte[], byte[]> producer, String topic, String history) {
    this.producer = producer;
    this.topic = topic;
    this.key = EventCodec.key(history);
  }

  /** The id that records name a transaction by: every one has another before it. */
  static long id(long sequence) {
    return sequence + 1;
  }

  /** The number of the transaction of an {@link #id}. */
  static long sequence(long id) {
    return id - 1;
  }

  /**
   * The log begins, or goes on.
   *
   * @param start makes the record, given the source that it is of
   * @return where that stands
   */
  RecordMetadata begin(Function<String, LogStart> start)
      throws InterruptedException, LostStreamException {
    Future<RecordMetadata> sent;
    synchronized (this) {
      source = UUID.randomUUID().toString();
      nextSequence = 0;
      sent = send(start.apply(source));
    }
    return await(sent);
  }

  /** What records call this one. */
  synchronized String source() {
    return source;
  }

  /** A transaction, or a part of it, of a log in which numbers grow. */
  void group(LoggedGroup group) {
    long id = id(group.sequence());
    changes(id, id, group.last(), group.rows());
  }

  /** A transaction, or a part of it; as of {@link Changes}. */
  synchronized void changes(long writer, long position, boolean last, List<RowChange> rows) {
    Future<RecordMetadata> unused =
        send(new Changes(source, nextSequence++, writer, position, last, rows));
  }

  /**
   * All of the log is told that there was when the mark before was acknowledged. Waits for this
   * one.
   *
   * @return where it stands
   */
  RecordMetadata mark() throws InterruptedException, LostStreamException {
    Future<RecordMetadata> sent;
    synchronized (this) {
      sent = send(new LogMark(source, nextSequence));
    }
    return await(sent);
  }

  private RecordMetadata await(Future<RecordMetadata> sent)
      throws InterruptedException, LostStreamException {
    try {
      RecordMetadata at = sent.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      requireWhole();
      return at;
    } catch (ExecutionException | TimeoutException e) {
      failure = e;
      throw new LostStreamException(e);
    }
  }

  /** Another one goes on from this one, if all that was sent has arrived. */
  void handOver() throws LostStreamException {
    producer.flush();
    requireWhole();
    handedOver = true;
  }

  /** Says whether all that was sent so far has arrived, as far as it is known. */
  void requireWhole() throws LostStreamException {
    Exception why = failure;
    if (why != null) {
      throw new LostStreamException(why);
    }
  }

  private Future<RecordMetadata> send(StreamRecord record) {
    return producer.send(
        new ProducerRecord<>(topic, key, EventCodec.encode(record)),
        (metadata, exception) -> {
          if (exception != null && failure == null) {
            failure = exception;
          }
        });
  }

  /** Nobody follows the log any more. */
  @Override
  public void close() {
    if (failure == null && !source.isEmpty() && !handedOver) {
      Future<RecordMetadata> unused = send(new Goodbye(source));
    }
    producer.close(CLOSING);
  }

  /** A record was not sent. */
  static final class LostStreamException extends Exception {
    private static final long serialVersionUID = 1;

    LostStreamException(Exception cause) {
      super("Kafka did not take what the log told: " + cause.getMessage(), cause);
    }
  }
}

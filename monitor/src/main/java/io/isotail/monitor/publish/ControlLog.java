package io.isotail.monitor.publish;

import io.isotail.incremental.record.Control;
import io.isotail.ingest.event.EventCodec;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes control records into the log of a history, so that every reader of the log decides alike.
 * Not thread-safe; outcomes are told on a thread of the producer.
 */
public final class ControlLog implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControlLog.class);
  private static final Duration CLOSE = Duration.ofSeconds(1);

  /** What is told in place of an offset when the record was not written. */
  public static final long NOT_WRITTEN = -1;

  private final String topic;
  private final Supplier<Producer<byte[], byte[]>> producers;
  private @Nullable Producer<byte[], byte[]> producer;

  /** Connects when there is something to write, which is seldom. */
  public ControlLog(String topic, Supplier<Producer<byte[], byte[]>> producers) {
    this.topic = topic;
    this.producers = producers;
  }

  /**
   * Writes a record.
   *
   * @param partition where the history lives
   * @param outcome told the record's offset, or {@link #NOT_WRITTEN}
   */
  public void write(int partition, String history, Control control, LongConsumer outcome) {
    try {
      send(partition, history, control, outcome);
    } catch (RuntimeException e) { // a producer that cannot go on; the next one may
      log.warn("history {}: {} is not written", history, control, e);
      close();
      outcome.accept(NOT_WRITTEN);
    }
  }

  private void send(int partition, String history, Control control, LongConsumer outcome) {
    if (producer == null) {
      producer = producers.get();
    }
    var unused =
        producer.send(
            new ProducerRecord<>(
                topic, partition, EventCodec.key(history), EventCodec.encode(control)),
            (written, error) -> {
              if (error != null) {
                log.warn("history {}: {} is not written: {}", history, control, error.toString());
              }
              outcome.accept(error == null ? written.offset() : NOT_WRITTEN);
            });
  }

  @Override
  public void close() {
    Producer<byte[], byte[]> made = producer;
    producer = null;
    if (made != null) {
      made.close(CLOSE);
    }
  }
}

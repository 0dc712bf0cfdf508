package io.isotail.ingest.capture;

import io.isotail.ingest.emit.EmitterConfig;
import io.isotail.ingest.emit.KafkaEmitter;
import io.isotail.ingest.emit.TransactionSink;
import java.time.Duration;
import java.util.Objects;

/** Streams on Kafka. */
public final class KafkaSinks implements SinkFactory {

  @Override
  public OpenSink open(CaptureConfig config, DatabaseIds first) {
    KafkaEmitter emitter =
        new KafkaEmitter(
            EmitterConfig.of(
                    Objects.requireNonNull(config.kafka(), "kafka"),
                    config.history(),
                    config.service(),
                    config.instance())
                .withDatabase(first.database(), first.oldestRunning(), first.nextId())
                .withQueueCapacity(config.queueRecords())
                .withProducerProperties(config.kafkaProperties()));
    return new OpenSink() {
      @Override
      public TransactionSink sink() {
        return emitter;
      }

      @Override
      public String proxyId() {
        return emitter.proxyId();
      }

      @Override
      public boolean hasBegun() {
        return emitter.isReady();
      }

      @Override
      public void awaitStart(long timeoutNs) throws InterruptedException {
        emitter.awaitReady(Duration.ofNanos(timeoutNs));
      }

      @Override
      public void close() {
        emitter.close();
      }
    };
  }
}

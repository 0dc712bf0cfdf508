package io.isotail.monitor.forecast;

import io.isotail.incremental.forecast.Templates;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.format.HistoryFormat;
import io.isotail.ingest.format.HistoryFormatException;
import io.isotail.ingest.format.HistoryFormats;
import io.isotail.ingest.format.TransactionConsumer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Reads the transactions that forecasts are made from. */
public final class Traffic {
  private static final Duration POLL = Duration.ofMillis(500);

  private Traffic() {}

  /** Adds the transactions of a history file. */
  public static void ofFile(Path file, Templates to) throws IOException, HistoryFormatException {
    HistoryFormat format = HistoryFormats.detect(file);
    format.read(
        file,
        new TransactionConsumer() {
          @Override
          public void accept(long line, TransactionRecord transaction) {
            to.accept(transaction);
          }
        });
  }

  /**
   * Adds the transactions of a history that are in a log at the time of the call.
   *
   * @param consumer of no group; it is left assigned
   * @return number of records that could not be read
   * @throws KafkaException if the broker or the topic cannot be reached
   */
  public static long ofLog(
      Consumer<byte[], byte[]> consumer, String topic, String history, Templates to) {
    List<PartitionInfo> infos = consumer.partitionsFor(topic);
    if (infos == null || infos.isEmpty()) {
      throw new KafkaException("found no topic %s; expected the one with events".formatted(topic));
    }
    List<TopicPartition> partitions =
        infos.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    long bad = 0;
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        if (record.key() != null
            && record.value() != null
            && EventCodec.history(record.key()).equals(history)) {
          bad += accept(record.value(), to);
        }
      }
    }
    return bad;
  }

  private static long accept(byte[] value, Templates to) {
    try {
      for (StreamRecord record : EventCodec.decode(value)) {
        if (record instanceof TransactionRecord transaction) {
          to.accept(transaction);
        }
      }
      return 0;
    } catch (BadRecordException e) {
      return 1;
    }
  }
}

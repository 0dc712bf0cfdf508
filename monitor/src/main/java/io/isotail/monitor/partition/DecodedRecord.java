package io.isotail.monitor.partition;

import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record of the log with the records of a history that it holds.
 *
 * @param log as it was fetched
 * @param records what it holds, in order; a gap of one if that cannot be told
 * @param problem why that cannot be told, or null
 */
public record DecodedRecord(
    ConsumerRecord<byte[], byte[]> log, List<StreamRecord> records, @Nullable String problem) {

  /** Decodes a record; whatever its bytes are, this does not throw. Callable from any thread. */
  public static DecodedRecord of(ConsumerRecord<byte[], byte[]> log) {
    try {
      return new DecodedRecord(
          log, log.value() == null ? List.of() : EventCodec.decode(log.value()), null);
    } catch (BadRecordException e) {
      // Whatever it said is lost to the checker, a write or a proxy's hello among others.
      return new DecodedRecord(log, List.of(new Gap("", 1)), String.valueOf(e.getMessage()));
    }
  }
}

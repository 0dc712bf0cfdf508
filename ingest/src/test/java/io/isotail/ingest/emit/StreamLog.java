package io.isotail.ingest.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.Heartbeat.OpenTransaction;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.BadRecordException;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.TopicReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What one emitter left on a topic, and the rules that every such log keeps. */
record StreamLog(List<StreamRecord> records) {

  static StreamLog read(String servers, String topic) throws BadRecordException {
    List<StreamRecord> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> message : TopicReader.all(servers, topic)) {
      records.addAll(EventCodec.decode(message.value()));
    }
    return new StreamLog(records);
  }

  List<TransactionRecord> transactions() {
    return only(TransactionRecord.class);
  }

  List<Heartbeat> heartbeats() {
    return only(Heartbeat.class);
  }

  long gapTotal() {
    return only(Gap.class).stream().mapToLong(Gap::lostRecords).sum();
  }

  <T extends StreamRecord> List<T> only(Class<T> kind) {
    return records.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** Hello first, goodbye last, sessions in order without duplicates, heartbeat numbers growing. */
  StreamLog keepsOrder() {
    assertThat(records.get(0)).isInstanceOf(Hello.class);
    assertThat(only(Goodbye.class)).hasSizeLessThanOrEqualTo(1);
    Map<Long, Long> lastSequence = new HashMap<>();
    long lastHeartbeat = -1;
    for (StreamRecord record : records) {
      if (record instanceof TransactionRecord transaction) {
        Long last = lastSequence.put(transaction.session().id(), transaction.sequence());
        assertThat(transaction.sequence())
            .as("sequence of session %d", transaction.session().id())
            .isGreaterThan(last == null ? -1 : last);
      } else if (record instanceof Heartbeat heartbeat) {
        assertThat(heartbeat.number()).isGreaterThan(lastHeartbeat);
        lastHeartbeat = heartbeat.number();
      }
    }
    return this;
  }

  /**
   * A transaction that is named as open by a heartbeat has its last record behind that heartbeat,
   * or lost; one that was named and is not named any more has it before, or was lost and announced.
   */
  StreamLog keepsHeartbeatPromise() {
    Set<OpenTransaction> ended = new HashSet<>();
    Set<OpenTransaction> named = new HashSet<>();
    long unannounced = 0;
    for (StreamRecord record : records) {
      if (record instanceof TransactionRecord transaction
          && transaction.outcome() != Outcome.OPEN) {
        ended.add(new OpenTransaction(transaction.session().id(), transaction.transaction()));
      } else if (record instanceof Gap gap) {
        unannounced += gap.lostRecords();
      } else if (record instanceof Heartbeat heartbeat) {
        for (OpenTransaction open : heartbeat.open()) {
          assertThat(ended.contains(open)).as("%s behind its own end", open).isFalse();
        }
        heartbeat.open().forEach(named::remove);
        for (OpenTransaction gone : named) {
          if (!ended.contains(gone)) {
            unannounced--;
          }
        }
        assertThat(unannounced).as("losses before their gap").isNotNegative();
        named.clear();
        named.addAll(heartbeat.open());
      }
    }
    return this;
  }
}

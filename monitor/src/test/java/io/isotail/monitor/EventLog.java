package io.isotail.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Origin;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.event.TransactionBatch;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records to an events topic, as a proxy's emitter would. */
public final class EventLog implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;
  private final String history;
  private final Map<Long, Long> sequences = new HashMap<>();
  private final Map<Long, String> traces = new HashMap<>();
  private long written;

  /** Writes to {@code topic}, as the history's only source. */
  public EventLog(String bootstrap, String topic, String history) {
    this.topic = topic;
    this.history = history;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap, "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** The next transaction of a session; operations such as {@code r x 1}, keys of one letter. */
  public void commit(long session, String... operations) throws Exception {
    Operations.Builder builder = new Operations.Builder();
    for (String operation : operations) {
      String[] words = operation.split(" ");
      boolean read = words[0].equals("r");
      builder.statement(
          new Statement(
              "register",
              read
                  ? "SELECT v FROM register WHERE k = ?"
                  : "UPDATE register SET v = ? WHERE k = ?"));
      long version = Long.parseLong(words[2]);
      if (read) {
        builder.read(words[1].charAt(0), version);
      } else {
        builder.write(words[1].charAt(0), version);
      }
      builder.names(words[1], words[2]);
    }
    long sequence = sequences.merge(session, 1L, Long::sum) - 1;
    long nowNs = System.currentTimeMillis() * 1_000_000;
    send(
        new TransactionRecord(
            new SessionInfo(
                session, "s" + session, null, "shop", "shop-0", "db-1:5432", 4_000 + (int) session),
            sequence,
            sequence,
            0,
            Outcome.COMMITTED,
            "postgresql:repeatable-read",
            nowNs - 1_000_000,
            nowNs,
            "clock-1",
            builder.build(),
            traces.containsKey(session) ? Origin.of(null, "/pay", traces.get(session)) : null));
  }

  /** From now on transactions of a session tell an endpoint, and this trace. */
  public void trace(long session, String trace) {
    traces.put(session, trace);
  }

  /** A history that violates causal consistency: s3 reads x=1 although it knows x=2. */
  public void commitAnomaly(int firstVersion) throws Exception {
    int first = firstVersion;
    int second = firstVersion + 1;
    commit(1, "w x " + first);
    commit(2, "r x " + first, "w x " + second, "w y " + second);
    commit(3, "r y " + second);
    commit(3, "r x " + first);
  }

  /**
   * So many transactions of eight sessions, each of which writes a key of its own; returns in how
   * many records of the log they are.
   */
  public long commitMany(int transactions) throws Exception {
    TransactionBatch batch = new TransactionBatch();
    long records = 1;
    for (int i = 0; i < transactions; i++) {
      long session = 100 + i % 8;
      long sequence = sequences.merge(session, 1L, Long::sum) - 1;
      Operations.Builder builder = new Operations.Builder();
      written++;
      builder.write(1_000 + written, written);
      TransactionRecord record =
          new TransactionRecord(
              new SessionInfo(session, "s" + session, null, "shop", "shop-0", "db-1:5432", 1),
              sequence,
              sequence,
              0,
              Outcome.COMMITTED,
              "postgresql:serializable",
              TransactionRecord.NO_TIME,
              TransactionRecord.NO_TIME,
              null,
              builder.build());
      // Some alone, some together, as an emitter writes them.
      if (batch.size() > i % 7 || !batch.offer(record)) {
        send(batch);
        records++;
        assertThat(batch.offer(record)).isTrue();
      }
    }
    send(batch);
    producer.flush();
    return records;
  }

  private void send(TransactionBatch batch) {
    var unused = producer.send(new ProducerRecord<>(topic, EventCodec.key(history), batch.take()));
  }

  /** Any record. */
  public void send(StreamRecord record) throws ExecutionException, InterruptedException {
    sendBytes(EventCodec.key(history), EventCodec.encode(record));
  }

  /** Any bytes. */
  public void sendBytes(byte[] key, byte[] value) throws ExecutionException, InterruptedException {
    producer.send(new ProducerRecord<>(topic, key, value)).get();
  }

  @Override
  public void close() {
    producer.close();
  }
}

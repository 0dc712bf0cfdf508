package io.isotail.dashboards;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Heartbeat;
import io.isotail.incremental.record.NotCaptured;
import io.isotail.incremental.record.NotCaptured.Kind;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.Statement;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Records of one history on the events topic, as proxies write them. */
final class Traffic implements AutoCloseable {
  private static final String BILLING = "billing";
  private static final String CHECKOUT = "checkout";
  private static final String STOCK = "stock";
  private static final String READ_COMMITTED = "postgresql:read-committed";
  private static final String REPEATABLE_READ = "postgresql:repeatable-read";
  private static final Statement READ = read("account");
  private static final Statement WRITE = write("account");

  private String ranAt = REPEATABLE_READ;
  private final KafkaProducer<byte[], byte[]> producer;
  private final String history;
  private final Map<Long, Long> sequences = new HashMap<>();
  private long version = 1;
  private long heartbeats;

  Traffic(String bootstrap, String history) {
    this.history = history;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  private static Statement read(String table) {
    return new Statement(table, "SELECT * FROM %s WHERE id = ?".formatted(table));
  }

  private static Statement write(String table) {
    return new Statement(table, "UPDATE %s SET balance = ? WHERE id = ?".formatted(table));
  }

  /** A transaction reads what the one before wrote, and writes. */
  void goOn() throws Exception {
    long read = version++;
    Operations.Builder operations = new Operations.Builder();
    if (read > 1) {
      operations.statement(READ).read('k', read);
    }
    commit(10 + read % 5, operations.statement(WRITE).write('k', version));
  }

  /** A lost update: two transactions overwrite the version that both read. */
  void lostUpdate(long key) throws Exception {
    lostUpdate(key, 1, BILLING, "account");
  }

  /** A lost update by an application that runs at a weaker level. */
  void lostUpdateOfStock(long key) throws Exception {
    ranAt = READ_COMMITTED;
    lostUpdate(key, 31, CHECKOUT, STOCK);
    ranAt = REPEATABLE_READ;
  }

  /** One application reads a row twice, and sees it change; each column is another statement. */
  void rereadStock(long key, int column) throws Exception {
    ranAt = READ_COMMITTED;
    for (long version = 1; version <= 2; version++) {
      commit(31, CHECKOUT, new Operations.Builder().statement(write(STOCK)).write(key, version));
    }
    Statement read =
        new Statement(STOCK, "SELECT column%d FROM stock WHERE id = ?".formatted(column));
    commit(37, CHECKOUT, new Operations.Builder().statement(read).read(key, 1).read(key, 2));
    ranAt = REPEATABLE_READ;
  }

  /** A lost update by a service that has done nothing wrong before. */
  void lostUpdateOfOrders(long key) throws Exception {
    ranAt = READ_COMMITTED;
    lostUpdate(key, 51, "orders", "order");
    ranAt = REPEATABLE_READ;
  }

  /** An update of a refund that is lost, by a service of its own. */
  void lostUpdateOfRefunds(long key) throws Exception {
    lostUpdate(key, 41, "returns", "refund");
  }

  private void lostUpdate(long key, long firstSession, String service, String table)
      throws Exception {
    String name = table + " 7";
    commit(
        firstSession,
        service,
        new Operations.Builder().statement(write(table)).write(key, 1).names(name, "1"));
    for (long version = 2; version <= 3; version++) {
      commit(
          firstSession + version,
          service,
          new Operations.Builder()
              .statement(read(table))
              .read(key, 1)
              .names(name, "1")
              .statement(write(table))
              .write(key, version)
              .names(name, Long.toString(version)));
    }
  }

  /**
   * Records are lost, and a transaction reads what stood in one of them. It has written before, so
   * that a trigger of its own may be the writer: the read is undecided.
   */
  void gap() throws Exception {
    send(new Gap("", 1));
    Operations.Builder operations = new Operations.Builder().statement(WRITE).write('m', ++version);
    commit(20, operations.statement(READ).read('k', 1_000_000 + version));
  }

  /** A proxy tells of a statement that it could not record. */
  void notCaptured() throws Exception {
    NotCaptured one =
        new NotCaptured("select count(*) from account", Kind.UNREAD, "aggregate", 3, 3);
    send(new Heartbeat("p", heartbeats++, List.of(), new CaptureCounts(BILLING, 1, List.of(one))));
  }

  private void commit(long session, Operations.Builder operations) throws Exception {
    commit(session, BILLING, operations);
  }

  private void commit(long session, String service, Operations.Builder operations)
      throws Exception {
    long sequence = sequences.merge(session, 1L, Long::sum) - 1;
    long nowNs = System.currentTimeMillis() * 1_000_000;
    send(
        new TransactionRecord(
            new SessionInfo(session, "s" + session, null, service, service + "-0", "db:5432", 0),
            sequence,
            sequence,
            0,
            Outcome.COMMITTED,
            ranAt,
            nowNs - 1_000_000,
            nowNs,
            "c",
            operations.build()));
  }

  private void send(StreamRecord record) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                "isotail.events", EventCodec.key(history), EventCodec.encode(record)))
        .get();
  }

  @Override
  public void close() {
    producer.close();
  }
}

package io.isotail.ingest.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.capture.KafkaSinks;
import io.isotail.ingest.capture.SinkFactory;
import io.isotail.ingest.emit.TransactionSink;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.ingest.sandbox.TopicReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first connections and writes, with Kafka there, away, and slow. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamStartIT extends DatabaseScenario {
  private static final int LONG_MS = 60_000;

  /** What each wait for a stream was limited to, in nanoseconds. */
  private final List<Long> waitsNs = new ArrayList<>();

  private int opened;

  @AfterEach
  void endStreams() {
    IsotailDriver.shutDown();
  }

  /** Streams on Kafka whose waits are written down. */
  private final SinkFactory onKafka =
      (config, oldest) -> new Watched(new KafkaSinks().open(config, oldest));

  private final class Watched implements SinkFactory.OpenSink {
    private final SinkFactory.OpenSink real;

    Watched(SinkFactory.OpenSink real) {
      this.real = real;
      opened++;
    }

    @Override
    public TransactionSink sink() {
      return real.sink();
    }

    @Override
    public String proxyId() {
      return real.proxyId();
    }

    @Override
    public boolean hasBegun() {
      return real.hasBegun();
    }

    @Override
    public void awaitStart(long timeoutNs) throws InterruptedException {
      waitsNs.add(timeoutNs);
      real.awaitStart(timeoutNs);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private IsotailDataSource source(SinkFactory sinks, String servers, String history, int waitMs) {
    Properties settings = new Properties();
    settings.setProperty("isotail.history", history);
    settings.setProperty("isotail.service", history);
    settings.setProperty("isotail.kafka", servers);
    settings.setProperty("isotail.clear-names", "true");
    settings.setProperty("isotail.tables", "reg(k; v)");
    settings.setProperty("isotail.start-wait-ms", Integer.toString(waitMs));
    IsotailDataSource source = new IsotailDataSource(null, sinks);
    source.setUrl(database.jdbcUrl());
    source.setProperties(settings);
    return source;
  }

  private static String nobodyListensOn() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  private static List<StreamRecord> log(EmbeddedKafka kafka) throws Exception {
    List<StreamRecord> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> message :
        TopicReader.all(kafka.bootstrapServers(), EventCodec.TOPIC)) {
      records.addAll(EventCodec.decode(message.value()));
    }
    return records;
  }

  private static List<String> hellos(EmbeddedKafka kafka) throws Exception {
    return log(kafka).stream()
        .filter(Hello.class::isInstance)
        .map(record -> ((Hello) record).service())
        .toList();
  }

  @Test
  void theHelloIsInTheLogBeforeAFirstWriteIsCommitted() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      List<String> begun = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String history = UUID.randomUUID().toString();
        IsotailDataSource source = source(onKafka, kafka.bootstrapServers(), history, LONG_MS);
        try (Connection c = source.getConnection()) {
          begun.add(history);
          assertThat(waitsNs).as("the connection did not wait").hasSizeLessThan(begun.size());
          run(c, "SELECT v FROM reg WHERE k = 1");
          assertThat(waitsNs).as("nor did a read").hasSizeLessThan(begun.size());
          commitOne(c, i);
          assertThat(hellos(kafka)).containsExactlyElementsOf(begun);
        }
        source.getConnection().close();
      }
      assertThat(waitsNs).as("one wait for each stream at most").hasSizeLessThan(5);
      IsotailDriver.shutDown();
      assertThat(log(kafka)).filteredOn(TransactionRecord.class::isInstance).hasSize(8);
    }
  }

  /** Commits an update by each of the ways to do it. */
  private static void commitOne(Connection c, int way) throws SQLException {
    String update = "UPDATE reg SET v = 11 WHERE k = 1";
    switch (way) {
      case 0 -> run(c, update);
      case 1 -> {
        c.setAutoCommit(false);
        run(c, update);
        c.commit();
      }
      case 2 -> {
        run(c, "BEGIN");
        run(c, update);
        run(c, "COMMIT");
      }
      default -> {
        c.setAutoCommit(false);
        run(c, update);
        c.setAutoCommit(true);
      }
    }
  }

  @Test
  void withoutABrokerOnlyTheFirstWriteOfTheProcessWaits() throws Exception {
    String servers = nobodyListensOn();
    String history = UUID.randomUUID().toString();
    long beganNs = System.nanoTime();
    IsotailDataSource source = source(onKafka, servers, history, 2_000);
    try (Connection c = source.getConnection()) {
      run(c, "SELECT v FROM reg WHERE k = 1");
      assertThat(waitsNs).isEmpty();
      c.setAutoCommit(false);
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      c.rollback();
      assertThat(waitsNs).as("nothing was committed").isEmpty();
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      c.commit();
      assertThat(System.nanoTime() - beganNs)
          .isBetween(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(60));
      run(c, "UPDATE reg SET v = 12 WHERE k = 1");
      c.commit();
    }
    source.getConnection().close();
    try (Connection c =
        source(onKafka, servers, UUID.randomUUID().toString(), 400).getConnection()) {
      run(c, "UPDATE reg SET v = 12 WHERE k = 1");
    }
    assertThat(opened).isEqualTo(2);
    assertThat(waitsNs)
        .singleElement()
        .satisfies(ns -> assertThat(ns).isLessThan(TimeUnit.SECONDS.toNanos(2)));
  }

  @Test
  void aWaitOfZeroIsNone() throws Exception {
    String servers = nobodyListensOn();
    try (Connection c = source(onKafka, servers, UUID.randomUUID().toString(), 0).getConnection()) {
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
    }
    assertThat(waitsNs).isEmpty();
  }

  /** A stream whose first wait is interrupted, and which begins in the second one. */
  private final SinkFactory interrupting =
      (config, oldest) ->
          new SinkFactory.OpenSink() {
            @Override
            public TransactionSink sink() {
              return sink;
            }

            @Override
            public String proxyId() {
              return "proxy";
            }

            @Override
            public boolean hasBegun() {
              return waitsNs.size() > 1;
            }

            @Override
            public void awaitStart(long timeoutNs) throws InterruptedException {
              waitsNs.add(timeoutNs);
              if (!hasBegun()) {
                throw new InterruptedException("in the wait");
              }
            }

            @Override
            public void close() {
              // The scenario looks at the sink itself.
            }
          };

  @Test
  void anInterruptedWaitGoesOnAndKeepsTheInterrupt() throws SQLException {
    IsotailDataSource source =
        source(interrupting, "interrupted:1", UUID.randomUUID().toString(), LONG_MS);
    try (Connection c = source.getConnection()) {
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThat(Thread.interrupted()).isTrue();
    }
    expect("committed: w1=11");
    assertThat(waitsNs).hasSize(2);
  }

  @Test
  void dataSourcesThatDifferOnlyInTheWaitShareAStream() throws Exception {
    String servers = nobodyListensOn();
    String history = UUID.randomUUID().toString();
    source(onKafka, servers, history, 0).getConnection().close();
    source(onKafka, servers, history, 1).getConnection().close();
    assertThat(opened).isEqualTo(1);
  }

  @Test
  void ofDataSourcesThatShareAStreamTheLongestWaitCounts() throws Exception {
    String history = UUID.randomUUID().toString();
    source(interrupting, "raised:1", history, 0).getConnection().close();
    try (Connection c = source(interrupting, "raised:1", history, LONG_MS).getConnection()) {
      source(interrupting, "raised:1", history, 1).getConnection().close();
      run(c, "UPDATE reg SET v = 11 WHERE k = 1");
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(waitsNs).hasSize(2);
  }
}

package io.isotail.ingest.emit;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.CaptureCounts;
import io.isotail.incremental.record.Gap;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.Outcome;
import io.isotail.incremental.record.SessionInfo;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** The emitter on a real broker, which some tests stop and start again. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KafkaEmitterIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static EmbeddedKafka kafka;

  private String topic;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void closeBroker() {
    kafka.close();
  }

  @BeforeEach
  void createTopic(TestInfo test) {
    topic = test.getTestMethod().orElseThrow().getName();
    kafka.restart();
    kafka.createTopic(topic, 1, Map.of());
  }

  @Test
  void recordsArriveInOrderBetweenHelloAndGoodbye() throws Exception {
    List<TransactionRecord> offered = new ArrayList<>();
    try (KafkaEmitter emitter = new KafkaEmitter(config())) {
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
      for (int i = 0; i < 1_000; i++) {
        offered.add(record(i % 7, i / 7, Outcome.COMMITTED));
        emitter.transaction(offered.get(i));
      }
    }
    StreamLog log = StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder();
    assertThat(log.transactions()).isEqualTo(offered);
    assertThat(log.only(Gap.class)).isEmpty();
    assertThat(log.records().get(log.records().size() - 1)).isInstanceOf(Goodbye.class);
    assertThat(log.only(Hello.class))
        .singleElement()
        .satisfies(hello -> assertThat(hello.heartbeatIntervalMs()).isEqualTo(100));
  }

  @Test
  void countsOfStatementsStandBeforeTheGoodbyeAndNoneIsToldTwice() throws Exception {
    AtomicLong counted = new AtomicLong();
    AtomicLong told = new AtomicLong();
    try (KafkaEmitter emitter = new KafkaEmitter(config())) {
      emitter.counts(
          new CountsSource() {
            private long telling;

            @Override
            public CaptureCounts untold(int mostKinds) {
              telling = counted.get();
              long more = telling - told.get();
              return more == 0 ? null : new CaptureCounts("shop", more, List.of());
            }

            @Override
            public void told() {
              told.set(telling);
            }
          });
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
      counted.set(5);
      await(() -> told.get() == 5);
      counted.set(7);
    }
    StreamLog log = StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder();
    assertThat(log.heartbeats().stream().filter(beat -> beat.counts() != null))
        .extracting(beat -> beat.counts().captured())
        .containsExactly(5L, 2L);
    assertThat(log.only(Gap.class)).isEmpty();
  }

  @Test
  void everyHeartbeatNamesWhatIsOpenUnderConcurrentThreads() throws Exception {
    int threads = 8;
    int each = 3_000;
    EmitterConfig config = config().withHeartbeatInterval(2);
    try (KafkaEmitter emitter = new KafkaEmitter(config)) {
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
      inParallel(threads, session -> offer(emitter, session, each));
      await(() -> emitter.stats().emitted() == (long) threads * each);
    }
    StreamLog log =
        StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder().keepsHeartbeatPromise();
    assertThat(log.transactions()).hasSize(threads * each);
    assertThat(log.gapTotal()).isZero();
    assertThat(log.heartbeats()).hasSizeGreaterThan(3);
    assertThat(log.heartbeats()).anySatisfy(beat -> assertThat(beat.open()).isNotEmpty());
  }

  @Test
  void anOpenTransactionIsNamedUntilItsLastRecord() throws Exception {
    try (KafkaEmitter emitter = new KafkaEmitter(config().withHeartbeatInterval(5))) {
      emitter.writeStarted(1, 0);
      emitter.transaction(record(1, 0, Outcome.OPEN));
      await(() -> emitter.stats().emitted() == 1);
      long beats = emitter.stats().heartbeats();
      await(() -> emitter.stats().heartbeats() >= beats + 2);
      assertThat(StreamLog.read(kafka.bootstrapServers(), topic).heartbeats())
          .allSatisfy(beat -> assertThat(beat.open()).hasSize(1));
      emitter.transaction(record(1, 1, Outcome.COMMITTED, 0));
      await(() -> emitter.stats().emitted() == 2);
      long later = emitter.stats().heartbeats();
      await(() -> emitter.stats().heartbeats() >= later + 2);
    }
    StreamLog log = StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder();
    log.keepsHeartbeatPromise();
    assertThat(log.heartbeats().get(log.heartbeats().size() - 1).open()).isEmpty();
  }

  @Test
  void whatIsOpenAtTheGoodbyeIsALoss() throws Exception {
    try (KafkaEmitter emitter = new KafkaEmitter(config())) {
      emitter.writeStarted(1, 0);
      emitter.writeStarted(2, 0);
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
    }
    StreamLog log = StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder();
    assertThat(log.gapTotal()).isEqualTo(2);
    assertThat(log.only(Goodbye.class)).hasSize(1);
  }

  @Test
  void aFullQueueDropsAndAnnouncesExactlyWhatItDropped() throws Exception {
    kafka.stop();
    int threads = 4;
    int each = 500;
    try (KafkaEmitter emitter = new KafkaEmitter(config().withQueueCapacity(100))) {
      inParallel(threads, session -> offer(emitter, session, each));
      assertThat(emitter.stats().dropped()).isEqualTo(threads * each - 100);
      kafka.restart();
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
      await(() -> emitter.stats().queueDepth() == 0 && emitter.stats().gaps() > 0);
    }
    StreamLog log =
        StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder().keepsHeartbeatPromise();
    assertThat(log.transactions()).hasSize(100);
    assertThat(log.transactions().size() + log.gapTotal()).isEqualTo(threads * each);
  }

  @Test
  void theApplicationGoesOnWhileTheBrokerIsAway() throws Exception {
    int threads = 8;
    int each = 2_000;
    try (KafkaEmitter emitter =
        new KafkaEmitter(config().withQueueCapacity(2_000).withHeartbeatInterval(10))) {
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
      inParallel(threads, session -> offer(emitter, session, 100));
      await(() -> emitter.stats().emitted() == threads * 100L);
      kafka.stop();
      // Returns while nobody serves the stream: no hand-off waited for it.
      inParallel(threads, session -> offer(emitter, session + 100, each));
      assertThat(emitter.stats().dropped()).isPositive();
      await(() -> emitter.stats().silentMs() > 1_000);
      kafka.restart();
      inParallel(threads, session -> offer(emitter, session + 200, 10));
      await(
          () ->
              emitter.stats().queueDepth() == 0
                  && emitter.stats().emitted() + emitter.stats().dropped()
                      == threads * (110L + each));
      await(() -> emitter.stats().silentMs() < 1_000);
    }
    StreamLog log =
        StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder().keepsHeartbeatPromise();
    long offered = threads * (110L + each);
    assertThat(log.transactions().size() + log.gapTotal()).isEqualTo(offered);
    assertThat(log.only(Goodbye.class)).hasSize(1);
  }

  @Test
  void whatTheProducerGivesUpIsAnnounced() throws Exception {
    Map<String, String> impatient =
        Map.of(
            "delivery.timeout.ms", "600",
            "request.timeout.ms", "500",
            "max.block.ms", "500");
    int threads = 4;
    int each = 500;
    try (KafkaEmitter emitter =
        new KafkaEmitter(
            config().withHeartbeatInterval(60_000).withProducerProperties(impatient))) {
      assertThat(emitter.awaitReady(PATIENCE)).isTrue();
      inParallel(threads, session -> offer(emitter, session, 100));
      await(() -> emitter.stats().emitted() == threads * 100L);
      kafka.stop();
      inParallel(threads, session -> offer(emitter, session + 100, each));
      await(() -> emitter.stats().failed() > 0);
      kafka.restart();
      inParallel(threads, session -> offer(emitter, session + 200, 10));
      await(() -> emitter.stats().emitted() + emitter.stats().failed() == threads * (110L + each));
      // No heartbeat is due: the goodbye must not stand before the news of the losses either.
    }
    StreamLog log =
        StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder().keepsHeartbeatPromise();
    long offered = threads * (110L + each);
    assertThat(log.transactions().size() + log.gapTotal()).isGreaterThanOrEqualTo(offered);
    assertThat(log.transactions().size()).isLessThan((int) offered);
  }

  @Test
  void aRecordTooLargeForTheBrokerIsALossOfOne() throws Exception {
    try (KafkaEmitter emitter =
        new KafkaEmitter(config().withProducerProperties(Map.of("max.request.size", "5000")))) {
      Operations.Builder operations = new Operations.Builder();
      for (int i = 0; i < 1_000; i++) {
        operations.write(i, i);
      }
      emitter.transaction(record(1, 0, Outcome.COMMITTED));
      emitter.transaction(record(1, 1, Outcome.COMMITTED, 1, operations.build()));
      emitter.transaction(record(1, 2, Outcome.COMMITTED));
      await(() -> emitter.stats().emitted() == 2 && emitter.stats().gaps() == 1);
      assertThat(emitter.stats().errors()).isEqualTo(1);
    }
    StreamLog log = StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder();
    assertThat(log.transactions()).extracting(TransactionRecord::sequence).containsExactly(0L, 2L);
    assertThat(log.gapTotal()).isEqualTo(1);
  }

  @Test
  void littleMemoryForTheProducerHoldsSmallBatches() throws Exception {
    try (KafkaEmitter emitter =
        new KafkaEmitter(config().withProducerProperties(Map.of("buffer.memory", "65536")))) {
      for (int i = 0; i < 1_000; i++) {
        emitter.transaction(record(1, i, Outcome.COMMITTED));
      }
    }
    StreamLog log = StreamLog.read(kafka.bootstrapServers(), topic).keepsOrder();
    assertThat(log.transactions()).hasSize(1_000);
    assertThat(log.only(Gap.class)).isEmpty();
  }

  @Test
  void closingWithoutABrokerKeepsItsDeadline() {
    kafka.stop();
    KafkaEmitter emitter = new KafkaEmitter(config().withCloseDeadline(50));
    emitter.transaction(record(1, 0, Outcome.COMMITTED));
    emitter.close();
    emitter.close();
    emitter.transaction(record(1, 1, Outcome.COMMITTED));
    assertThat(emitter.stats().dropped()).isEqualTo(1);
  }

  private EmitterConfig config() {
    return EmitterConfig.of(kafka.bootstrapServers(), "h", "svc", "svc-1")
        .withTopic(topic)
        .withCloseDeadline(30_000);
  }

  private static void offer(KafkaEmitter emitter, long session, int transactions) {
    for (int i = 0; i < transactions; i++) {
      if (i % 3 != 0) {
        emitter.writeStarted(session, i);
        Thread.yield();
      }
      emitter.transaction(record(session, i, Outcome.COMMITTED));
    }
  }

  private static TransactionRecord record(long session, long sequence, Outcome outcome) {
    return record(session, sequence, outcome, sequence);
  }

  private static TransactionRecord record(
      long session, long sequence, Outcome outcome, long transaction) {
    Operations operations = new Operations.Builder().write(session, sequence).build();
    return record(session, sequence, outcome, transaction, operations);
  }

  private static TransactionRecord record(
      long session, long sequence, Outcome outcome, long transaction, Operations operations) {
    SessionInfo info = SessionInfo.ofFile(session, "s" + session);
    return new TransactionRecord(
        info, sequence, transaction, 0, outcome, "causal", 1, 2, "c", operations);
  }

  private interface SessionWork {
    void run(int session);
  }

  private static void inParallel(int threads, SessionWork work) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> running = new ArrayList<>();
    for (int session = 0; session < threads; session++) {
      int own = session;
      running.add(pool.submit(() -> work.run(own)));
    }
    for (Future<?> future : running) {
      future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    pool.shutdown();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline of the condition").isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }
}

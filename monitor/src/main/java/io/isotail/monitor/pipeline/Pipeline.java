package io.isotail.monitor.pipeline;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.MonitorStatus.Phase;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.AnomalyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log, checks it, and carries away what is found.
 *
 * <p>Design. One thread does all of it in a loop: connect, then poll, check, publish, until told to
 * stop. Whatever the broker does, the loop goes on: an error ends the connection, which is made
 * anew after a pause that doubles up to {@link #MAX_PAUSE_MS}; checkers and positions survive it.
 * State is rebuilt on start by reading the log from its beginning, and the ids on the anomalies
 * topic keep that from publishing or counting an anomaly again.
 */
public final class Pipeline implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Pipeline.class);
  private static final long STATUS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long MIN_PAUSE_MS = 100;
  private static final long MAX_PAUSE_MS = 5_000;

  private final MonitorConfig config;
  private final KafkaClients clients;
  private final AnomalyStore store;
  private final MonitorMetrics metrics;
  private final StatusBoard board;
  private final Consumer<Anomaly> onNew;
  private final PublishedAnomalies published;
  private final Map<Integer, Long> positions = new HashMap<>();
  private final Lag lag = new Lag();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  private volatile @Nullable Connection connection;
  private @Nullable Histories histories;
  private @Nullable AnomalyPublisher publisher;
  private boolean publishedLoaded;
  private long kafkaErrors;
  private long busyNs;
  private long nextStatusNs = System.nanoTime();

  /**
   * Does nothing until started.
   *
   * @param onNew told of each anomaly that no earlier run has published, on the pipeline's thread;
   *     must not block
   */
  @SuppressWarnings("this-escape") // the thread starts later
  public Pipeline(
      MonitorConfig config,
      AnomalyStore store,
      MonitorMetrics metrics,
      StatusBoard board,
      Consumer<Anomaly> onNew) {
    this.config = config;
    this.clients = new KafkaClients(config.kafka());
    this.store = store;
    this.metrics = metrics;
    this.board = board;
    this.onNew = onNew;
    this.published = new PublishedAnomalies(config.knownAnomalies());
    this.thread = new Thread(this::run, "isotail-pipeline");
  }

  /** Starts the thread. Returns at once, whether or not there is a broker. */
  public void start() {
    thread.start();
  }

  /**
   * Waits until everything is checked that is in the log at the time of the call.
   *
   * @return whether that was so within {@code timeout}
   */
  public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    if (!board.await(s -> s.phase() == Phase.RUNNING, timeout)) {
      return false;
    }
    Map<Integer, Long> ends = new HashMap<>();
    Map<TopicPartition, OffsetSpec> request = new HashMap<>();
    for (int partition : board.current().positions().keySet()) {
      request.put(new TopicPartition(config.kafka().eventsTopic(), partition), OffsetSpec.latest());
    }
    try (Admin admin = clients.admin()) {
      Map<TopicPartition, ListOffsetsResult.ListOffsetsResultInfo> found =
          admin
              .listOffsets(request)
              .all()
              .get(Math.max(1, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
      found.forEach((partition, info) -> ends.put(partition.partition(), info.offset()));
    } catch (ExecutionException | TimeoutException e) {
      log.debug("the broker does not say where the log ends", e);
      return false;
    }
    return board.await(
        s ->
            ends.entrySet().stream()
                .allMatch(e -> s.positions().getOrDefault(e.getKey(), 0L) >= e.getValue()),
        Duration.ofNanos(deadlineNs - System.nanoTime()));
  }

  /** Stops within {@code shutdown-ms}; anomalies already handed over are flushed. */
  @Override
  public void close() {
    stop.countDown();
    Connection open = connection;
    if (open != null) {
      open.wakeup();
    }
    try {
      thread.join(config.shutdownMs());
      if (thread.isAlive()) {
        log.warn("the pipeline did not stop within shutdown-ms={}", config.shutdownMs());
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean stopping() {
    return stop.getCount() == 0;
  }

  private void run() {
    try {
      work();
    } catch (Throwable e) { // whatever it is, the page must not go on showing a living pipeline
      log.error("the pipeline died", e);
      board.publish(board.current().stopped("the pipeline died: " + e));
      throw e;
    }
  }

  private void work() {
    long pauseMs = MIN_PAUSE_MS;
    while (!stopping()) {
      try (Connection open = connect()) {
        pauseMs = MIN_PAUSE_MS;
        while (!stopping()) {
          cycle(open);
        }
      } catch (WakeupException e) {
        log.debug("asked to stop");
      } catch (InterruptedException e) {
        log.warn("interrupted; the pipeline stops");
        stop.countDown();
      } catch (RuntimeException e) {
        kafkaErrors++;
        String problem = problemOf(e);
        log.warn("{}; next try in {} ms", problem, pauseMs, e instanceof KafkaException ? null : e);
        publishStatus(Phase.CONNECTING, problem);
        pauseMs = pause(pauseMs);
      } finally {
        connection = null;
      }
    }
    if (publisher != null) {
      publisher.close(Duration.ofMillis(config.shutdownMs() / 2));
    }
    board.publish(board.current().stopped("stopped"));
  }

  private Connection connect() throws InterruptedException {
    Connection open = new Connection(clients, config.kafka());
    try {
      connection = open;
      if (!publishedLoaded) {
        publishedLoaded = loadPublished(open);
      }
      open.assign(positions);
      log.info("reading {} from {}", config.kafka().eventsTopic(), positions);
      return open;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  private boolean loadPublished(Connection open) {
    boolean complete =
        published.load(
            open.consumer(), open.anomalyPartitions(), metrics::known, () -> !stopping());
    log.info("{} anomalies are on {}", published.size(), config.kafka().anomaliesTopic());
    return complete;
  }

  private void cycle(Connection open) {
    var records = open.poll();
    long startNs = System.nanoTime();
    Histories all = histories();
    for (var record : records) {
      all.accept(record);
      positions.put(record.partition(), record.offset() + 1);
    }
    open.addPositions(positions);
    long nowNs = System.nanoTime();
    if (!records.isEmpty()) {
      busyNs += nowNs - startNs;
      lag.processedUpTo(records);
    }
    open.probe().tick(nowNs);
    publisher().tick(nowNs);
    if (nowNs - nextStatusNs >= 0) {
      nextStatusNs = nowNs + STATUS_INTERVAL_NS;
      publishStatus(Phase.RUNNING, open.probe().problem(nowNs));
    }
  }

  private Histories histories() {
    Histories all = histories;
    if (all == null) {
      all = new Histories(config, metrics, new Findings());
      histories = all;
    }
    return all;
  }

  private AnomalyPublisher publisher() {
    AnomalyPublisher to = publisher;
    if (to == null) {
      to =
          new AnomalyPublisher(
              config.kafka().anomaliesTopic(), clients.producer(), System.nanoTime());
      publisher = to;
    }
    return to;
  }

  private long pause(long pauseMs) {
    try {
      stop.await(pauseMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      stop.countDown();
    }
    return Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }

  private void publishStatus(Phase phase, @Nullable String problem) {
    Histories all = histories;
    Connection open = connection;
    SortedMap<String, HistoryStatus> status = new TreeMap<>();
    if (all != null) {
      status = all.status(System.nanoTime());
    }
    if (open != null && phase == Phase.RUNNING) {
      lag.update(open.probe().ends(), positions);
    }
    board.publish(
        new MonitorStatus(
            phase,
            problem,
            positions,
            lag.records(),
            lag.seconds(System.currentTimeMillis()),
            all == null ? 0 : all.badRecords(),
            kafkaErrors + (open == null ? 0 : open.probe().failures()),
            busyNs / 1e9,
            publisher == null ? 0 : publisher.unpublished(),
            status));
  }

  private static String problemOf(RuntimeException e) {
    return e instanceof KafkaException ? "kafka: " + e.getMessage() : "unexpected: " + e;
  }

  private final class Findings implements HistoryWorker.Findings {
    @Override
    public void found(Anomaly anomaly, long appendTimeMs) {
      store.add(anomaly, appendTimeMs);
      if (published.add(anomaly.id())) {
        metrics.found(anomaly, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
        publisher().publish(anomaly);
        tell(anomaly);
      }
    }

    @Override
    public void repeated(String id, long occurrences) {
      store.repeated(id, occurrences);
    }

    private void tell(Anomaly anomaly) {
      try {
        onNew.accept(anomaly);
      } catch (RuntimeException e) { // the listener's fault, not the checker's
        log.error("the listener failed on anomaly {}", anomaly.id(), e);
      }
    }
  }
}

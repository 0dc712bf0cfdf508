package io.isotail.monitor.pipeline;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.fleet.InstanceRegistry;
import io.isotail.monitor.handover.KafkaSession;
import io.isotail.monitor.handover.PartitionHandover;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.kafka.UnusableException;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.metrics.PartitionShare;
import io.isotail.monitor.partition.AssignedPartitions;
import io.isotail.monitor.partition.LagMeter;
import io.isotail.monitor.partition.LoadShedding;
import io.isotail.monitor.publish.DecisionTopic;
import io.isotail.monitor.publish.FeedProgress;
import io.isotail.monitor.publish.PublishListener;
import io.isotail.monitor.publish.TopicArchive;
import io.isotail.monitor.reach.BrokerWords;
import io.isotail.monitor.reach.Reachability;
import io.isotail.monitor.status.Fleet;
import io.isotail.monitor.status.HistoryStatus;
import io.isotail.monitor.status.MonitorStatus;
import io.isotail.monitor.status.MonitorStatus.Phase;
import io.isotail.monitor.status.StatusBoard;
import io.isotail.monitor.store.AnomalyStore;
import io.isotail.monitor.store.Archive;
import io.isotail.monitor.store.Decisions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the partitions that the group gives to this instance, checks them, and carries away what is
 * found.
 *
 * <p>Design. One thread does all of it in a loop: connect, then poll, check, commit, until told to
 * stop. Whatever the broker does, the loop goes on, unless it says that another process has this
 * one's name: an error ends the session, which is made anew after a pause that doubles up to {@link
 * #MAX_PAUSE_MS}; checkers survive it, as long as the group gives their partitions back and nobody
 * else has gone on with them. {@link PartitionHandover} says how state moves from one instance to
 * the next.
 */
public final class Pipeline implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Pipeline.class);
  private static final long STATUS_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long MIN_PAUSE_MS = 100;
  private static final long MAX_PAUSE_MS = 5_000;

  /** Records that are checked before what is found is published and the status told. */
  private static final long MOST_IN_CYCLE = 500;

  private static final int MOST_SHUT_OUT = 3;
  private static final long SHUT_OUT_WITHIN_NS = TimeUnit.MINUTES.toNanos(2);

  private final MonitorConfig config;
  private final KafkaClients clients;
  private final AnomalyStore store;
  private final MonitorMetrics metrics;
  private final StatusBoard board;
  private final AssignedPartitions assigned;
  private final PartitionHandover handover;
  private final InstanceRegistry peers;
  private final LagMeter lag;

  private final TopicArchive archive;
  private final DecisionTopic decisions;
  private final FeedProgress progress;

  private final LoadShedding shedding = new LoadShedding(System.nanoTime());
  private final AtomicReference<@Nullable MonitorConfig> reload = new AtomicReference<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  private volatile @Nullable KafkaSession session;

  /** When this instance was shut out by one of its name lately. */
  private final Deque<Long> shutOutNs = new ArrayDeque<>();

  /** As the latest session found them. */
  private String clusterId = "";

  private int allPartitions;
  private long kafkaErrors;
  private long busyNs;
  private long nextStatusNs = System.nanoTime();

  /**
   * Does nothing until started.
   *
   * @param listener told of what was published
   */
  @SuppressWarnings("this-escape") // the thread starts later
  public Pipeline(
      MonitorConfig config,
      AnomalyStore store,
      MonitorMetrics metrics,
      StatusBoard board,
      PublishListener listener) {
    this.config = config;
    this.clients = new KafkaClients(config.kafka());
    this.archive = new TopicArchive(clients, config.kafka().anomaliesTopic());
    this.decisions = new DecisionTopic(clients, config.kafka());
    this.progress = new FeedProgress(archive, decisions);
    this.store = store;
    this.metrics = metrics;
    this.board = board;
    config.histories().forEach((id, history) -> metrics.expect(id, history.checker().strongest()));
    this.assigned = new AssignedPartitions(config, metrics, store::contains, store::repeated);
    this.handover = new PartitionHandover(config.kafka(), assigned, metrics, listener);
    this.peers = new InstanceRegistry(config.kafka().group(), clients.name(), System.nanoTime());
    this.lag = new LagMeter(board::measured);
    this.thread = new Thread(this::run, "isotail-pipeline");
  }

  /** What was published, also what the store does not keep any more. */
  public Archive archive() {
    return archive;
  }

  /** What people have decided about causes. */
  public Decisions decisions() {
    return decisions;
  }

  /** Starts the thread. Returns at once, whether or not there is a broker. */
  public void start() {
    thread.start();
    lag.start();
  }

  /**
   * Waits until everything is checked and published that is in this instance's part of the log at
   * the time of the call.
   *
   * @return whether that was so within {@code timeout}
   */
  public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
    long deadlineNs = System.nanoTime() + timeout.toNanos();
    if (!board.await(s -> s.phase() == Phase.RUNNING, timeout)) {
      return false;
    }
    Map<TopicPartition, OffsetSpec> request = new HashMap<>();
    for (int partition : board.current().positions().keySet()) {
      request.put(new TopicPartition(config.kafka().eventsTopic(), partition), OffsetSpec.latest());
    }
    Map<Integer, Long> ends;
    try (Admin admin = clients.admin()) {
      ends = ends(admin, request, deadlineNs);
      while (ends == null) {
        if (System.nanoTime() - deadlineNs >= 0
            || stop.await(MIN_PAUSE_MS, TimeUnit.MILLISECONDS)) {
          return false;
        }
        ends = ends(admin, request, deadlineNs);
      }
    }
    Map<Integer, Long> expected = ends;
    return board.await(
        s ->
            s.unpublished() == 0
                && expected.entrySet().stream()
                    .allMatch(e -> s.positions().getOrDefault(e.getKey(), 0L) >= e.getValue()),
        Duration.ofNanos(deadlineNs - System.nanoTime()));
  }

  /** Waits until the lag, as it was measured last, is none; {@code false} if it is not in time. */
  public boolean awaitNoLag(Duration timeout) throws InterruptedException {
    return board.await(s -> s.lag() != null && s.lag().records() == 0, timeout);
  }

  /** Where the log ends by partition; null if the broker does not say so, though it may soon. */
  private static @Nullable Map<Integer, Long> ends(
      Admin admin, Map<TopicPartition, OffsetSpec> request, long deadlineNs)
      throws InterruptedException {
    Map<Integer, Long> ends = new HashMap<>();
    try {
      admin
          .listOffsets(request)
          .all()
          .get(Math.max(1, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS)
          .forEach((partition, info) -> ends.put(partition.partition(), info.offset()));
      return ends;
    } catch (ExecutionException | TimeoutException e) {
      log.debug("the broker does not say where the log ends", e);
      return null;
    }
  }

  /** Declares histories as this says, soon; nothing else of it counts. Callable by any thread. */
  public void reload(MonitorConfig changed) {
    reload.set(changed);
  }

  /** Stops within {@code shutdown-ms}; what was found is published, and the state saved. */
  @Override
  public void close() {
    stop.countDown();
    lag.close();
    archive.close();
    decisions.close();
    KafkaSession open = session;
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
    } catch (UnusableException e) {
      log.error("{}", e.getMessage());
      board.publish(board.current().stopped(String.valueOf(e.getMessage())));
    } catch (Throwable e) { // whatever it is, the page must not go on showing a living pipeline
      log.error("the pipeline died", e);
      board.publish(board.current().stopped("the pipeline died: " + e));
      throw e;
    } finally {
      publishShare(0);
    }
  }

  private void work() {
    long pauseMs = MIN_PAUSE_MS;
    while (!stopping()) {
      try (KafkaSession open = connect()) {
        session = open;
        lag.ask(open.probe());
        handover.connected(open);
        archive.begin();
        decisions.begin();
        while (!stopping()) {
          try {
            cycle(open);
          } catch (WakeupException e) {
            throw e;
          } catch (RuntimeException | Error e) {
            handover.failed(e);
            throw e;
          }
          pauseMs = MIN_PAUSE_MS;
        }
        handover.leave();
        open.fleet().farewell();
      } catch (WakeupException e) {
        log.debug("asked to stop");
      } catch (InterruptedException e) {
        log.warn("interrupted; the pipeline stops");
        stop.countDown();
      } catch (RuntimeException e) {
        UnusableException.rethrow(e);
        requireOwnName(e, System.nanoTime());
        kafkaErrors++;
        String problem = problemOf(e);
        log.warn("{}; next try in {} ms", problem, pauseMs, e instanceof KafkaException ? null : e);
        publishStatus(Phase.CONNECTING, problem);
        pauseMs = pause(pauseMs);
      } finally {
        KafkaSession ended = session;
        kafkaErrors += ended == null ? 0 : ended.probe().failures();
        lag.ask(null);
        session = null;
        handover.disconnected();
      }
    }
    board.publish(board.current().stopped("stopped"));
  }

  private KafkaSession connect() throws InterruptedException {
    String silent = Reachability.brokers(config.kafka().bootstrap());
    if (silent != null) {
      publishStatus(Phase.CONNECTING, silent);
    }
    try {
      return new KafkaSession(clients, config.kafka(), store, metrics, peers, progress);
    } catch (KafkaException e) {
      throw silent == null ? e : new KafkaException(silent, e); // which tells more than a time-out
    }
  }

  private void cycle(KafkaSession open) throws InterruptedException {
    try {
      long some = check(open.poll());
      for (long all = some; some > 0 && all < MOST_IN_CYCLE && !stopping(); all += some) {
        some = check(open.pollMore());
      }
    } catch (WakeupException e) {
      log.debug("asked to stop");
      return;
    }
    MonitorConfig changed = reload.getAndSet(null);
    if (changed != null) {
      assigned.reload(changed, open.partitions());
    }
    handover.tick(System.nanoTime());
    if (decisions.isSettled()) {
      open.feed().poll(System.nanoTime());
    }
    open.fleet().poll();
    long nowNs = System.nanoTime();
    if (nowNs - nextStatusNs >= 0) {
      nextStatusNs = nowNs + STATUS_INTERVAL_NS;
      boolean running = handover.joined() && open.feed().isLoaded();
      String problem =
          running ? open.probe().problem(nowNs) : "waits for the group to give out partitions";
      publishStatus(running ? Phase.RUNNING : Phase.CONNECTING, problem);
      if (problem == null) {
        long nowMs = System.currentTimeMillis();
        shedding.tick(
            nowNs,
            busyNs,
            partition -> lag.seconds(partition, nowMs),
            assigned.all(),
            open.control());
      }
      open.fleet().tell(board.current(), nowNs);
    }
  }

  /** Checks what was fetched; returns how many records were in the records of the log. */
  private long check(ConsumerRecords<byte[], byte[]> fetched) {
    if (fetched.isEmpty()) {
      return 0;
    }
    long startNs = System.nanoTime();
    lag.positions(assigned.positions());
    lag.checking(fetched);
    long records = 0;
    for (ConsumerRecord<byte[], byte[]> record : fetched) {
      records += assigned.accept(record);
    }
    busyNs += System.nanoTime() - startNs;
    lag.checked(fetched, records);
    return records;
  }

  /**
   * Two of one name shut each other out for ever. Once may be a mistake of the broker's; the one
   * that was there first is shut out first, and so the first to see it again and again.
   */
  private void requireOwnName(RuntimeException e, long nowNs) {
    boolean shutOut = false;
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      shutOut |=
          cause instanceof FencedInstanceIdException || cause instanceof ProducerFencedException;
    }
    if (!shutOut || config.kafka().instanceId() == null) {
      return;
    }
    shutOutNs.removeIf(before -> nowNs - before > SHUT_OUT_WITHIN_NS);
    shutOutNs.add(nowNs);
    if (shutOutNs.size() >= MOST_SHUT_OUT) {
      throw new UnusableException(
          "another process is in group %s as kafka.instance-id=%s; expected a name of its own for each instance"
              .formatted(config.kafka().group(), config.kafka().instanceId()));
    }
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
    KafkaSession open = session;
    long nowNs = System.nanoTime();
    SortedMap<String, HistoryStatus> status = new TreeMap<>(assigned.status(nowNs));
    Map<Integer, Long> positions = assigned.positions();
    if (open != null && handover.joined()) {
      lag.positions(positions);
    } else {
      lag.unassigned();
    }
    if (open != null) {
      clusterId = open.clusterId();
      allPartitions = open.partitions();
    }
    publishShare(handover.held());
    board.publish(
        new MonitorStatus(
            phase,
            0,
            problem,
            positions,
            null,
            assigned.badRecords(),
            kafkaErrors + (open == null ? 0 : open.probe().failures()),
            busyNs / 1e9,
            assigned.unpublished()
                + handover.unpublished()
                + (open == null ? 0 : open.feed().awaited()),
            status,
            fleet(open, nowNs)));
  }

  private void publishShare(int held) {
    if (allPartitions > 0) {
      metrics.checks(new PartitionShare(clusterId, config.kafka().group(), held, allPartitions));
    }
  }

  private Fleet fleet(@Nullable KafkaSession open, long nowNs) {
    boolean hearing = open != null && open.probe().problem(nowNs) == null;
    return peers.fleet(nowNs, hearing, open == null ? null : open.fleet().problem());
  }

  private String problemOf(RuntimeException e) {
    return e instanceof KafkaException
        ? "kafka: " + BrokerWords.of(e, config.kafka().bootstrap())
        : "unexpected: " + e;
  }
}

package io.isotail.monitor.handover;

import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.fleet.InstanceRegistry;
import io.isotail.monitor.fleet.InstanceStatusTopic;
import io.isotail.monitor.kafka.BrokerProbe;
import io.isotail.monitor.kafka.ForgottenTransactions;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.publish.AnomalyFeed;
import io.isotail.monitor.publish.ControlLog;
import io.isotail.monitor.publish.FeedProgress;
import io.isotail.monitor.publish.StateTopic;
import io.isotail.monitor.store.AnomalyStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The clients that read the log and write what is found, from one connect to the next error. */
public final class KafkaSession implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KafkaSession.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration CLOSE = Duration.ofSeconds(1);

  private final Deque<AutoCloseable> made = new ArrayDeque<>();
  private final Admin admin;
  private final List<TopicPartition> eventPartitions;
  private final String clusterId;
  private final BrokerProbe probe;
  private final StateTopic state;
  private final KafkaClients clients;
  private final String stateTopic;
  private final ForgottenTransactions forgotten;

  /** Where transactions publish. */
  private final List<TopicPartition> published = new ArrayList<>();

  private final Committer committer;
  private final Consumer<byte[], byte[]> consumer;
  private final AnomalyFeed feed;
  private final ControlLog control;
  private final InstanceStatusTopic fleet;

  /**
   * Finds the topics; fails when the broker does not answer within a few seconds.
   *
   * @param progress how far the store was filled from the anomalies topic, which this keeps
   */
  public KafkaSession(
      KafkaClients clients,
      MonitorConfig.Kafka config,
      AnomalyStore store,
      MonitorMetrics metrics,
      InstanceRegistry peers,
      FeedProgress progress)
      throws InterruptedException {
    this.clients = clients;
    this.stateTopic = config.stateTopic();
    try {
      admin = clients.admin();
      made.push(() -> admin.close(CLOSE));
      Topics topics = new Topics(config, admin);
      eventPartitions = topics.events();
      topics.state(eventPartitions.size());
      List<TopicPartition> anomalyPartitions = topics.anomalies();
      published.addAll(anomalyPartitions);
      for (TopicPartition events : eventPartitions) {
        published.add(new TopicPartition(config.stateTopic(), events.partition()));
      }
      forgotten = new ForgottenTransactions(clients, admin);
      forgotten.end(published);
      clusterId = topics.clusterId();
      state = new StateTopic(config);
      committer = new Committer(config, state, clients.producer(""), clients.producer("-state"));
      made.push(committer);
      Consumer<byte[], byte[]> anomalies = clients.consumer();
      made.push(() -> anomalies.close(CloseOptions.timeout(CLOSE)));
      feed = new AnomalyFeed(anomalies, anomalyPartitions, store, metrics, progress);
      control = new ControlLog(config.eventsTopic(), clients::writer);
      made.push(control);
      fleet = new InstanceStatusTopic(clients, config, topics, peers);
      made.push(fleet);
      consumer = clients.member();
      made.push(() -> consumer.close(CloseOptions.timeout(CLOSE)));
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
    probe = new BrokerProbe(admin, config.bootstrap(), eventPartitions.get(0), System.nanoTime());
  }

  /** Joins the group; it gives partitions, and takes them, while records are polled. */
  void join(ConsumerRebalanceListener listener) {
    consumer.subscribe(List.of(eventPartitions.get(0).topic()), listener);
  }

  Consumer<byte[], byte[]> consumer() {
    return consumer;
  }

  Committer committer() {
    return committer;
  }

  /** Reads back what any instance has published. */
  public AnomalyFeed feed() {
    return feed;
  }

  /** Writes control records. */
  public ControlLog control() {
    return control;
  }

  /** Tells and hears where instances stand. */
  public InstanceStatusTopic fleet() {
    return fleet;
  }

  /** Ends transactions that a killed broker has forgotten to end; takes some round trips. */
  void endForgotten() throws InterruptedException {
    forgotten.end(published);
  }

  StateTopic state() {
    return state;
  }

  /** A consumer without a group, which the caller closes. */
  Consumer<byte[], byte[]> reader() {
    return clients.consumer();
  }

  /** Number of partitions of the events topic. */
  public int partitions() {
    return eventPartitions.size();
  }

  /** Id of the cluster; empty if it tells none. */
  public String clusterId() {
    return clusterId;
  }

  /** Whether the broker answers, and where the log ends. */
  public BrokerProbe probe() {
    return probe;
  }

  /** Fetches some of what there is to check; waits a tenth of a second at most. */
  public ConsumerRecords<byte[], byte[]> poll() {
    return consumer.poll(POLL);
  }

  /** Takes some more of what was fetched; empty if that is all. Waits for nothing. */
  public ConsumerRecords<byte[], byte[]> pollMore() {
    return consumer.poll(Duration.ZERO);
  }

  /** Makes a poll that is under way, or else the next, throw {@link WakeupException}. */
  public void wakeup() {
    consumer.wakeup();
  }

  /** Where the state topic's partition ends, with what is not committed. */
  long stateEnd(int partition) throws InterruptedException {
    TopicPartition of = new TopicPartition(stateTopic, partition);
    try {
      return admin.listOffsets(Map.of(of, OffsetSpec.latest())).partitionResult(of).get().offset();
    } catch (ExecutionException e) {
      throw Topics.asKafkaException(e);
    }
  }

  /** Closes what was made, the last first; what fails to close does not keep the rest. */
  @Override
  public void close() {
    while (!made.isEmpty()) {
      try {
        made.pop().close();
      } catch (Exception e) {
        log.debug("a client did not close in order", e);
      }
    }
  }
}

package io.isotail.monitor.kafka;

import io.isotail.ingest.event.EventCodec;
import io.isotail.monitor.config.MonitorConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the topics and creates missing ones where that is allowed. */
public final class Topics {
  private static final Logger log = LoggerFactory.getLogger(Topics.class);

  /** The broker stamps the records, so that their times never decrease. */
  private static final Map<String, String> EVENTS_CONFIG =
      Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");

  private static final Map<String, String> STATE_CONFIG =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          TopicConfig.SEGMENT_BYTES_CONFIG,
          Integer.toString(64 << 20),
          TopicConfig.MIN_CLEANABLE_DIRTY_RATIO_CONFIG,
          "0.2");

  /** What holds of each cause; for ever, as what is taken back is gone. */
  private static final Map<String, String> DECISIONS_CONFIG =
      Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);

  /** Only the latest count; short segments let the others go. */
  private static final Map<String, String> STATUS_CONFIG =
      Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_DELETE,
          TopicConfig.RETENTION_MS_CONFIG,
          Long.toString(TimeUnit.HOURS.toMillis(1)),
          TopicConfig.SEGMENT_MS_CONFIG,
          Long.toString(TimeUnit.MINUTES.toMillis(10)));

  /** The log must be kept for as many saved states. */
  private static final int LEAST_RETENTION_INTERVALS = 120;

  private final MonitorConfig.Kafka config;
  private final Admin admin;

  /** Looks topics up over a client that the caller closes. */
  public Topics(MonitorConfig.Kafka config, Admin admin) {
    this.config = config;
    this.admin = admin;
  }

  /**
   * The partitions of the events topic.
   *
   * @throws UnusableException if the topic may lose records that have not been checked
   */
  public List<TopicPartition> events() throws InterruptedException {
    NewTopic topic =
        new NewTopic(config.eventsTopic(), Optional.of(config.partitions()), Optional.empty())
            .configs(EVENTS_CONFIG);
    List<TopicPartition> partitions = find(topic);
    Map<String, String> settings = settings(config.eventsTopic());
    warnUnlessStampedByBroker(settings);
    requireRetention(settings);
    return partitions;
  }

  /** Id of the cluster that has the topics; empty if it tells none. */
  public String clusterId() throws InterruptedException {
    try {
      return Objects.requireNonNullElse(admin.describeCluster().clusterId().get(), "");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthorizationException
          || e.getCause() instanceof UnsupportedVersionException) {
        log.debug("the broker does not tell the cluster's id", e);
        return "";
      }
      throw asKafkaException(e);
    }
  }

  /** The number of partitions of the events topic, which must exist. */
  public int existing() throws InterruptedException {
    String name = config.eventsTopic();
    try {
      return Objects.requireNonNull(admin.describeTopics(List.of(name)).topicNameValues().get(name))
          .get()
          .partitions()
          .size();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UnknownTopicOrPartitionException
          ? new KafkaException(
              "topic %s does not exist at %s; expected the one that the proxies write"
                  .formatted(name, config.bootstrap()),
              e)
          : asKafkaException(e);
    }
  }

  /** The partition in which Kafka's own producers put a history's records. */
  public static int partitionOf(String history, int partitions) {
    return Utils.toPositive(Utils.murmur2(EventCodec.key(history))) % partitions;
  }

  /** The partitions of the anomalies topic. */
  public List<TopicPartition> anomalies() throws InterruptedException {
    return find(new NewTopic(config.anomaliesTopic(), Optional.of(1), Optional.empty()));
  }

  /** The partitions of the topic by which the instances tell each other where they stand. */
  public List<TopicPartition> status() throws InterruptedException {
    return find(
        new NewTopic(config.statusTopic(), Optional.of(1), Optional.empty())
            .configs(STATUS_CONFIG));
  }

  /** The partitions of the topic for what people decide. */
  public List<TopicPartition> decisions() throws InterruptedException {
    return find(
        new NewTopic(config.decisionsTopic(), Optional.of(1), Optional.empty())
            .configs(DECISIONS_CONFIG));
  }

  /**
   * Finds the topic for states, compacted and with as many partitions as the events topic.
   *
   * @throws UnusableException if it has others
   */
  public void state(int partitions) throws InterruptedException {
    int found =
        find(new NewTopic(config.stateTopic(), Optional.of(partitions), Optional.empty())
                .configs(STATE_CONFIG))
            .size();
    if (found != partitions) {
      throw new UnusableException(
          ("topic %s has %d partitions, topic %s has %d; expected as many: histories are spread by"
                  + " partition, so their number must not change")
              .formatted(config.stateTopic(), found, config.eventsTopic(), partitions));
    }
    String policy = settings(config.stateTopic()).getOrDefault("cleanup.policy", "compact");
    if (!policy.equals("compact")) {
      throw new UnusableException(
          "topic %s has cleanup.policy=%s; expected compact: states must not expire"
              .formatted(config.stateTopic(), policy));
    }
  }

  private List<TopicPartition> find(NewTopic topic) throws InterruptedException {
    String name = topic.name();
    while (true) {
      try {
        TopicDescription found =
            Objects.requireNonNull(admin.describeTopics(List.of(name)).topicNameValues().get(name))
                .get();
        return found.partitions().stream()
            .map(p -> new TopicPartition(name, p.partition()))
            .toList();
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw asKafkaException(e);
        }
        if (!config.createTopics()) {
          throw new KafkaException(
              "topic %s does not exist; create it, or set kafka.create-topics=true".formatted(name),
              e);
        }
        create(topic);
      }
    }
  }

  private void create(NewTopic topic) throws InterruptedException {
    try {
      admin.createTopics(List.of(topic)).all().get();
      log.info("created topic {}", topic.name());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw asKafkaException(e);
      }
    }
  }

  private void warnUnlessStampedByBroker(Map<String, String> settings) {
    String type = settings.getOrDefault(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
    if (!type.equals("LogAppendTime")) {
      log.warn(
          "topic {} has message.timestamp.type={}; expected LogAppendTime: dead proxies are"
              + " recognised by the broker's times, not by the clients'",
          config.eventsTopic(),
          type);
    }
  }

  /** After a crash the log is read again from the last saved state on. */
  private void requireRetention(Map<String, String> settings) {
    String policy = settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "delete");
    if (policy.contains("compact")) {
      throw new UnusableException(
          "topic %s has cleanup.policy=%s; expected delete: compaction takes records away"
              .formatted(config.eventsTopic(), policy));
    }
    long retentionMs = Long.parseLong(settings.getOrDefault(TopicConfig.RETENTION_MS_CONFIG, "-1"));
    long leastMs = LEAST_RETENTION_INTERVALS * (long) config.checkpointMs();
    if (retentionMs >= 0 && retentionMs < leastMs) {
      throw new UnusableException(
          ("topic %s has retention.ms=%d; expected at least %d, %d times checkpoint.interval-ms=%d:"
                  + " what was read since the last saved state is read again after a crash")
              .formatted(
                  config.eventsTopic(),
                  retentionMs,
                  leastMs,
                  LEAST_RETENTION_INTERVALS,
                  config.checkpointMs()));
    }
  }

  /** A topic's configuration; empty where it may not be read. */
  private Map<String, String> settings(String topic) throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<String, String> settings = new HashMap<>();
    try {
      Config found = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      if (found != null) {
        found.entries().forEach(entry -> settings.put(entry.name(), entry.value()));
      }
    } catch (ExecutionException e) {
      log.debug("the configuration of topic {} cannot be read", topic, e);
    }
    return settings;
  }

  /** What made a request to the broker fail. */
  public static KafkaException asKafkaException(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause instanceof KafkaException k ? k : new KafkaException(cause);
  }
}

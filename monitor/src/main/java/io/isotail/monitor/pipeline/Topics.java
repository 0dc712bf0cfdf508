package io.isotail.monitor.pipeline;

import io.isotail.monitor.config.MonitorConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the topics and creates missing ones where that is allowed. */
final class Topics {
  private static final Logger log = LoggerFactory.getLogger(Topics.class);

  /** The broker stamps the records, so that their times never decrease. */
  private static final Map<String, String> EVENTS_CONFIG =
      Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");

  private final MonitorConfig.Kafka config;
  private final Admin admin;

  Topics(MonitorConfig.Kafka config, Admin admin) {
    this.config = config;
    this.admin = admin;
  }

  /** The partitions of the events topic. */
  List<TopicPartition> events() throws InterruptedException {
    NewTopic topic =
        new NewTopic(config.eventsTopic(), Optional.of(config.partitions()), Optional.empty())
            .configs(EVENTS_CONFIG);
    List<TopicPartition> partitions = find(topic);
    warnUnlessStampedByBroker();
    return partitions;
  }

  /** The partitions of the anomalies topic. */
  List<TopicPartition> anomalies() throws InterruptedException {
    return find(new NewTopic(config.anomaliesTopic(), Optional.of(1), Optional.empty()));
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

  private void warnUnlessStampedByBroker() throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, config.eventsTopic());
    try {
      Config found = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      String type =
          found == null ? "" : found.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).value();
      if (!type.equals("LogAppendTime")) {
        log.warn(
            "topic {} has message.timestamp.type={}; expected LogAppendTime: dead proxies are"
                + " recognised by the broker's times, not by the clients'",
            config.eventsTopic(),
            type);
      }
    } catch (ExecutionException e) {
      log.debug("the configuration of topic {} cannot be read", config.eventsTopic(), e);
    }
  }

  private static KafkaException asKafkaException(ExecutionException e) {
    Throwable cause = e.getCause();
    return cause instanceof KafkaException k ? k : new KafkaException(cause);
  }
}

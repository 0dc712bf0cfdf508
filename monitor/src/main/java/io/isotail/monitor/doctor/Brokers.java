package io.isotail.monitor.doctor;

import io.isotail.ingest.event.EventCodec;
import io.isotail.monitor.doctor.Diagnosis.Fact;
import io.isotail.monitor.doctor.Diagnosis.Problem;
import io.isotail.monitor.reach.BrokerWords;
import io.isotail.monitor.reach.Cause;
import io.isotail.monitor.reach.Reachability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** Whether the brokers answer, and whether the topic of the events is as readers need it. */
final class Brokers {
  private static final String DRIVERS_KAFKA = "io.isotail.shaded.kafka.";
  private static final String TOPIC = EventCodec.TOPIC;

  private final String servers;
  private final Map<String, String> properties;
  private final Duration patience;
  private final List<Fact> facts = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  Brokers(String servers, Map<String, String> properties, Duration patience) {
    this.servers = servers;
    this.properties = properties;
    this.patience = patience;
  }

  List<Fact> facts() {
    return facts;
  }

  List<Problem> problems() {
    return problems;
  }

  void examine() throws InterruptedException {
    String silent = Reachability.brokers(servers);
    if (silent != null) {
      silent(silent);
      return;
    }
    try (Admin admin = admin()) {
      answer(admin.describeCluster().clusterId());
      topic(admin);
    } catch (KafkaException | TimeoutException e) {
      silent(e);
    } catch (ExecutionException e) {
      silent(e.getCause() == null ? e : e.getCause());
    }
  }

  private void silent(Throwable cause) {
    if (cause instanceof UnsupportedVersionException) {
      silent(BrokerWords.of(cause, servers));
      return;
    }
    String said =
        cause.getMessage() == null
            ? "not within %.1f s".formatted(patience.toMillis() / 1e3)
            : Cause.of(cause);
    silent("%s does not answer: %s".formatted(servers, said));
  }

  private void silent(String words) {
    problems.add(
        new Problem(
            "kafka",
            words,
            "see isotail.kafka and the isotail.kafka.… settings; records wait two minutes, then they"
                + " are lost"));
  }

  private void topic(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    TopicDescription topic;
    try {
      topic = answer(admin.describeTopics(List.of(TOPIC)).allTopicNames()).get(TOPIC);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw e;
      }
      problems.add(
          new Problem(
              "kafka",
              "%s answers and has no topic %s".formatted(servers, TOPIC),
              "start the monitor, which makes it, or make it with"
                  + " message.timestamp.type=LogAppendTime"));
      return;
    }
    int partitions = topic == null ? 0 : topic.partitions().size();
    facts.add(
        new Fact(
            "kafka",
            "%s answers; topic %s has %d %s"
                .formatted(
                    servers, TOPIC, partitions, partitions == 1 ? "partition" : "partitions")));
    settings(admin);
  }

  private void settings(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, TOPIC);
    @Nullable Config config;
    try {
      config = answer(admin.describeConfigs(List.of(resource)).all()).get(resource);
    } catch (ExecutionException e) {
      facts.add(new Fact("kafka", "the settings of the topic may not be read"));
      return;
    }
    require(
        config,
        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
        "LogAppendTime",
        "the clocks of applications cannot tell that one of them is dead");
    require(
        config,
        TopicConfig.CLEANUP_POLICY_CONFIG,
        "delete",
        "compaction takes records away that are not checked yet");
  }

  private void require(@Nullable Config config, String name, String expected, String why) {
    ConfigEntry entry = config == null ? null : config.get(name);
    if (entry != null && !expected.equals(entry.value())) {
      problems.add(
          new Problem(
              "kafka",
              "topic %s has %s=%s: %s".formatted(TOPIC, name, entry.value(), why),
              "set it to " + expected));
    }
  }

  private <T> T answer(KafkaFuture<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Admin admin() {
    Map<String, Object> all = new HashMap<>();
    // The driver's jar has its own copy of Kafka's classes, by whose names its settings call them.
    properties.forEach(
        (name, value) -> all.put(name, value.replace(DRIVERS_KAFKA, "org.apache.kafka.")));
    all.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
    all.put(AdminClientConfig.CLIENT_ID_CONFIG, "isotail-doctor");
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) patience.toMillis());
    return Admin.create(all);
  }
}

package io.isotail.monitor.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.incremental.cause.IncidentReport;
import io.isotail.ingest.sandbox.BrokerProcess;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.metrics.MonitorMetrics;
import io.isotail.monitor.partition.AssignedPartitions;
import io.isotail.monitor.partition.PartitionTask;
import io.isotail.monitor.process.MonitorProcess;
import io.isotail.monitor.publish.CheckpointMetadata;
import io.isotail.monitor.publish.Finding;
import io.isotail.monitor.publish.News;
import io.isotail.monitor.render.CauseJson;
import io.isotail.monitor.render.IncidentJson;
import io.isotail.monitor.status.StatusBoard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Three instances share twelve histories of live traffic with anomalies, while instances are killed
 * at random moments and the broker is killed and restarted. At the end the anomalies topic is
 * compared with what one undisturbed checker finds on the same log.
 */
final class ChaosRun implements AutoCloseable {
  private static final int HISTORIES = 12;
  private static final int PARTITIONS = 6;
  private static final int INSTANCES = 3;
  private static final int KEYS = 8;
  private static final int ROUNDS_BETWEEN_ANOMALIES = 20;
  private static final Duration SETTLE = Duration.ofMinutes(2);

  /** Until all of a cause that has come to rest is told, with two killed instances to wait for. */
  private static final Duration REST = Duration.ofSeconds(30);

  private static final TopicPartition ANOMALIES = new TopicPartition("isotail.anomalies", 0);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Long> freshlyPublished = new HashMap<>();
  private final Random random;
  private final BrokerProcess broker;
  private final List<MonitorProcess> instances = new ArrayList<>();
  private volatile boolean over;
  private volatile Throwable failure;
  private int injected;
  private int transactions;

  /**
   * What came of it.
   *
   * @param injected anomalies put in
   * @param transactions transactions written
   * @param kills instances killed
   * @param brokerKills times the broker was killed
   * @param expected ids that an undisturbed checker finds, in the order of each history
   * @param published ids on the anomalies topic, in the order of each history
   * @param expectedCauses by id the causes and incidents of an undisturbed checker
   * @param freshlyPublished by cause what all its records together say to be fresh
   * @param publishedCauses by id each cause and incident as it stands last on the anomalies topic
   */
  record Result(
      int injected,
      int transactions,
      int kills,
      int brokerKills,
      Map<String, List<String>> expected,
      Map<String, List<String>> published,
      Map<String, JsonNode> expectedCauses,
      Map<String, JsonNode> publishedCauses,
      Map<String, Long> freshlyPublished) {}

  ChaosRun(long seed, Path folder) {
    random = new Random(seed);
    broker = BrokerProcess.start(folder.resolve("broker"));
    for (int i = 0; i < INSTANCES; i++) {
      Map<String, String> settings = settings();
      if (i > 0) {
        // One of them is a new member each time.
        settings.put("kafka.instance-id", "monitor-" + i);
      }
      instances.add(MonitorProcess.small(settings, folder.resolve("monitor-" + i + ".log")));
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", broker.bootstrapServers());
    settings.put("kafka.partitions", Integer.toString(PARTITIONS));
    settings.put("http.port", "0");
    settings.put("checkpoint.interval-ms", "2000");
    settings.put("defaults.promise", "serializable");
    settings.put("defaults.unique-versions", "true");
    settings.put("defaults.window.transactions", "200");
    return settings;
  }

  /** Runs for so long, with so many kills of the broker; kills an instance every few seconds. */
  Result run(Duration duration, int brokerKills, Duration betweenKills) throws Exception {
    awaitTopics();
    Thread traffic = new Thread(this::traffic, "traffic");
    traffic.start();
    long beginNs = System.nanoTime();
    long endNs = beginNs + duration.toNanos();
    int kills = 0;
    int brokerKilled = 0;
    while (System.nanoTime() < endNs && failure == null) {
      long pauseMs = betweenKills.toMillis() / 2 + random.nextLong(betweenKills.toMillis());
      TimeUnit.MILLISECONDS.sleep(pauseMs);
      double share = (System.nanoTime() - beginNs) / (double) duration.toNanos();
      if (brokerKilled < brokerKills && share > (brokerKilled + 0.5) / brokerKills) {
        broker.kill();
        broker.restart();
        brokerKilled++;
      } else {
        requireAlive();
        MonitorProcess victim = instances.get(random.nextInt(INSTANCES));
        if (random.nextInt(4) == 0) {
          victim.stop();
        } else {
          victim.kill();
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3_000));
        victim.start();
        kills++;
      }
    }
    over = true;
    traffic.join();
    if (failure != null) {
      throw new IllegalStateException("the traffic failed", failure);
    }
    awaitAllPublished();
    requireAlive();
    Map<String, JsonNode> expectedCauses = new HashMap<>();
    Map<String, List<String>> expected = expected(expectedCauses);
    Map<String, JsonNode> publishedCauses = new HashMap<>();
    Map<String, List<String>> published = published(publishedCauses);
    // All of a cause is told when it has come to rest.
    long deadlineNs = System.nanoTime() + REST.toNanos();
    while (!publishedCauses.equals(expectedCauses) && System.nanoTime() < deadlineNs) {
      published = published(publishedCauses);
    }
    return new Result(
        injected,
        transactions,
        kills,
        brokerKilled,
        expected,
        published,
        expectedCauses,
        publishedCauses,
        freshlyPublished);
  }

  /** Writes to all histories in turn; every so often an anomaly that spans several records. */
  private void traffic() {
    List<EventLog> logs = new ArrayList<>();
    try {
      for (int h = 0; h < HISTORIES; h++) {
        logs.add(new EventLog(broker.bootstrapServers(), "isotail.events", "history-" + h));
      }
      for (int round = 1; !over; round++) {
        for (int h = 0; h < HISTORIES; h++) {
          char key = (char) ('a' + round % KEYS);
          String write = "w %s %d".formatted(key, round);
          if (round <= KEYS) {
            logs.get(h).commit(10 + round % 5, write);
          } else {
            logs.get(h).commit(10 + round % 5, "r %s %d".formatted(key, round - KEYS), write);
          }
          transactions++;
          if ((round + h) % ROUNDS_BETWEEN_ANOMALIES == 0) {
            logs.get(h).commitAnomaly(2 * round + 1);
            transactions += 4;
            injected++;
          }
        }
      }
    } catch (Exception e) {
      failure = e;
    } finally {
      logs.forEach(EventLog::close);
    }
  }

  /** Nobody dies of what happens to others. */
  private void requireAlive() {
    for (MonitorProcess instance : instances) {
      if (!instance.isAlive()) {
        throw new IllegalStateException("an instance ended by itself: " + instance.lastWords());
      }
    }
  }

  private void awaitTopics() throws Exception {
    try (Admin admin = admin()) {
      await(() -> admin.listTopics().names().get().contains("isotail.events"));
    }
  }

  /** Until the group has committed that everything up to the end of the log is published. */
  private void awaitAllPublished() throws Exception {
    try (Admin admin = admin();
        KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Map<TopicPartition, Long> published = new HashMap<>();
      try {
        await(
            () -> {
              Map<TopicPartition, OffsetAndMetadata> committed =
                  admin
                      .listConsumerGroupOffsets("isotail-monitor")
                      .partitionsToOffsetAndMetadata()
                      .get();
              partitions.forEach(p -> published.put(p, published(committed.get(p))));
              return partitions.stream()
                  .allMatch(p -> published.getOrDefault(p, 0L) >= ends.getOrDefault(p, 0L));
            });
      } catch (IllegalStateException e) {
        StringBuilder words = new StringBuilder();
        instances.forEach(i -> words.append('\n').append(i.lastWords()));
        throw new IllegalStateException(
            "published %s of %s, members %s; the instances said: %s"
                .formatted(
                    published,
                    ends,
                    admin.describeConsumerGroups(List.of("isotail-monitor")).all().get(),
                    words),
            e);
      }
    }
  }

  private static long published(OffsetAndMetadata committed) {
    return committed == null
        ? 0
        : CheckpointMetadata.parse(committed.metadata()).orElseThrow().published();
  }

  private Map<String, List<String>> expected(Map<String, JsonNode> causes) {
    Map<String, List<String>> ids = new HashMap<>();
    MonitorConfig config = MonitorConfig.of(settings());
    try (KafkaConsumer<byte[], byte[]> consumer = consumer();
        MonitorMetrics metrics = new MonitorMetrics(new StatusBoard())) {
      AssignedPartitions assigned =
          new AssignedPartitions(config, metrics, id -> false, (id, times) -> {});
      List<TopicPartition> partitions = partitions(consumer);
      for (TopicPartition partition : partitions) {
        assigned.add(
            assigned.create(partition.partition(), 0, CheckpointMetadata.none(partitions.size())));
      }
      readAll(consumer, partitions, assigned::accept);
      for (PartitionTask task : assigned.all()) {
        for (Finding finding : task.unpublished()) {
          Anomaly anomaly = finding.anomaly();
          ids.computeIfAbsent(anomaly.history(), h -> new ArrayList<>()).add(anomaly.id());
        }
        for (News news : task.dueNews(0)) {
          if (news.about() instanceof CauseReport cause) {
            causes.put(cause.id(), JSON.readTree(CauseJson.of(cause).toString()));
          } else if (news.about() instanceof IncidentReport incident) {
            String document = IncidentJson.of(incident, null).toString();
            causes.put(incident.id(), lasting(JSON.readTree(document)));
          }
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    return ids;
  }

  /** What of an incident stays the same while only others strike. */
  private static JsonNode lasting(JsonNode incident) {
    return ((ObjectNode) incident)
        .retain("incident", "slot", "culprits", "kinds", "violations", "causes", "wave", "ended");
  }

  private Map<String, List<String>> published(Map<String, JsonNode> causes) {
    Map<String, List<String>> ids = new HashMap<>();
    causes.clear();
    freshlyPublished.clear();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      readAll(
          consumer,
          List.of(ANOMALIES),
          record -> {
            JsonNode document = JSON.readTree(record.value());
            if (document.has("id")) {
              ids.computeIfAbsent(document.path("history").asText(), h -> new ArrayList<>())
                  .add(document.path("id").asText());
            } else if (document.has("wave")) {
              causes.put(document.path("incident").asText(), lasting(document));
            } else {
              long fresh = ((ObjectNode) document).remove("fresh").asLong();
              freshlyPublished.merge(document.path("cause").asText(), fresh, Long::sum);
              if (document.has("title")) {
                causes.put(document.path("cause").asText(), document);
              }
            }
          });
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return ids;
  }

  private interface Reader<E extends Exception> {
    void accept(ConsumerRecord<byte[], byte[]> record) throws E;
  }

  private static <E extends Exception> void readAll(
      KafkaConsumer<byte[], byte[]> consumer, List<TopicPartition> partitions, Reader<E> to)
      throws E {
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        to.accept(record);
      }
    }
  }

  private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor("isotail.events").stream()
        .map(p -> new TopicPartition(p.topic(), p.partition()))
        .toList();
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private interface Condition {
    boolean holds() throws ExecutionException, InterruptedException;
  }

  private static void await(Condition condition) throws Exception {
    long deadlineNs = System.nanoTime() + SETTLE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadlineNs) {
        throw new IllegalStateException("gave up after " + SETTLE.toSeconds() + " s");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @Override
  public void close() {
    over = true;
    instances.forEach(MonitorProcess::close);
    broker.close();
  }
}

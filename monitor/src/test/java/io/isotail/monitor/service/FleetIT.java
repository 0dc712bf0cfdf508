package io.isotail.monitor.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import io.isotail.monitor.EventLog;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.process.MonitorProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Instances of one group over a real broker: each shows the histories of all. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class FleetIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final List<String> HISTORIES = List.of("a", "b", "c", "d", "e", "f", "g", "h");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static EmbeddedKafka kafka;
  private String events;

  @BeforeAll
  static void startBroker() {
    kafka = EmbeddedKafka.start();
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @BeforeEach
  void fill(TestInfo test) throws Exception {
    events = test.getTestMethod().orElseThrow().getName();
    kafka.createTopic(events, 2, Map.of("message.timestamp.type", "LogAppendTime"));
    for (String history : HISTORIES) {
      try (EventLog log = new EventLog(kafka.bootstrapServers(), events, history)) {
        log.commit(1, "w x 1");
      }
    }
  }

  @Test
  void everyInstanceShowsTheHistoriesOfAll() throws Exception {
    try (MonitorService first = start("first")) {
      try (MonitorService second = start("")) {
        awaitStatus(first.address(), status -> owners(status).size() == 2);
        JsonNode status = awaitStatus(second.address(), s -> owners(s).size() == 2);
        assertThat(first.reports()).as("its own").hasSizeLessThan(HISTORIES.size());
        JsonNode peer = instance(status, "first");
        assertThat(peer.path("self").asBoolean()).isFalse();
        assertThat(peer.path("ready").asBoolean()).isTrue();
        assertThat(peer.path("ageSeconds").asDouble()).isBetween(0.0, 10.0);
        assertThat(peer.at("/lag/records").isNumber()).isTrue();
        assertThat(status.path("instancesProblem").isNull()).isTrue();
        assertThat(partitions(first) + partitions(second)).as("of two").isEqualTo(2);
      }
      awaitStatus(first.address(), status -> owners(status).equals(List.of("first")));
      assertThat(partitions(first)).isEqualTo(2);
      awaitStatus(
          first.address(),
          status ->
              status.path("instances").size() == 1 && owners(status).equals(List.of("first")));
    }
  }

  @Test
  void anInstanceThatIsKilledIsDroppedAndItsHistoriesComeFromTheNext(@TempDir Path folder)
      throws Exception {
    try (MonitorService first = start("first");
        MonitorProcess second =
            MonitorProcess.small(settings("second"), folder.resolve("second.log"))) {
      awaitStatus(first.address(), s -> owners(s).equals(List.of("first", "second")));
      awaitStatus(second.awaitAddress(), s -> owners(s).equals(List.of("first", "second")));
      second.kill();
      awaitStatus(
          first.address(),
          s -> s.path("instances").size() == 1 && owners(s).equals(List.of("first")));
    }
  }

  @Test
  void withoutTheTopicAnInstanceChecksAndSaysThatItKnowsOfNoOther() throws Exception {
    kafka.createTopic(events + ".state", 2, Map.of("cleanup.policy", "compact"));
    kafka.createTopic(events + ".anomalies", 1, Map.of());
    Map<String, String> settings = settings("first");
    settings.put("kafka.create-topics", "false");
    settings.put("kafka.status-topic", "none");
    try (MonitorService only = MonitorService.start(MonitorConfig.of(settings))) {
      JsonNode status = awaitStatus(only.address(), s -> owners(s).equals(List.of("first")));
      assertThat(status.path("ready").asBoolean()).isTrue();
      assertThat(status.path("instancesProblem").asText()).contains("none does not exist");
    }
  }

  private MonitorService start(String instance) {
    return MonitorService.start(MonitorConfig.of(settings(instance)));
  }

  private Map<String, String> settings(String instance) {
    Map<String, String> settings = new HashMap<>();
    settings.put("kafka.bootstrap", kafka.bootstrapServers());
    settings.put("kafka.events-topic", events);
    settings.put("kafka.anomalies-topic", events + ".anomalies");
    settings.put("kafka.state-topic", events + ".state");
    settings.put("kafka.group", events);
    settings.put("kafka.instance-id", instance);
    settings.put("kafka.properties.session.timeout.ms", "6000");
    settings.put("http.port", "0");
    return settings;
  }

  /** How many of the two partitions an instance says that it checks. */
  private int partitions(MonitorService monitor) throws Exception {
    String metrics =
        CLIENT
            .send(
                HttpRequest.newBuilder(URI.create(monitor.address() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    String labels = "{group=\"" + events + "\",kafka_cluster=\"";
    assertThat(metrics)
        .containsPattern(Pattern.quote("isotail_partitions" + labels) + "\\S+\"} 2.0");
    Matcher held =
        Pattern.compile(Pattern.quote("isotail_partitions_assigned" + labels) + "\\S+\"} (\\d)")
            .matcher(metrics);
    assertThat(held.find()).as(metrics).isTrue();
    return Integer.parseInt(held.group(1));
  }

  /** The instances by which the histories are checked, in order; none before all are there. */
  private static List<String> owners(JsonNode status) {
    Map<String, String> owners = new TreeMap<>();
    status
        .path("histories")
        .forEach(h -> owners.put(h.path("history").asText(), h.path("instance").asText()));
    return owners.keySet().containsAll(HISTORIES)
        ? owners.values().stream().distinct().sorted().toList()
        : List.of();
  }

  private static JsonNode instance(JsonNode status, String name) {
    for (JsonNode instance : status.path("instances")) {
      if (instance.path("instance").asText().equals(name)) {
        return instance;
      }
    }
    throw new AssertionError(name + " is not in " + status);
  }

  /** Asks until the answer is so; no answer may show a history twice. */
  private static JsonNode awaitStatus(URI address, Predicate<JsonNode> condition) throws Exception {
    long deadlineNs = System.nanoTime() + LONG.toNanos();
    while (true) {
      HttpResponse<String> answer =
          CLIENT.send(
              HttpRequest.newBuilder(URI.create(address + "/api/status")).build(),
              HttpResponse.BodyHandlers.ofString());
      JsonNode status = new ObjectMapper().readTree(answer.body());
      List<String> shown = new ArrayList<>();
      status.path("histories").forEach(h -> shown.add(h.path("history").asText()));
      assertThat(shown).doesNotHaveDuplicates();
      if (condition.test(status)) {
        return status;
      }
      assertThat(System.nanoTime()).as(answer.body()).isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}

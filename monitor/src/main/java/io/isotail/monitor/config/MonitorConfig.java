package io.isotail.monitor.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a monitor.
 *
 * @param kafka the stream
 * @param http the page, the API and the metrics
 * @param otlp who is sent events, null for nobody
 * @param retainedAnomalies anomalies kept for the page
 * @param maxHistories histories checked at once
 * @param shutdownMs longest time that an orderly stop may take, in ms
 * @param defaults what holds for histories that are not declared
 * @param histories declared histories by id
 */
public record MonitorConfig(
    Kafka kafka,
    Http http,
    @Nullable Otlp otlp,
    int retainedAnomalies,
    int maxHistories,
    int shutdownMs,
    HistoryConfig defaults,
    Map<String, HistoryConfig> histories) {

  /** Copies the map. */
  public MonitorConfig {
    histories = Map.copyOf(histories);
  }

  /**
   * The stream.
   *
   * @param bootstrap brokers, {@code HOST:PORT[,HOST:PORT…]}
   * @param eventsTopic topic that the proxies write
   * @param anomaliesTopic topic for what is found
   * @param stateTopic compacted topic for the states of the checkers
   * @param statusTopic topic by which the instances tell each other where they stand
   * @param decisionsTopic compacted topic for what people decide about causes
   * @param group consumer group of all instances that share the work
   * @param instanceId name of this instance among them, the same after a restart; null: a new one
   *     each time
   * @param checkpointMs least time between two saved states of a partition, in ms
   * @param createTopics whether missing topics are created
   * @param partitions partitions of an events topic that is created
   * @param properties further properties for every Kafka client
   */
  public record Kafka(
      String bootstrap,
      String eventsTopic,
      String anomaliesTopic,
      String stateTopic,
      String statusTopic,
      String decisionsTopic,
      String group,
      @Nullable String instanceId,
      int checkpointMs,
      boolean createTopics,
      int partitions,
      Map<String, String> properties) {

    /** Copies the map. */
    public Kafka {
      properties = Map.copyOf(properties);
    }
  }

  /**
   * Where the monitor answers.
   *
   * @param host address to listen on
   * @param port port to listen on, 0 for any free one
   * @param publicUrl address under which people reach the page, null when it is {@code host:port}
   * @param runbookUrl address of the folder with the runbooks
   * @param login the user that may look, null when everybody may
   * @param tls what it proves itself with, null when it speaks plain HTTP
   * @param traceUrlTemplate address of a trace with {@code {trace}} in place of its id, null when
   *     traces are not linked
   */
  public record Http(
      String host,
      int port,
      @Nullable String publicUrl,
      String runbookUrl,
      @Nullable Login login,
      @Nullable Tls tls,
      @Nullable String traceUrlTemplate) {}

  /**
   * The one user that may look.
   *
   * @param user name, without a colon
   * @param password password, which no output shows
   */
  public record Login(String user, String password) {
    @Override
    public String toString() {
      return "Login[user=%s]".formatted(user);
    }
  }

  /**
   * What the server proves itself with; both files have been read and understood.
   *
   * @param certificate PEM file of its certificate, then of those that signed it
   * @param key PEM file of the private key
   */
  public record Tls(Path certificate, Path key) {}

  /**
   * Who is sent events by OpenTelemetry's protocol.
   *
   * @param endpoint address to which log events are posted
   * @param headers of each request, which no output shows
   * @param timeoutMs longest wait for an answer, in ms
   */
  public record Otlp(URI endpoint, Map<String, String> headers, int timeoutMs) {
    /** Copies the map. */
    public Otlp {
      headers = Map.copyOf(headers);
    }

    @Override
    public String toString() {
      return "Otlp[endpoint=%s, headers=%s]".formatted(endpoint, headers.keySet());
    }
  }

  /**
   * Reads the configuration.
   *
   * @param file YAML file, or null for none
   * @param environment environment variables; those named {@code ISOTAIL_…} count
   * @param flags values by setting name; they win over the environment, which wins over the file
   * @throws ConfigException with every mistake that was found
   */
  public static MonitorConfig load(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return ConfigLoader.load(file, environment, flags);
  }

  /**
   * What {@link #load} would give, as lines of {@code NAME: VALUE} without passwords.
   *
   * @throws ConfigException with every mistake that was found
   */
  public static List<String> lines(
      @Nullable Path file, Map<String, String> environment, Map<String, String> flags) {
    return ConfigLoader.lines(file, environment, flags);
  }

  /** The defaults with these settings by name, for instance {@code kafka.bootstrap}. */
  public static MonitorConfig of(Map<String, String> settings) {
    return ConfigLoader.load(null, Map.of(), settings);
  }

  /** A copy with histories declared as {@code other} does. */
  public MonitorConfig withHistoriesOf(MonitorConfig other) {
    return new MonitorConfig(
        kafka,
        http,
        otlp,
        retainedAnomalies,
        other.maxHistories,
        shutdownMs,
        other.defaults,
        other.histories);
  }

  /** What holds for the history with this id. */
  public HistoryConfig history(String id) {
    return histories.getOrDefault(id, defaults);
  }
}

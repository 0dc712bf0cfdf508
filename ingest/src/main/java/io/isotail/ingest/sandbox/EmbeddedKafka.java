package io.isotail.ingest.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * A real KRaft broker (and controller) inside this process.
 *
 * <p>It can be stopped and started again on the same port with the same data. Missing topics are
 * created on first use with one partition. Not thread-safe. Kafka ends the whole process when its
 * metadata log is damaged: not for anything but demos and tests.
 */
public final class EmbeddedKafka implements AutoCloseable {
  private static final String HOST = "127.0.0.1";

  private final String host;
  private final int port;
  private final Path dataDir;
  private final boolean ownsDataDir;
  private final @Nullable Map<String, String> ownSettings;
  private @Nullable KafkaRaftServer server;

  private EmbeddedKafka(String host, int port, Path dataDir, boolean ownsDataDir) {
    this(host, port, dataDir, ownsDataDir, null);
  }

  private EmbeddedKafka(
      String host,
      int port,
      Path dataDir,
      boolean ownsDataDir,
      @Nullable Map<String, String> ownSettings) {
    this.host = host;
    this.port = port;
    this.dataDir = dataDir;
    this.ownsDataDir = ownsDataDir;
    this.ownSettings = ownSettings;
  }

  /** Starts a broker on a free port of the loopback interface, in a temporary folder. */
  public static EmbeddedKafka start() {
    RuntimeException failure = null;
    for (int i = 0; i < FreePorts.STARTS; i++) {
      try {
        return start(FreePorts.next());
      } catch (IllegalStateException e) {
        failure = e;
      }
    }
    throw new IllegalStateException("the broker did not start on any of several ports", failure);
  }

  /** Starts a broker on that port of the loopback interface, in a temporary folder. */
  public static EmbeddedKafka start(int port) {
    Path dataDir;
    try {
      dataDir = Files.createTempDirectory("isotail-kafka-");
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary folder for the broker's data", e);
    }
    return startOwning(new EmbeddedKafka(HOST, port, dataDir, true));
  }

  /**
   * Starts a broker in a given folder, which is formatted if it is new and stays when the broker is
   * closed.
   */
  public static EmbeddedKafka start(String host, int port, Path dataDir) {
    return startOwning(new EmbeddedKafka(host, port, dataDir, false));
  }

  /**
   * Starts a broker with the given settings alone, such as those of a container; its folder, {@code
   * log.dirs}, stays when it is closed.
   *
   * @param port where it listens to clients, on the loopback interface
   */
  public static EmbeddedKafka start(int port, Map<String, String> settings) {
    Path dataDir = Path.of(settings.getOrDefault("log.dirs", ""));
    return startOwning(new EmbeddedKafka(HOST, port, dataDir, false, Map.copyOf(settings)));
  }

  private static EmbeddedKafka startOwning(EmbeddedKafka kafka) {
    try {
      kafka.restart();
      return kafka;
    } catch (RuntimeException e) {
      kafka.close();
      throw e;
    }
  }

  /** {@code host:port} for clients. */
  public String bootstrapServers() {
    return host + ":" + port;
  }

  /** The port that clients connect to. */
  public int port() {
    return port;
  }

  /** Starts the broker unless it runs; returns when it serves clients. */
  public void restart() {
    if (server != null) {
      return;
    }
    Map<String, String> settings =
        ownSettings == null
            ? BrokerSettings.of(host, port, FreePorts.next(), dataDir)
            : ownSettings;
    format();
    KafkaRaftServer starting =
        new KafkaRaftServer(new KafkaConfig(settings, /* doLog= */ false), Time.SYSTEM);
    try {
      starting.startup();
    } catch (RuntimeException e) {
      starting.shutdown();
      throw new IllegalStateException(
          "the broker did not start on %s with data in %s; is the port taken?"
              .formatted(bootstrapServers(), dataDir),
          e);
    }
    server = starting;
  }

  /** Stops the broker in good order; its data stays. Does nothing when it is stopped. */
  public void stop() {
    KafkaRaftServer running = server;
    if (running != null) {
      server = null;
      running.shutdown();
      running.awaitShutdown();
    }
  }

  /** Creates a topic unless it exists; {@code config} as in Kafka's topic settings. */
  public void createTopic(String name, int partitions, Map<String, String> config) {
    Map<String, Object> client =
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
    try (Admin admin = Admin.create(client)) {
      NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(config);
      admin.createTopics(List.of(topic)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw new IllegalStateException("topic " + name + " could not be created", e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating topic " + name, e);
    }
  }

  /** Stops the broker and deletes its data if it was started in a temporary folder. */
  @Override
  public void close() {
    stop();
    if (ownsDataDir) {
      deleteRecursively(dataDir);
    }
  }

  private void format() {
    if (Files.exists(dataDir.resolve("meta.properties"))) {
      return;
    }
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
      Files.createDirectories(dataDir);
      new Formatter()
          .setPrintStream(out)
          .setNodeId(BrokerSettings.NODE_ID)
          .setClusterId(Uuid.randomUuid().toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setControllerListenerName("CONTROLLER")
          .setDirectories(List.of(dataDir.toString()))
          .setMetadataLogDirectory(dataDir.toString())
          .setIgnoreFormatted(true)
          .run();
    } catch (Exception e) {
      throw new IllegalStateException(
          "folder %s could not be formatted for Kafka: %s"
              .formatted(dataDir, said.toString(StandardCharsets.UTF_8)),
          e);
    }
  }

  private static void deleteRecursively(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the broker's data in " + folder + " was not deleted", e);
    }
  }
}

package io.isotail.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The machine of somebody who reads a document: a PostgreSQL with a shop's tables, a broker,
 * Kafka's command line, and a folder in which the repository is.
 */
final class GuideMachine implements Closeable {
  private static final int POSTGRES = 5432;
  private static final int KAFKA = 9092;

  /** Of the broker, for what is not in the stack's network. */
  private static final int KAFKA_OUTSIDE = 29_092;

  private static final String SECRET = "secret";
  private static final Map<String, String> KAFKA_TOOLS =
      Map.of(
          "kafka-topics.sh", "org.apache.kafka.tools.TopicCommand",
          "kafka-acls.sh", "org.apache.kafka.tools.AclCommand",
          "kafka-configs.sh", "kafka.admin.ConfigCommand",
          "kafka-consumer-groups.sh", "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand");
  private static final long LIMIT_S = 180;

  private final Path folder;
  private final EmbeddedDatabase database;
  private final EmbeddedKafka kafka;

  private GuideMachine(Path folder, EmbeddedDatabase database, EmbeddedKafka kafka) {
    this.folder = folder;
    this.database = database;
    this.kafka = kafka;
  }

  static GuideMachine start(Path folder) throws Exception {
    Repository.empty(folder);
    for (String part : List.of("deploy", "ingest", "monitor", "incremental", "dashboards")) {
      Files.createSymbolicLink(folder.resolve(part), Repository.ROOT.resolve(part));
    }
    Files.writeString(
        folder.resolve("isotail.properties"),
        """
        isotail.kafka=kafka:9092
        isotail.history=shop
        isotail.service=checkout
        isotail.key=%s
        """
            .formatted(SECRET));
    Files.writeString(folder.resolve("stdin"), SECRET + "\n"); // when asked for a password
    Files.writeString(folder.resolve("monitor.yaml"), "kafka:\n  bootstrap: kafka:9092\n");
    Files.writeString(
        Files.createDirectories(folder.resolve("home")).resolve(".curlrc"),
        "fail\nuser = ops:" + SECRET + "\n");
    Path bin = Files.createDirectories(folder.resolve("bin"));
    for (Map.Entry<String, String> tool : KAFKA_TOOLS.entrySet()) {
      Path script = bin.resolve(tool.getKey());
      Files.writeString(
          script,
          "#!/bin/sh\nexec java -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"\n"
              .formatted(System.getProperty("java.class.path"), tool.getValue()));
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    EmbeddedDatabase database = EmbeddedDatabase.start(POSTGRES, Map.of());
    try {
      return new GuideMachine(folder, withTables(database), startKafka(folder));
    } catch (Exception | Error e) {
      database.close();
      throw e;
    }
  }

  /** A broker as of a company: it knows who may what, and creates topics. */
  private static EmbeddedKafka startKafka(Path folder) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:9093");
    settings.put(
        "listeners",
        "PLAINTEXT://127.0.0.1:%d,OUTSIDE://127.0.0.1:%d,CONTROLLER://127.0.0.1:9093"
            .formatted(KAFKA, KAFKA_OUTSIDE));
    settings.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,OUTSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "PLAINTEXT");
    settings.put(
        "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    settings.put("super.users", "User:ANONYMOUS");
    settings.put("offsets.topic.replication.factor", "1");
    settings.put("offsets.topic.num.partitions", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("log.message.timestamp.type", "LogAppendTime");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("log.dirs", folder.resolve("kafka").toString());
    return EmbeddedKafka.start(KAFKA, settings);
  }

  private static EmbeddedDatabase withTables(EmbeddedDatabase database) throws Exception {
    try (Connection c = DriverManager.getConnection(database.jdbcUrl());
        Statement s = c.createStatement()) {
      s.execute("CREATE ROLE shop SUPERUSER LOGIN PASSWORD '" + SECRET + "'");
      s.execute("CREATE ROLE app SUPERUSER LOGIN");
      s.execute("CREATE ROLE isotail SUPERUSER LOGIN PASSWORD 'isotail'");
      s.execute("CREATE DATABASE shop OWNER shop");
    }
    String shop = "jdbc:postgresql://127.0.0.1:" + POSTGRES + "/shop?user=shop";
    try (Connection c = DriverManager.getConnection(shop);
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE orders (id int PRIMARY KEY, name text)");
      s.execute("INSERT INTO orders SELECT i, 'order ' || i FROM generate_series(1, 3000) i");
      s.execute("CREATE TABLE stock (warehouse int, item int, PRIMARY KEY (warehouse, item))");
      s.execute("CREATE TABLE audit (message text)");
    }
    return database;
  }

  /**
   * Traffic that breaks its promise, under a monitor that finds it.
   *
   * @param running gets what stays
   * @return the ids that stand in documents, and those that are meant
   */
  Map<String, String> findSomething(Map<String, Daemon> running) throws Exception {
    String proxy =
        "deploy/isotail proxy --config proxy.yaml --upstream db:5432 --kafka kafka:9092 --history shop";
    Files.writeString(folder.resolve("proxy.yaml"), "key: " + SECRET + "\n");
    String serve =
        "deploy/isotail serve --config monitor.yaml --set histories.shop.promise=snapshot-isolation";
    Daemon monitor = start(9617, "serve", serve);
    running.put("serve", monitor);
    running.put("proxy", start(9618, "proxy", proxy));
    monitor.awaitOk("/readyz");
    Repository.Said traffic =
        run(
            "deploy/isotail workload --isolation read-committed --rate 300 --duration 5s --url"
                + " 'jdbc:isotail:postgresql://db/shop?user=shop&isotail.config=isotail.properties'");
    if (traffic.status() != 0) {
      throw new IllegalStateException(traffic.words());
    }
    Map<String, String> known = new TreeMap<>();
    Waiting.until(
        () -> {
          var causes = json("/api/causes").path("causes");
          var anomalies = json("/api/anomalies").path("anomalies");
          if (causes.isEmpty() || anomalies.isEmpty()) {
            return false;
          }
          String anomaly = anomalies.at("/0/id").asText();
          known.put("/api/causes/ID/", "/api/causes/" + causes.at("/0/cause").asText() + "/");
          known.put("/api/anomalies/ID", "/api/anomalies/" + anomaly);
          known.put("f8b5859806f5a42b", anomaly);
          return true;
        });
    run(
        "curl -s http://127.0.0.1:9617/api/anomalies/$ID/capsule.jsonl >capsule.jsonl"
            .replace("$ID", known.get("f8b5859806f5a42b")));
    return known;
  }

  /** What the monitor says at a path. */
  private JsonNode json(String path) throws IOException, InterruptedException {
    return new ObjectMapper().readTree(run("curl -s http://127.0.0.1:9617" + path).words());
  }

  /** Starts what stays until it is closed. */
  Daemon start(int port, String name, String command) throws IOException {
    return Daemon.start(
        port,
        folder.resolve(name + ".log"),
        environment(),
        List.of("bash", "-c", "cd '" + folder + "' && exec " + command));
  }

  /** What a script says. */
  Repository.Said run(String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(List.of("bash", "-c", script))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .redirectInput(folder.resolve("stdin").toFile());
    builder.environment().putAll(environment());
    Process process = builder.start();
    boolean ended = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
    process.destroyForcibly();
    String words = Files.readString(folder.resolve("output"));
    return new Repository.Said(
        ended ? process.exitValue() : 124, ended ? words : words + "did not end");
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("JAVA_OPTS", "-XX:TieredStopAtLevel=1"); // each runs for a few seconds
    environment.put("ISOTAIL_HTTP_USER", "ops");
    environment.put("ISOTAIL_HTTP_PASSWORD", SECRET);
    environment.put("PGHOST", "db");
    environment.put("PGUSER", "shop");
    environment.put("PGPASSWORD", SECRET);
    environment.put("PGDATABASE", "shop");
    return environment;
  }

  @Override
  public void close() throws IOException {
    try {
      kafka.close();
    } finally {
      database.close();
    }
  }
}

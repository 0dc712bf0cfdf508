package io.isotail.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.Checker;
import io.isotail.incremental.CheckerReport;
import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.config.CheckerConfig;
import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shop on the real driver and on isotail's jar, with the settings of the guide. */
class SpringBootIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** What of this process's class path is not the application's. */
  private static final List<String> NOT_OF_THE_APPLICATION =
      List.of(
          "isotail-",
          "/ingest/target/",
          "/incremental/target/",
          "/kafka/",
          "/zonky/",
          "/protobuf/",
          "/jsqlparser/",
          "/caffeine/",
          "/junit/",
          "/assertj/",
          "/archunit/");

  @Test
  void seesNoDifferenceAndNearlyAllOfItsReadsAreDecided(@TempDir Path folder) throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        EmbeddedKafka kafka = EmbeddedKafka.start()) {
      try (Connection c = DriverManager.getConnection(database.jdbcUrl());
          Statement s = c.createStatement()) {
        s.execute("CREATE DATABASE plain");
        s.execute("CREATE DATABASE shop");
      }
      Path settings = folder.resolve("isotail.properties");
      Files.writeString(
          settings,
          "isotail.kafka=%s%nisotail.history=shop%nisotail.service=shop%nisotail.key=secret%n"
              .formatted(kafka.bootstrapServers()));
      String server = "postgresql://localhost:" + database.port();
      List<String> output =
          runShop(
              "plain",
              "jdbc:" + server + "/plain",
              "org.postgresql.Driver",
              "isotail",
              "jdbc:isotail:" + server + "/shop?isotail.config=" + settings,
              "io.isotail.ingest.jdbc.IsotailDriver");
      assertThat(of("isotail", output))
          .isEqualTo(of("plain", output))
          .contains("the stale product was refused", "fetched 480", "counted 240");
      isDecided(records(kafka));
    }
  }

  private static List<String> of(String name, List<String> output) {
    String prefix = name + ": ";
    return output.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .toList();
  }

  private static List<String> runShop(String... arguments) throws Exception {
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(each -> NOT_OF_THE_APPLICATION.stream().noneMatch(each::contains))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("isotail.driver.jar") + File.pathSeparator + classPath,
                ShopApplication.class.getName()));
    command.addAll(List.of(arguments));
    Process shop = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(shop.getInputStream().readAllBytes());
    assertThat(shop.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private static void isDecided(List<StreamRecord> records) {
    List<Anomaly> anomalies = new ArrayList<>();
    AnomalyListener keeping =
        new AnomalyListener() {
          @Override
          public void found(Anomaly anomaly) {
            anomalies.add(anomaly);
          }

          @Override
          public void repeated(String id, long occurrences) {
            // It is known already.
          }
        };
    Checker checker = new Checker(CheckerConfig.forLive("shop"), keeping);
    long offset = 0;
    for (StreamRecord record : records) {
      checker.accept(offset++, 0, record);
    }
    checker.finish();
    CheckerReport report = checker.report();
    System.out.printf(
        "Spring Boot: %,d transactions, %,d aborted, %,d of %,d reads decided, undecided %s%n",
        report.transactions(),
        report.aborted(),
        report.readsDecided(),
        report.reads(),
        report.undecided());
    assertThat(anomalies).isEmpty();
    // Two accounts a transfer, two products a purchase, and what is looked at in the end.
    assertThat(report.reads()).isGreaterThan(240 * 2 + 240 * 2 + 480 * 2);
    assertThat((double) report.readsDecided() / report.reads()).isGreaterThan(0.95);
  }

  /** What the shop sent, up to its goodbye. */
  private static List<StreamRecord> records(EmbeddedKafka kafka) throws Exception {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
    List<StreamRecord> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition(EventCodec.TOPIC, 0)));
      long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
      while (System.nanoTime() < deadlineNs) {
        for (ConsumerRecord<byte[], byte[]> raw : consumer.poll(Duration.ofMillis(200))) {
          records.addAll(EventCodec.decode(raw.value()));
          if (records.get(records.size() - 1) instanceof Goodbye) {
            return records;
          }
        }
      }
    }
    throw new AssertionError("no goodbye within " + TIMEOUT + " of " + records.size() + " records");
  }
}

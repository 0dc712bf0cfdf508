package io.isotail.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.isotail.incremental.record.Goodbye;
import io.isotail.incremental.record.Operations;
import io.isotail.incremental.record.StreamRecord;
import io.isotail.incremental.record.TransactionRecord;
import io.isotail.ingest.event.EventCodec;
import io.isotail.ingest.sandbox.EmbeddedDatabase;
import io.isotail.ingest.sandbox.EmbeddedKafka;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Driver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;

/** The driver's jar and nothing else but the real driver, in a Java process of its own. */
class DriverJarIT {
  private static final String VERSION = "Implementation-Version";

  private final Path jar = Path.of(System.getProperty("isotail.driver.jar"));

  @Test
  void theJarHoldsNothingThatCouldCollide() throws Exception {
    try (JarFile file = new JarFile(jar.toFile())) {
      List<String> foreign =
          file.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class"))
              .filter(name -> !name.startsWith("io/isotail/"))
              .filter(name -> !name.matches("META-INF/versions/\\d+/io/isotail/.*"))
              .toList();
      assertThat(foreign).isEmpty();
    }
  }

  @Test
  void theJarKnowsItsVersion() throws Exception {
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(text(file, "io/isotail/ingest/jdbc/build.properties"))
          .contains("version=" + file.getManifest().getMainAttributes().getValue(VERSION));
    }
  }

  @Test
  void theJarHoldsTheLicencesOfWhatItContains() throws Exception {
    try (JarFile file = new JarFile(jar.toFile())) {
      assertThat(text(file, "META-INF/LICENSE")).contains("Apache License");
      assertThat(text(file, "META-INF/NOTICE"))
          .contains("Apache Kafka", "Caffeine", "JSqlParser", "JSpecify", "Protocol", "SLF4J");
      assertThat(text(file, "META-INF/licenses/protobuf.txt")).contains("Google Inc.");
      assertThat(text(file, "META-INF/licenses/slf4j.txt")).contains("QOS.ch");
    }
  }

  private static String text(JarFile file, String name) throws IOException {
    try (InputStream in = file.getInputStream(file.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void runsATransactionInAProcessOfItsOwn() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.start();
        EmbeddedKafka kafka = EmbeddedKafka.start()) {
      String realDriver =
          new File(
                  Class.forName("org.postgresql.Driver")
                      .asSubclass(Driver.class)
                      .getProtectionDomain()
                      .getCodeSource()
                      .getLocation()
                      .toURI())
              .getPath();
      String url =
          "jdbc:isotail:"
              + database.jdbcUrl().substring("jdbc:".length())
              + "&isotail.kafka="
              + kafka.bootstrapServers()
              + "&isotail.history=jar&isotail.clear-names=true&isotail.tables=reg(k;v)"
              + "&isotail.start-wait-ms=30000";
      Path testClasses =
          Path.of(JarProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Process program =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Duser.language=en",
                  "-cp",
                  String.join(
                      File.pathSeparator, jar.toString(), realDriver, testClasses.toString()),
                  JarProgram.class.getName(),
                  url)
              .redirectErrorStream(true)
              .start();
      String output = new String(program.getInputStream().readAllBytes());
      assertThat(program.waitFor()).as(output).isZero();
      assertThat(output).contains("read 11").doesNotContain("SLF4J", "SEVERE: ");
      assertThat(output.lines().filter(line -> line.startsWith("INFO: ")))
          .singleElement()
          .asString()
          .contains("history jar is recorded to Kafka at " + kafka.bootstrapServers());
      assertThat(records(kafka)).containsExactly("w1=10 ", "r1=10 w1=11 ", "r1=11 ");
    }
  }

  /** What the process sent, up to its goodbye. */
  private static List<String> records(EmbeddedKafka kafka) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
    List<String> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition(EventCodec.TOPIC, 0)));
      long deadlineNs = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (System.nanoTime() < deadlineNs) {
        for (ConsumerRecord<byte[], byte[]> raw : consumer.poll(Duration.ofMillis(200))) {
          for (StreamRecord record : decode(raw.value())) {
            if (record instanceof Goodbye) {
              return records;
            }
            if (record instanceof TransactionRecord transaction) {
              records.add(describe(transaction.operations()));
            }
          }
        }
      }
    }
    throw new AssertionError("no goodbye within 30 s; received " + records);
  }

  private static List<StreamRecord> decode(byte[] value) {
    try {
      return EventCodec.decode(value);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String describe(Operations operations) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < operations.size(); i++) {
      text.append(operations.kind(i).name().toLowerCase(java.util.Locale.ROOT).charAt(0))
          .append(operations.keyName(i))
          .append('=')
          .append(operations.versionName(i))
          .append(' ');
    }
    return text.toString();
  }
}

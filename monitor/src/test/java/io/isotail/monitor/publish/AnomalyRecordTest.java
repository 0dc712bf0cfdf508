package io.isotail.monitor.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.isotail.incremental.Seeds;
import io.isotail.incremental.cause.CauseReport;
import io.isotail.monitor.SampleAnomalies;
import io.isotail.monitor.render.AnomalyDocument;
import io.isotail.monitor.store.StoredAnomaly;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever stands on the anomalies topic is read, or said to be of no use; nothing is thrown. */
final class AnomalyRecordTest {
  private static final int DOCUMENTS = 20_000;
  private static final int MOST_CHANGES = 4;
  private static final int MOST_BYTES = 64;

  private static final byte[] DOCUMENT =
      AnomalyDocument.bytes(SampleAnomalies.causality("a"), 1_790_000_000_250L, 0);

  private static final List<byte[]> KINDS =
      List.of(DOCUMENT, cause(true).value(), cause(false).value(), incident().value());

  private static ProducerRecord<byte[], byte[]> incident() {
    CauseReport cause = SampleAnomalies.cause("shop", "w1");
    return AnomalyRecord.of(
        "anomalies", new PublishedIncident(SampleAnomalies.incident(cause), cause, true));
  }

  @Test
  void anIncidentIsReadAsItWasWritten() {
    assertThat(read(incident().value(), "4"))
        .isInstanceOfSatisfying(
            AnomalyRecord.KnownIncident.class,
            known -> {
              assertThat(known.incident().id()).isEqualTo(SampleAnomalies.INCIDENT);
              assertThat(known.incident().history()).isEqualTo("shop");
              assertThat(known.incident().slot()).isEqualTo(1);
              assertThat(known.incident().text("witness")).isEqualTo("w1");
              assertThat(known.incident().document().at("/differences/0").toString())
                  .isEqualTo(
                      "{\"dimension\":\"endpoint\",\"value\":\"POST /pay\",\"bad\":1204,\"badOf\":1204,\"good\":3000,\"goodOf\":19251}");
            });
  }

  private static ProducerRecord<byte[], byte[]> cause(boolean whole) {
    return AnomalyRecord.of(
        "anomalies", new PublishedCause(SampleAnomalies.cause("shop", "w1"), 7, whole));
  }

  @Test
  void aCauseIsReadAsItWasWrittenWholeOrOnlyItsNumber() {
    CauseReport written = SampleAnomalies.cause("shop", "w1");
    assertThat(read(cause(true).value(), "2"))
        .isInstanceOfSatisfying(
            AnomalyRecord.KnownCause.class,
            known -> {
              assertThat(known.cause().id()).isEqualTo(written.id());
              assertThat(known.cause().violations()).isEqualTo(written.violations());
              assertThat(known.cause().fresh()).isEqualTo(7);
            });
    assertThat(read(cause(false).value(), "3"))
        .isEqualTo(
            new AnomalyRecord.KnownCount(
                new CauseCount(written.id(), "shop", written.slot(), written.violations(), 7)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32LE", "UTF-32BE"})
  void aDocumentOfAnotherEncodingIsMalformed(String encoding) {
    String text = new String(DOCUMENT, StandardCharsets.UTF_8);
    assertThat(read(text.getBytes(Charset.forName(encoding))))
        .isInstanceOfSatisfying(
            AnomalyRecord.Unusable.class,
            unusable -> {
              assertThat(unusable.cause()).isEqualTo(AnomalyRecord.Cause.MALFORMED);
              assertThat(unusable.detail()).startsWith("not JSON: ");
            });
  }

  @Test
  void randomBytesAreReadOrUnusable() {
    long seed = Seeds.FRESH;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < DOCUMENTS; i++) {
      byte[] value = random.nextInt(4) == 0 ? noise(random) : changed(random);
      String version = Integer.toString(1 + random.nextInt(AnomalyRecord.VERSION));
      assertThatCode(() -> use(read(value, version)))
          .as("isotail.random.seed=%d, document %d", seed, i)
          .doesNotThrowAnyException();
    }
  }

  /** What the page, the API and the metrics ask of an anomaly. */
  private static void use(AnomalyRecord.Content content) {
    if (content instanceof AnomalyRecord.Known known) {
      StoredAnomaly anomaly = known.anomaly();
      assertThat(anomaly.json(List.of("dot")).toString()).isNotEmpty();
      assertThat(anomaly.capsule()).doesNotContainNull();
      assertThat(anomaly.table() + anomaly.explanation() + anomaly.dot()).isNotNull();
    }
  }

  private static byte[] noise(SplittableRandom random) {
    byte[] noise = new byte[random.nextInt(MOST_BYTES)];
    random.nextBytes(noise);
    if (noise.length > 0 && random.nextBoolean()) {
      noise[random.nextInt(Math.min(4, noise.length))] = '{';
    }
    return noise;
  }

  /** A document with a few bytes changed, left out or moved, often in another encoding. */
  private static byte[] changed(SplittableRandom random) {
    byte[] changed = KINDS.get(random.nextInt(KINDS.size())).clone();
    List<Charset> encodings =
        List.of(
            StandardCharsets.UTF_8,
            StandardCharsets.UTF_8,
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16LE,
            Charset.forName("UTF-32"));
    Charset encoding = encodings.get(random.nextInt(encodings.size()));
    if (encoding != StandardCharsets.UTF_8) {
      changed = new String(changed, StandardCharsets.UTF_8).getBytes(encoding);
    }
    for (int i = random.nextInt(MOST_CHANGES); i >= 0; i--) {
      int at = random.nextInt(changed.length);
      int length = random.nextInt(Math.min(MOST_BYTES, changed.length - at));
      switch (random.nextInt(3)) {
        case 0 -> changed[at] = (byte) random.nextInt();
        case 1 -> changed = Arrays.copyOf(changed, Math.max(1, at));
        default ->
            System.arraycopy(changed, at, changed, random.nextInt(changed.length - length), length);
      }
    }
    return changed;
  }

  private static AnomalyRecord.Content read(byte[] value) {
    return read(value, "1");
  }

  private static AnomalyRecord.Content read(byte[] value, String version) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("anomalies", 0, 0, new byte[0], value);
    record.headers().add(AnomalyRecord.VERSION_HEADER, version.getBytes(StandardCharsets.US_ASCII));
    return AnomalyRecord.read(record);
  }
}

package io.isotail.ingest.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaIT {

  @Test
  void aStoppedBrokerComesBackWithItsData() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      kafka.createTopic("t", 1, Map.of());
      assertThat(append(kafka.bootstrapServers())).isEqualTo(0);
      kafka.stop();
      kafka.restart();
      assertThat(append(kafka.bootstrapServers())).isEqualTo(1);
    }
  }

  @Test
  void aKilledBrokerProcessComesBackWithItsData(@TempDir Path folder) throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(folder)) {
      assertThat(append(broker.bootstrapServers())).isEqualTo(0);
      broker.kill();
      broker.restart();
      assertThat(append(broker.bootstrapServers())).isEqualTo(1);
    }
  }

  private static long append(String servers) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      return producer.send(new ProducerRecord<>("t", new byte[] {1})).get().offset();
    }
  }
}

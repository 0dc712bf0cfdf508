package io.isotail.monitor.publish;

import io.isotail.incremental.record.Control;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.kafka.KafkaClients;
import io.isotail.monitor.kafka.Topics;
import io.isotail.monitor.reach.Reachability;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.KafkaException;

/** Writes one control record from outside of a monitor. */
public final class ControlWriter {
  private ControlWriter() {}

  /**
   * Appends the record to the log of the history; waits for the broker.
   *
   * @return its offset
   * @throws KafkaException when there is no broker or no events topic, or it takes too long
   */
  public static long write(MonitorConfig.Kafka config, String history, Control control)
      throws InterruptedException {
    String silent = Reachability.brokers(config.bootstrap());
    if (silent != null) {
      throw new KafkaException(silent);
    }
    KafkaClients clients = new KafkaClients(config);
    int partitions;
    try (var admin = clients.admin()) {
      partitions = new Topics(config, admin).existing();
    }
    CompletableFuture<Long> outcome = new CompletableFuture<>();
    try (ControlLog log = new ControlLog(config.eventsTopic(), clients::writer)) {
      log.write(Topics.partitionOf(history, partitions), history, control, outcome::complete);
      long offset = outcome.join();
      if (offset == ControlLog.NOT_WRITTEN) {
        throw new KafkaException(
            "the record was not written to topic %s at %s"
                .formatted(config.eventsTopic(), config.bootstrap()));
      }
      return offset;
    }
  }
}

package io.isotail.monitor.service;

import io.isotail.incremental.record.Control;
import io.isotail.monitor.config.MonitorConfig;
import io.isotail.monitor.publish.ControlWriter;

/** Tells the checker of a history, now or in a replay, to do so otherwise. */
public final class HistoryControl {
  private HistoryControl() {}

  /**
   * Appends a control record to the log of the history; waits for the broker.
   *
   * @return its offset, from which on it holds
   * @throws org.apache.kafka.common.KafkaException when there is no broker or no events topic
   */
  public static long write(MonitorConfig config, String history, Control control)
      throws InterruptedException {
    return ControlWriter.write(config.kafka(), history, control);
  }
}

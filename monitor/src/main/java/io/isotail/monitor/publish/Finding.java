package io.isotail.monitor.publish;

import io.isotail.incremental.anomaly.Anomaly;
import io.isotail.monitor.render.AnomalyDocument;

/**
 * An anomaly that is to be published, and its document: the bytes that the anomalies topic carries
 * and every instance keeps and serves.
 *
 * @param anomaly what the checker found
 * @param document JSON in UTF-8, rendered when it was found
 */
@SuppressWarnings("ArrayRecordComponent") // handed to Kafka's producer, compared by nobody
public record Finding(Anomaly anomaly, byte[] document) {
  /**
   * Renders the document, the only time. It takes up to 900 kB until it is published. What
   * rendering throws stops the checking of the history, as a failure of its checker does.
   *
   * @param appendTimeMs log append time of the record that completed it, in ms
   * @param clockUncertaintyNs how far clocks were taken to be apart, in ns
   */
  public static Finding of(Anomaly anomaly, long appendTimeMs, long clockUncertaintyNs) {
    return new Finding(anomaly, AnomalyDocument.bytes(anomaly, appendTimeMs, clockUncertaintyNs));
  }
}

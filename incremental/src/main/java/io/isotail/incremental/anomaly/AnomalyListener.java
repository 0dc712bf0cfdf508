package io.isotail.incremental.anomaly;

/** Receives anomalies on the thread that feeds the checker, in a deterministic order. */
public interface AnomalyListener {

  /** An anomaly was found. Called once for each id. */
  void found(Anomaly anomaly);

  /**
   * A known anomaly was observed again.
   *
   * @param id the anomaly's id
   * @param occurrences how often so far, at least 2
   */
  void repeated(String id, long occurrences);
}

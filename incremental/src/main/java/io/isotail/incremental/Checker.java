package io.isotail.incremental;

import io.isotail.incremental.anomaly.AnomalyListener;
import io.isotail.incremental.record.StreamRecord;
import java.util.Map;

/** Placeholder facade while the stages are built. */
public final class Checker {
  private final CheckerConfig config;
  private final AnomalyListener listener;

  /** Starts with an empty history. */
  public Checker(CheckerConfig config, AnomalyListener listener) {
    this.config = config;
    this.listener = listener;
  }

  /**
   * Takes the next record of the stream.
   *
   * @param offset log offset, or line of the file; strictly increasing
   * @param appendTimeMs log append time in ms, never decreasing; 0 in files
   */
  public void accept(long offset, long appendTimeMs, StreamRecord record) {
    if (offset >= 0) {
      throw new IllegalStateException("not built: " + config + listener + record);
    }
  }

  /** The stream has ended: what has not come will not come. */
  public void finish() {}

  /** Where the checker stands. Callable at any time from the owning thread. */
  public CheckerReport report() {
    return new CheckerReport(
        Map.of(), 0, 0, 0, 0, 0, 0, 0, Map.of(), Map.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}

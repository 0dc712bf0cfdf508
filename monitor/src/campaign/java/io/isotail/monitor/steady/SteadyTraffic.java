package io.isotail.monitor.steady;

/** Traffic that goes on until it is closed. */
interface SteadyTraffic extends AutoCloseable {
  /** Statements, or records, that failed so far. */
  long errors();

  /** Anomalies put in so far, -1 when that depends on the database. */
  long injected();

  /** Ends in order. */
  @Override
  void close();
}

package io.isotail.monitor.status;

/**
 * How far checking is behind the end of the log.
 *
 * @param records records of the log, of one to 64 transactions each, that were not checked yet
 * @param transactions about so many are in them: as many in each as in those that were checked last
 * @param seconds age of the oldest of them at most, 0 when there are none
 */
public record Lag(long records, long transactions, double seconds) {
  /** All is checked. */
  public static final Lag NONE = new Lag(0, 0, 0);
}

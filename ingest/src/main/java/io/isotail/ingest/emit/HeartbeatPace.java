package io.isotail.ingest.emit;

/**
 * When the next heartbeat is due: after the interval, and not before as much time has gone to
 * transactions as the last one took, up to a bound. A broker that answers slowly, or many open
 * transactions to name, must not keep the queue from draining; and after an outage the readers
 * should soon hear of the proxy again.
 *
 * @param intervalNs from the beginning of one heartbeat to the next, in ns
 */
record HeartbeatPace(long intervalNs) {
  /**
   * So much time at most goes to transactions although the interval is over: far less than it takes
   * to be held for dead.
   */
  static final long MAX_PAUSE_NS = 1_000_000_000;

  /** When the next one is due, on the clock of the arguments. */
  long next(long startedNs, long endedNs) {
    long pauseNs = Math.min(endedNs - startedNs, MAX_PAUSE_NS);
    return Math.max(startedNs + intervalNs, endedNs + pauseNs);
  }
}

package io.isotail.incremental.record;

/**
 * A proxy starts: from here on it promises heartbeats.
 *
 * @param proxy id of the proxy incarnation
 * @param service name of the application
 * @param instance which instance of the application
 * @param heartbeatIntervalMs pause between two heartbeats in normal work, in ms; with a slow broker
 *     up to 1 s longer
 * @param oldestRunning every transaction of the database with a lower id, of 64 bits, had ended
 *     before the first transaction of this proxy began; {@link #NOT_KNOWN} if no such id is known
 * @param database which database that is, as of a {@link SessionInfo#database session}
 * @param nextId each transaction of the database with this id, of 64 bits, or a higher one ends
 *     after all those with an id below {@code oldestRunning} had ended; {@link #NOT_KNOWN} if no
 *     such id is known
 */
public record Hello(
    String proxy,
    String service,
    String instance,
    long heartbeatIntervalMs,
    long oldestRunning,
    long database,
    long nextId)
    implements StreamRecord {
  /** No transaction id is known. */
  public static final long NOT_KNOWN = -1;

  /** Starts in a database that is not known. */
  public Hello(
      String proxy, String service, String instance, long heartbeatIntervalMs, long oldestRunning) {
    this(
        proxy,
        service,
        instance,
        heartbeatIntervalMs,
        oldestRunning,
        SessionInfo.NO_DATABASE,
        NOT_KNOWN);
  }

  /** Starts without a known transaction id. */
  public Hello(String proxy, String service, String instance, long heartbeatIntervalMs) {
    this(proxy, service, instance, heartbeatIntervalMs, NOT_KNOWN);
  }
}

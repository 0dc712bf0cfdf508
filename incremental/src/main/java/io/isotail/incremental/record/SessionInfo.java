package io.isotail.incremental.record;

import org.jspecify.annotations.Nullable;

/**
 * A session (one database connection) and where it comes from.
 *
 * @param id identity within the history; never reused
 * @param name short name for people
 * @param proxy id of the proxy incarnation (process and boot) that observes it; null in files
 * @param service name of the application
 * @param instance which instance of the application
 * @param databaseHost host and port of the database
 * @param backendPid process id of the database backend, 0 when unknown
 * @param database which database it is, as a number that no other one has; its physical standbys
 *     have the same. {@link #NO_DATABASE} when unknown
 * @param oldestRunning every transaction of the database with a lower id, of 64 bits, had ended
 *     before the first transaction of this proxy in it began; {@link Hello#NOT_KNOWN} if no such id
 *     is known
 */
public record SessionInfo(
    long id,
    String name,
    @Nullable String proxy,
    @Nullable String service,
    @Nullable String instance,
    @Nullable String databaseHost,
    int backendPid,
    long database,
    long oldestRunning) {
  /** The database is not known. */
  public static final long NO_DATABASE = 0;

  /** A session of which the database is not known. */
  public SessionInfo(
      long id,
      String name,
      @Nullable String proxy,
      @Nullable String service,
      @Nullable String instance,
      @Nullable String databaseHost,
      int backendPid) {
    this(
        id, name, proxy, service, instance, databaseHost, backendPid, NO_DATABASE, Hello.NOT_KNOWN);
  }

  /** The session, in this database. */
  public SessionInfo in(long number, long oldest) {
    return new SessionInfo(
        id, name, proxy, service, instance, databaseHost, backendPid, number, oldest);
  }

  /** A session of a history file, of which nothing but its identity is known. */
  public static SessionInfo ofFile(long id, String name) {
    return new SessionInfo(id, name, null, null, null, null, 0);
  }
}

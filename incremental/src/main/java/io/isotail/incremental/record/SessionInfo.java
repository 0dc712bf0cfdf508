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
 */
public record SessionInfo(
    long id,
    String name,
    @Nullable String proxy,
    @Nullable String service,
    @Nullable String instance,
    @Nullable String databaseHost,
    int backendPid) {

  /** A session of a history file, of which nothing but its identity is known. */
  public static SessionInfo ofFile(long id, String name) {
    return new SessionInfo(id, name, null, null, null, null, 0);
  }
}

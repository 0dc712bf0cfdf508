package io.isotail.ingest.capture;

import io.isotail.incremental.record.Hello;
import io.isotail.incremental.record.SessionInfo;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The databases that the sessions of a configuration have been connected to, each with the least id
 * of a transaction that ran before the first of them. Several servers of a cluster may be one
 * database. Thread-safe. Of more than {@value #MOST} no such id is known.
 */
final class KnownDatabases {
  private static final int MOST = 1_000;

  private final ConcurrentHashMap<Long, DatabaseIds> known = new ConcurrentHashMap<>();

  /** Databases, by what their servers say of themselves. */
  private final ConcurrentHashMap<Long, DatabaseIds> ofServers = new ConcurrentHashMap<>();

  /** A session is connected to a database, of which the ids are known from then on. */
  DatabaseIds note(DatabaseIds ids) {
    if (ids.database() == SessionInfo.NO_DATABASE) {
      return DatabaseIds.UNKNOWN;
    }
    DatabaseIds first = known.get(ids.database());
    if (first == null && known.size() < MOST) {
      first = known.putIfAbsent(ids.database(), ids);
      return first == null ? ids : first;
    }
    return first == null
        ? new DatabaseIds(ids.database(), Hello.NOT_KNOWN, Hello.NOT_KNOWN)
        : first;
  }

  /**
   * The ids of a database to which a session is connected; asks for them if it is the first one.
   *
   * @param number of the server, as its answer has it
   * @param server of that session, in no transaction
   */
  DatabaseIds of(long number, Server server) {
    if (number == SessionInfo.NO_DATABASE) {
      return DatabaseIds.UNKNOWN;
    }
    DatabaseIds first = known.getOrDefault(number, ofServers.get(number));
    if (first != null) {
      return first;
    }
    DatabaseIds ids = note(DatabaseIds.of(number, server));
    if (ids.database() != number
        && ids.database() != SessionInfo.NO_DATABASE
        && ofServers.size() < MOST) {
      ofServers.putIfAbsent(number, ids);
    }
    return ids;
  }
}
